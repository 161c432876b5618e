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
export interface ModelEndpoint {
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
export type ModelAnswer = { text: string; tokens: ModelTokens } | { problem: string; tokens?: ModelTokens };

/** The list of models of an endpoint. */
export type ModelList = { models: readonly string[] | null } | { problem: string; status?: number };

export interface ModelCaller {
  /** Sends one request: text in, text out. No tools, no redirects, no retry. Never throws. */
  ask(messages: readonly ModelMessage[], signal: AbortSignal): Promise<ModelAnswer>;
  /** Requests the list of models. Never throws. */
  list(): Promise<ModelList>;
  close(): Promise<void>;
}

export interface ModelCallerOptions extends DispatcherOptions {
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

export function modelCaller(options: ModelCallerOptions): ModelCaller {
  const { endpoint, clock, policy, userAgent } = options;
  const { url, key, limitMs } = endpoint;
  const dispatcher = guardedDispatcher({ connections: CONNECTIONS, connectLimitMs: limitMs, ...options });
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };

  async function request(path: string, body: string | null, signal?: AbortSignal): Promise<Answered> {
    const checked = checkTarget(`${url.replace(/\/$/, '')}${path}`, policy);
    if ('refused' in checked) return { problem: `the address is refused: ${checked.refused}` };
    const cut = new AbortController();
    const end = () => cut.abort(new Error(`no answer within ${limitMs / 1_000} s`));
    const timer = setAwakeTimer(clock, limitMs, end);
    const stop = () => cut.abort(new Error('stayd stops'));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    try {
      const { origin, pathname, search } = checked.url;
      const answer = await dispatcher.request({
        origin,
        path: pathname + search,
        method: body === null ? 'GET' : 'POST',
        signal: cut.signal,
        // The timer above is the limit.
        headersTimeout: 2 * limitMs,
        bodyTimeout: 2 * limitMs,
        headers: { ...headers, ...(body !== null && { 'content-type': 'application/json' }) },
        body,
      });
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

  return {
    async ask(messages, signal) {
      const given = Object.entries(endpoint.parameters);
      const more = given.filter(([name, value]) => !OWN_MEMBERS.has(name) && value !== null);
      const body = { ...Object.fromEntries(more), model: endpoint.model, messages, stream: false };
      const answer = await request('/chat/completions', JSON.stringify(body), signal);
      return 'problem' in answer ? { problem: answer.problem } : readCompletion(answer.text);
    },
    async list() {
      const answer = await request('/models', null);
      if ('problem' in answer) return answer;
      const read = modelList.safeParse(parsed(answer.text));
      return { models: read.success ? read.data.data.map(({ id }) => id) : null };
    },
    close: () => dispatcher.destroy(),
  };
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
