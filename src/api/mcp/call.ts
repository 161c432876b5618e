import {
  type CallToolResult,
  inputRequired,
  inputResponse,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { errorCodes, SUCCESS } from '../../contract/errors.ts';
import type { Authenticated } from '../../core/accounts/authenticate.ts';
import { requireLetInNow } from '../../core/accounts/stillIn.ts';
import { type Asked, confirmationFor, useConfirmation } from '../../core/confirmations/confirmation.ts';
import { RateLimited } from '../../core/limits/rateLimited.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { performAs, type Service } from '../http/pipeline.ts';
import { wireRequest } from '../http/wireRequest.ts';
import { questionOf } from './question.ts';
import { summaryOf } from './summary.ts';
import type { McpTool } from './tools.ts';

export interface CallOptions extends Service {
  readonly log: Logger;
  /**
   * ask: confirmation tools ask clients that can ask a person, and run for the others; strict: they refuse the others.
   */
  readonly confirm: 'ask' | 'strict';
}

type Args = Readonly<Record<string, unknown>>;

/** One call of a tool. */
interface ToolCall {
  /** The id of the HTTP request. */
  readonly requestId: string;
  readonly tool: McpTool;
  readonly args: Args;
  /** True if the client can put a question to a person. */
  readonly canAsk: boolean;
  /** For an answered question: its sealed context, and the answers. */
  readonly confirmation: string | undefined;
  readonly answers: Record<string, unknown> | undefined;
  /** True if the client's revision of the protocol has structured content. */
  readonly readsStructured: boolean;
}

export type ToolResult = CallToolResult | InputRequiredResult;

/** Thrown for an invalid confirmation: changed, for another call, expired, or used before. */
export class BadConfirmation extends Error {}

/** Stops a call before anything is done; the client receives `result` instead. */
class Held extends Error {
  readonly result: ToolResult;
  constructor(result: ToolResult) {
    super('held');
    this.result = result;
  }
}

/** Runs a call through the same pipeline as a request to v3. */
export async function callTool(options: CallOptions, who: Authenticated, call: ToolCall): Promise<ToolResult> {
  const { tool, args } = call;
  const consent = tool.operation.scope === 'confirm' ? () => requireConsent(options, who, call) : undefined;
  try {
    const data = await performAs(options, tool.id, who, wireRequest(tool.operation, args), consent);
    const envelope = { request_id: call.requestId, error_code: SUCCESS.code, error_msg: SUCCESS.text, data };
    return resultOf(envelope, call);
  } catch (error) {
    if (error instanceof Held) return error.result;
    if (error instanceof BadConfirmation) throw error;
    return toolFailure(options, call.requestId, error);
  }
}

/** Describes a failure so that a model can act on it: the fault in the words of v3, and the remedy. */
export function toolFailure({ log }: Pick<CallOptions, 'log'>, requestId: string, error: unknown): CallToolResult {
  const failed = error instanceof ApiError ? error : new ApiError(500, errorCodes[500].text, { cause: error });
  if (failed !== error) log.error({ err: error, request_id: requestId }, 'a tool failed unexpectedly');
  const error_msg = failed.message || errorCodes[failed.code].text;
  const envelope = { request_id: requestId, error_code: failed.code, error_msg };
  return {
    isError: true,
    content: [{ type: 'text', text: `Error ${failed.code}: ${error_msg.replace(/\.$/, '')}. ${remedyOf(failed)}` }],
    structuredContent: envelope,
  };
}

const REMEDIES = {
  fix: 'Nothing was changed. Correct the arguments before calling again.',
  host: 'Nothing was changed. Calling again does not help: the operator must see to this.',
  wait: 'Nothing was changed. Wait before calling again.',
  retry: 'It may work later; look first whether it was done after all.',
} as const;

function remedyOf(failed: ApiError): string {
  const seconds = failed instanceof RateLimited ? failed.headers['retry-after'] : failed.limit?.retryAfter;
  if (seconds !== undefined) return `Nothing was changed. Wait ${seconds} seconds before calling again.`;
  return REMEDIES[errorCodes[failed.code].client];
}

/** Returns structured content beside a short text, and everything as text for older clients. */
function resultOf(envelope: Record<string, unknown>, { readsStructured }: ToolCall): CallToolResult {
  const json = JSON.stringify(envelope);
  const structuredContent = JSON.parse(json) as Record<string, unknown>;
  const text = readsStructured ? summaryOf(structuredContent['data']) : json;
  return { content: [{ type: 'text', text }], structuredContent };
}

/** The key of the one question in an answer. */
const QUESTION = 'confirm';

async function requireConsent(options: CallOptions, who: Authenticated, call: ToolCall): Promise<void> {
  const { core, confirm } = options;
  const { tool, args, canAsk, confirmation, answers } = call;
  if (!canAsk) {
    if (confirm === 'ask') return;
    throw new Held(refusal(`${tool.definition.name} needs the consent of a person, and this client cannot ask one.`));
  }
  const asked: Asked = { who, tool: tool.definition.name, args };
  const answer = inputResponse(answers, QUESTION);
  if (confirmation === undefined || answer.kind !== 'elicit') {
    const message = await questionOf(options, who, call);
    const question = inputRequired.elicit({ message, requestedSchema: NOTHING_TO_FILL_IN });
    throw new Held(
      inputRequired({ inputRequests: { [QUESTION]: question }, requestState: confirmationFor(core, asked) }),
    );
  }
  // People take their time, and a token can end meanwhile.
  await requireLetInNow(core, who);
  if (!(await useConfirmation(core, asked, confirmation))) throw new BadConfirmation();
  if (answer.action !== 'accept') throw new Held(refusal('The person did not agree.'));
}

const NOTHING_TO_FILL_IN = { type: 'object' as const, properties: {} };

function refusal(reason: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `${reason} Nothing was changed.` }] };
}
