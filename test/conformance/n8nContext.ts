import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestReceiver } from '../support/receiver.ts';
import type { TestService } from '../support/service.ts';

type Fields = Record<string, any>;

/** Any node of n8n. */
export interface NodeClass {
  description: { properties: { name: string }[] };
}

/** A node that runs on items. */
interface Executed extends NodeClass {
  execute(): Promise<{ json: Fields }[][]>;
}

/** A node that starts workflows. */
export interface Trigger extends NodeClass {
  webhookMethods: { default: Record<'checkExists' | 'create' | 'delete', () => Promise<boolean>> };
  webhook(): Promise<{ workflowData?: { json: Fields }[][] }>;
}

/** What surrounds a node in its workflow. */
export interface Context {
  receiver: TestReceiver;
  service: TestService;
  parameters: Fields;
  /** What n8n keeps for the node. */
  staticData: Fields;
  /** The error_code of each answer of the service. */
  codes: unknown[];
}

/** How a webhook was answered, and the items that start a workflow; undefined: none. */
interface ReceivedByNode {
  status: number | undefined;
  items: Fields[] | undefined;
}

/** Loads the compiled nodes, and returns them with the ways in which n8n calls them. */
export function loadNodes(folder: string) {
  const load = createRequire(join(folder, 'package.json'));
  const { Stayd } = load('./dist/nodes/Stayd/Stayd.node.js') as { Stayd: new () => Executed };
  const { StaydTrigger } = load('./dist/nodes/StaydTrigger/StaydTrigger.node.js') as {
    StaydTrigger: new () => Trigger;
  };
  const { StaydApi } = load('./dist/credentials/StaydApi.credentials.js') as { StaydApi: new () => Credential };
  const header = Object.keys(new StaydApi().authenticate.properties.headers)[0] ?? '';
  return {
    stayd: new Stayd(),
    trigger: new StaydTrigger(),
    /** Runs the node on one item. */
    async execute(node: Executed, context: Context): Promise<Fields[]> {
      const more = { getInputData: () => [{ json: {} }], continueOnFail: () => false };
      const [items = []] = await node.execute.call({ ...node, ...functionsOf(context, header), ...more });
      return items.map(({ json }) => json);
    },
    /** Calls what n8n calls when a workflow is activated and deactivated. */
    hook(node: Trigger, name: 'checkExists' | 'create' | 'delete', context: Context): Promise<boolean> {
      return node.webhookMethods.default[name].call(functionsOf(context, header));
    },
    /** Hands a request to the trigger. */
    async receive(node: Trigger, context: Context, given: { body: string; headers: IncomingHttpHeaders }) {
      const answer: ReceivedByNode = { status: undefined, items: undefined };
      const response = {
        status(code: number) {
          answer.status = code;
          return response;
        },
        send: () => response,
      };
      const { workflowData } = await node.webhook.call({
        ...node,
        ...functionsOf(context, header),
        getBodyData: () => JSON.parse(given.body) as Fields,
        getHeaderData: () => given.headers,
        getRequestObject: () => ({ rawBody: Buffer.from(given.body) }),
        getResponseObject: () => response,
      });
      answer.items = workflowData?.[0]?.map(({ json }) => json);
      return answer;
    },
  };
}

interface Credential {
  authenticate: { properties: { headers: Record<string, string> } };
}

/** The documented functions of n8n that the nodes use, over real HTTP. */
function functionsOf({ service, receiver, parameters, staticData, codes }: Context, header: string) {
  return {
    getNode: () => ({ id: '1', name: 'Stayd', type: 'stayd', typeVersion: 1, position: [0, 0], parameters }),
    getNodeParameter: (name: string, _index?: unknown, otherwise?: unknown) => parameters[name] ?? otherwise,
    getNodeWebhookUrl: () => receiver.url,
    getWorkflowStaticData: () => staticData,
    getCredentials: () => Promise.resolve({ baseUrl: service.url, accessToken: service.token }),
    helpers: {
      returnJsonArray: (items: Fields[]) => items.map((json) => ({ json })),
      async httpRequestWithAuthentication(_credentials: string, { method, url, qs, body }: Fields) {
        const search = new URLSearchParams(qs);
        const response = await fetch(`${url}?${search.toString()}`, {
          method,
          headers: { [header]: service.token, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        });
        const answer = (await response.json()) as Fields;
        codes.push(answer['error_code']);
        return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: answer };
      },
    },
  };
}
