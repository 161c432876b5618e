import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { messageOf } from '../kernel/errors.ts';
import { setAwakeTimer } from './awakeTimer.ts';
import { type DispatcherOptions, guardedDispatcher } from './dispatcher.ts';
import { checkTarget } from './target.ts';

/** Bytes of an answer that are read at most. */
const SIZE_BYTES = 1_000_000;
const CONNECTIONS = 4;

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
  readonly #dispatcher: ReturnType<typeof guardedDispatcher>;

  constructor(options: ModelCallerOptions) {
    this.#options = options;
    const connectLimitMs = options.endpoint.limitMs;
    this.#dispatcher = guardedDispatcher({ connections: CONNECTIONS, connectLimitMs, ...options });
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
    return this.#dispatcher.destroy();
  }

  async #request(path: string, body: string | null, signal?: AbortSignal): Promise<Answered> {
    const { endpoint, clock, policy } = this.#options;
    const { url, limitMs } = endpoint;
    const checked = checkTarget(`${url.replace(/\/$/, '')}${path}`, policy);
    if ('refused' in checked) return { problem: `the address is refused: ${checked.refused}` };
    const cut = new AbortController();
    const end = () => cut.abort(new Error(`no answer within ${limitMs / 1_000} s`));
    const timer = setAwakeTimer(clock, limitMs, end);
    const stop = () => cut.abort(new Error('stayd stops'));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    try {
      const answer = await this.#send(checked.url, body, cut.signal);
      const text = await textOf(answer.body);
      if (text === undefined) return { problem: `larger than ${SIZE_BYTES} bytes` };
      if (answer.statusCode !== 200) {
        return { problem: `answered ${answer.statusCode}${nameOf(text)}`, status: answer.statusCode };
      }
      return { text };
    } catch (error) {
      return { problem: cut.signal.aborted ? messageOf(cut.signal.reason) : messageOf(error) };
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', stop);
    }
  }

  #send({ origin, pathname, search }: URL, body: string | null, signal: AbortSignal) {
    const { endpoint, userAgent } = this.#options;
    const { key, limitMs } = endpoint;
    return this.#dispatcher.request({
      origin,
      path: pathname + search,
      method: body === null ? 'GET' : 'POST',
      signal,
      // The timer of the request is the limit.
      headersTimeout: 2 * limitMs,
      bodyTimeout: 2 * limitMs,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== null && { 'content-type': 'application/json' }),
      },
      body,
    });
  }
}

type Answered = { text: string } | { problem: string; status?: number };

/** Returns undefined for a text that is too large; the connection is cut off then. */
async function textOf(body: Dispatcher.ResponseData['body']): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > SIZE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

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
