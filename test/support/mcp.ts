import {
  type CallToolResult,
  Client,
  type ClientOptions,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** The two revisions that are spoken, and how the official client is told to speak each. */
const ERAS = { '2025-11-25': 'legacy', '2026-07-28': 'auto' } as const;
export type Era = keyof typeof ERAS;
export const eras = Object.keys(ERAS) as Era[];

export interface McpClientOptions {
  era?: Era;
  /** null: none. */
  token: string | null;
  path?: string;
  /** Answers questions to a person; left out: the client says that it can ask nobody. */
  asks?: (message: string) => ElicitResult['action'];
}

/** The official client, connected. */
export async function mcpClient(
  url: string,
  { era = '2026-07-28', token, path = '/mcp', asks }: McpClientOptions,
): Promise<Client> {
  const options: ClientOptions = {
    versionNegotiation: { mode: ERAS[era] },
    ...(asks && { capabilities: { elicitation: { form: {} } } }),
  };
  const client = new Client({ name: 'test', version: '1' }, options);
  if (asks) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const action = asks(params.message);
      return action === 'accept' ? { action, content: {} } : { action };
    });
  }
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(path, url), { requestInit: { headers } }));
  return client;
}

/** Calls a tool. */
export function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
  return client.callTool({ name, arguments: args });
}

/** The envelope of an answer. */
export function envelopeOf(result: CallToolResult): { error_code: number; error_msg: string; data: any } {
  return result.structuredContent as { error_code: number; error_msg: string; data: any };
}

/** A JSON-RPC message of revision 2026-07-28, sent as it is. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  body: any;
  text: string;
}

const META = 'io.modelcontextprotocol';

/** The `_meta` that every request of 2026-07-28 carries. */
export function envelopeMeta(capabilities: object = {}): Record<string, unknown> {
  return {
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientCapabilities`]: capabilities,
    [`${META}/clientInfo`]: { name: 'raw', version: '1' },
  };
}

export interface RawOptions {
  token?: string | null;
  headers?: Record<string, string>;
  method?: string;
  path?: string;
}

/** One HTTP request to the endpoint, without any client. */
export async function rawRequest(url: string, body: unknown, options: RawOptions = {}): Promise<RawAnswer> {
  const { token = null, headers = {}, method = 'POST', path = '/mcp' } = options;
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** One request of revision 2026-07-28, with the headers it needs. */
export function modernRequest(
  url: string,
  method: string,
  params: Record<string, unknown>,
  { capabilities, ...options }: RawOptions & { capabilities?: object } = {},
): Promise<RawAnswer> {
  const name = params['name'];
  return rawRequest(
    url,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelopeMeta(capabilities) } },
    {
      ...options,
      headers: {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
        ...options.headers,
      },
    },
  );
}

/** The last message of a body, whether it came alone or in a stream. */
function parsed(text: string): any {
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  const last = lines.at(-1)?.slice('data: '.length) ?? text;
  try {
    return JSON.parse(last);
  } catch {
    return undefined;
  }
}
