import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { nodeErrorOf, staydRequest } from '../Stayd/request';
import { EVENTS } from './generated';
import { reread, type StaydEvent } from './reread';
import { refusalOf, remember, type Seen } from './verify';

/** What the node keeps between two runs of its workflow. */
interface Kept extends IDataObject {
  webhookId?: number;
  secret?: string;
  seen?: Seen;
}

const NOT_FOUND = '404';

/** Starts a workflow with each event of a stayd. */
export class StaydTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Stayd Trigger',
    name: 'staydTrigger',
    icon: { light: 'file:../Stayd/stayd.svg', dark: 'file:../Stayd/stayd.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts a workflow with events of a stayd',
    defaults: { name: 'Stayd Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'staydApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: [...EVENTS],
        default: ['reservation_created'],
        required: true,
      },
      {
        displayName: 'Read the Resource',
        name: 'readResource',
        type: 'boolean',
        default: true,
        description: 'Whether to read what the event names; an event alone says what has changed, and not how',
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = this.getWorkflowStaticData('node') as Kept;
        if (webhookId === undefined || !secret) return false;
        const { webhooks } = await staydRequest(this, { method: 'GET', path: '/webhooks' });
        const url = this.getNodeWebhookUrl('default');
        const wanted = textOf(this.getNodeParameter('events') as string[]);
        return (webhooks as IDataObject[]).some(
          (one) => one.id === webhookId && one.url === url && textOf(one.events as string[]) === wanted,
        );
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData('node') as Kept;
        await removeOwn(this, kept);
        const body = { url: this.getNodeWebhookUrl('default'), events: this.getNodeParameter('events') as string[] };
        const { id, secret_token } = await staydRequest(this, { method: 'POST', path: '/webhooks', body });
        Object.assign(kept, { webhookId: id, secret: secret_token });
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await removeOwn(this, this.getWorkflowStaticData('node') as Kept);
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const kept = this.getWorkflowStaticData('node') as Kept;
    const now = Date.now();
    const body: unknown = this.getRequestObject().rawBody;
    const delivery = { headers: this.getHeaderData(), body: Buffer.isBuffer(body) ? body : undefined };
    const refusal = refusalOf(delivery, kept.secret ?? '', now);
    if (refusal !== undefined) return answered(this, 401, refusal);
    const event = this.getBodyData() as StaydEvent;
    if (event.event_id !== this.getHeaderData()['webhook-id']) return answered(this, 401, 'wrong signature');
    const seen = remember(kept.seen ?? [], event.event_id, now);
    if (!seen) return answered(this, 200, 'seen before');
    kept.seen = seen;
    const events = this.getNodeParameter('events') as string[];
    if (!events.includes(event.event)) return answered(this, 200, 'not selected');
    const read = this.getNodeParameter('readResource') === true ? await reread(this, event) : {};
    return { workflowData: [this.helpers.returnJsonArray([{ ...event, ...read }])] };
  }
}

/** Deletes the webhook that this node has registered, if there is one. */
async function removeOwn(functions: IHookFunctions, kept: Kept): Promise<void> {
  const { webhookId } = kept;
  if (webhookId === undefined) return;
  try {
    await staydRequest(functions, { method: 'DELETE', path: `/webhooks/${webhookId}` });
  } catch (error) {
    if (!(error instanceof NodeApiError) || error.httpCode !== NOT_FOUND) throw nodeErrorOf(functions, error);
  }
  delete kept.webhookId;
  delete kept.secret;
}

/** Answers without a run of the workflow. */
function answered(functions: IWebhookFunctions, status: number, text: string): IWebhookResponseData {
  functions.getResponseObject().status(status).send(text);
  return { noWebhookResponse: true };
}

function textOf(events: readonly string[]): string {
  return [...events].sort().join(' ');
}
