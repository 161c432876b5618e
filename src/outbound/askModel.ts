import { z } from 'zod';
import { ServiceCaller } from './callService.ts';
import type { DispatcherOptions } from './dispatcher.ts';
import { saysWhy } from './target.ts';

/** An endpoint that speaks the chat completions of OpenAI. */
interface ModelEndpoint {
  /** Base address, such as `https://api.example/v1`. */
  url: string;
  model: string;
  /** Sent as a bearer token; null for none. */
  key: string | null;
  /** Further members of the request, such as `max_tokens`; null leaves one out. */
  parameters: Readonly<Record<string, string | number | boolean | null>>;
  /** Milliseconds from the look-up of the name to the last byte. */
  limitMs: number;
}

export interface ModelMessage {
  role: 'system' | 'user';
  content: string;
}

export interface ModelTokens {
  prompt: number | null;
  answer: number | null;
}

/** The text of a model, or the reason why there is none; the reason contains no words of a guest or a model. */
type ModelAnswer = { text: string; tokens: ModelTokens } | { problem: string; tokens?: ModelTokens };

/** The list of models of an endpoint. */
type ModelList = { models: readonly string[] | null } | { problem: string; status?: number };

interface ModelCallerOptions extends DispatcherOptions {
  userAgent: string;
  endpoint: ModelEndpoint;
}

/** The members that stayd itself sets, so that configured parameters cannot override them. */
export const OWN_MEMBERS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'n',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'parallel_tool_calls',
  'web_search_options',
  'modalities',
]);

const tokenCount = z.int().min(0).nullish().catch(null);
const completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z.array(z.unknown()).nullish(),
          function_call: z.unknown().optional(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: tokenCount, completion_tokens: tokenCount }).nullish().catch(null),
});
const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });
/** A word that names the fault; a longer text might contain the question. */
const errorName = z.object({
  error: z.object({ code: z.string().nullish().catch(null), type: z.string().nullish().catch(null) }),
});
const SHORT_NAME = /^[\w.-]{1,60}$/;

/** Asks the model of one endpoint: text in, text out. No tools, no redirects, no retry. */
export class ModelCaller {
  readonly #options: ModelCallerOptions;
  readonly #caller: ServiceCaller;

  constructor(options: ModelCallerOptions) {
    this.#options = options;
    this.#caller = new ServiceCaller({ ...options, limitMs: options.endpoint.limitMs });
  }

  /** Sends one request. Never throws. */
  async ask(messages: readonly ModelMessage[], signal: AbortSignal): Promise<ModelAnswer> {
    const { model, parameters } = this.#options.endpoint;
    const given = Object.entries(parameters);
    const more = given.filter(([name, value]) => !OWN_MEMBERS.has(name) && value !== null);
    const body = { ...Object.fromEntries(more), model, messages, stream: false };
    const answer = await this.#request('/chat/completions', JSON.stringify(body), signal);
    return 'problem' in answer ? { problem: answer.problem } : readCompletion(answer.text);
  }

  /** Requests the list of models. Never throws. */
  async list(): Promise<ModelList> {
    const answer = await this.#request('/models', null);
    if ('problem' in answer) return answer;
    const read = modelList.safeParse(parsed(answer.text));
    return { models: read.success ? read.data.data.map(({ id }) => id) : null };
  }

  close(): Promise<void> {
    return this.#caller.close();
  }

  async #request(path: string, body: string | null, signal?: AbortSignal): Promise<Answered> {
    const { url, key } = this.#options.endpoint;
    const answer = await this.#caller.call({
      method: body === null ? 'GET' : 'POST',
      url: `${url.replace(/\/$/, '')}${path}`,
      headers: {
        accept: 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== null && { 'content-type': 'application/json' }),
      },
      body,
      signal,
    });
    // Another setting than outbound.allow permits the address of a model.
    if ('problem' in answer) return { problem: answer.refused ? saysWhy(answer.refused) : answer.problem };
    const { status, text } = answer;
    return status === 200 ? { text } : { problem: `answered ${status}${nameOf(text)}`, status };
  }
}

type Answered = { text: string } | { problem: string; status?: number };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Every failure means that there is no answer.
    return undefined;
  }
}

function nameOf(text: string): string {
  const read = errorName.safeParse(parsed(text));
  const names = read.success ? [read.data.error.code, read.data.error.type] : [];
  const name = names.find((one) => one !== null && one !== undefined && SHORT_NAME.test(one));
  return name === undefined ? '' : ` (${name})`;
}

function readCompletion(text: string): ModelAnswer {
  const read = completion.safeParse(parsed(text));
  if (!read.success) return { problem: 'the answer is no chat completion' };
  const { choices, usage } = read.data;
  const tokens = { prompt: usage?.prompt_tokens ?? null, answer: usage?.completion_tokens ?? null };
  const [choice] = choices;
  const { content, tool_calls, function_call } = choice?.message ?? {};
  // The request offered no tools.
  if ((tool_calls ?? []).length > 0 || (function_call ?? null) !== null) return { problem: 'it calls tools', tokens };
  if (choice?.finish_reason === 'length') return { problem: 'its answer was cut off', tokens };
  if (content === null || content === undefined || content.trim() === '')
    return { problem: 'it wrote nothing', tokens };
  return { text: content, tokens };
}
