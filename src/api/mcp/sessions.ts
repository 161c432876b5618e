import {
  type ClientCapabilities,
  isInitializeRequest,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../kernel/clock.ts';
import type { Random } from '../../kernel/random.ts';
import { callerBehind } from './caller.ts';
import { problem } from './problem.ts';

const ID_BYTES = 32;
/** Milliseconds without use after which a session ends. */
const IDLE_MS = 12 * 3_600_000;
/** Sessions of one person; a new one replaces the least recently used. */
const MOST_OF_ONE = 20;
const MOST = 1_000;

/** The official transport's JSON-RPC answer to an unknown id. */
const NO_SESSION = { status: 404, code: -32_001, message: 'Session not found' } as const;

export interface SessionOptions {
  readonly makeServer: McpServerFactory;
  /** Returns true if a 2025 client with these capabilities needs a session. Others are served without. */
  readonly needsSession: (capabilities: ClientCapabilities) => boolean;
  readonly clock: Clock;
  readonly random: Random;
}

interface Session {
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
}

/**
 * Sessions of 2025 clients that can be asked a question during a call: the question leaves in the answer to one
 * request, and its answer arrives as another. Sessions live in this process and end with it; such a client then starts
 * again, as its protocol demands. A session proves nothing: every request is authenticated, and only the owner finds
 * it.
 */
export class Sessions {
  readonly #options: SessionOptions;
  /** Sessions by id, the least recently used first. */
  readonly #sessions = new Map<string, Session>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** @returns undefined for a request that belongs to no session and needs none */
  async answer(request: Request, options: McpHandlerRequestOptions): Promise<Response | undefined> {
    const { parsedBody } = options;
    if (!(await isLegacyRequest(request, parsedBody))) return undefined;
    const id = request.headers.get('mcp-session-id');
    if (isInitializeRequest(parsedBody)) {
      if (!this.#options.needsSession(parsedBody.params.capabilities)) return undefined;
      return this.#begin(request, options);
    }
    if (id === null) return undefined;
    const session = this.#find(id, ownerOf(options));
    return session ? session.transport.handleRequest(request, options) : problem(NO_SESSION);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  async #begin(request: Request, options: McpHandlerRequestOptions): Promise<Response> {
    const { clock, random, makeServer } = this.#options;
    const owner = ownerOf(options);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => random.bytes(ID_BYTES).toString('base64url'),
      onsessioninitialized: (id) => this.#keep(id, { owner, transport, usedAt: clock.now() }),
    });
    const { authInfo } = options;
    const server = await makeServer({ era: 'legacy', requestInfo: request, ...(authInfo && { authInfo }) });
    await server.connect(transport);
    const close = transport.onclose;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
      close?.();
    };
    const response = await transport.handleRequest(request, options);
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  #keep(id: string, session: Session): void {
    const all = [...this.#sessions.values()];
    const ofOne = all.filter(({ owner }) => owner === session.owner);
    const over = all.filter(({ usedAt }) => usedAt + IDLE_MS <= session.usedAt);
    if (ofOne.length >= MOST_OF_ONE) over.push(...ofOne.slice(0, 1));
    else if (all.length >= MOST) over.push(...all.slice(0, 1));
    for (const { transport } of over) void transport.close();
    this.#sessions.set(id, session);
  }

  #find(id: string, owner: string): Session | undefined {
    const session = this.#sessions.get(id);
    const now = this.#options.clock.now();
    if (!session || session.owner !== owner || session.usedAt + IDLE_MS <= now) return undefined;
    session.usedAt = now;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }
}

/** Returns the owner. An account that may not call now owns no session. */
function ownerOf({ authInfo }: McpHandlerRequestOptions): string {
  const caller = callerBehind(authInfo);
  if ('refused' in caller) return '';
  const { account, operator, clientId } = caller.who;
  return JSON.stringify([account.account_id, operator.id, clientId]);
}
