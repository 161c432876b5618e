import type { Dispatcher } from 'undici';
import { messageOf } from '../kernel/errors.ts';
import { setAwakeTimer } from './awakeTimer.ts';
import { type DispatcherOptions, guardedDispatcher } from './dispatcher.ts';
import { checkTarget, saysRefused, type TargetRefusal } from './target.ts';
import { textOf } from './textOf.ts';

/** Bytes of an answer that are read at most. */
const SIZE_BYTES = 1_000_000;
const CONNECTIONS = 4;

/** One request to a service of others. */
export interface ServiceRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | null;
  signal?: AbortSignal | undefined;
}

/** What was answered; or why nothing was, without any words of the answer. */
export type ServiceAnswer =
  | { status: number; text: string; retryAfterMs: number | undefined }
  | { problem: string; unsent?: true; refused?: TargetRefusal };

export interface ServiceCallerOptions extends DispatcherOptions {
  userAgent: string;
  /** Milliseconds from the look-up of the name to the last byte. */
  limitMs: number;
}

/** Calls services whose addresses people have set. One request, one answer: no redirects, no retry. */
export class ServiceCaller {
  readonly #options: ServiceCallerOptions;
  readonly #dispatcher: Dispatcher;

  constructor(options: ServiceCallerOptions) {
    this.#options = options;
    this.#dispatcher = guardedDispatcher({ connections: CONNECTIONS, connectLimitMs: options.limitMs, ...options });
  }

  /** Sends one request. Never throws. */
  async call({ signal, ...request }: ServiceRequest): Promise<ServiceAnswer> {
    const { clock, policy, limitMs } = this.#options;
    const checked = checkTarget(request.url, policy);
    if ('refused' in checked) return { problem: saysRefused(checked.refused), unsent: true, refused: checked.refused };
    const cut = new AbortController();
    const end = () => cut.abort(new Error(`no answer within ${limitMs / 1_000} s`));
    const timer = setAwakeTimer(clock, limitMs, end);
    const stop = () => cut.abort(new Error('stayd stops'));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    try {
      const answer = await this.#send(checked.url, request, cut.signal);
      const text = await textOf(answer.body, SIZE_BYTES);
      if (text === undefined) return { problem: `larger than ${SIZE_BYTES} bytes` };
      return { status: answer.statusCode, text, retryAfterMs: waitOf(answer.headers['retry-after']) };
    } catch (error) {
      return { problem: cut.signal.aborted ? messageOf(cut.signal.reason) : messageOf(error) };
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', stop);
    }
  }

  close(): Promise<void> {
    return this.#dispatcher.destroy();
  }

  #send({ origin, pathname, search }: URL, { method, headers, body = null }: ServiceRequest, signal: AbortSignal) {
    const { userAgent, limitMs } = this.#options;
    return this.#dispatcher.request({
      origin,
      path: pathname + search,
      method,
      signal,
      // The timer of the request is the limit.
      headersTimeout: 2 * limitMs,
      bodyTimeout: 2 * limitMs,
      headers: { 'accept-encoding': 'identity', 'user-agent': userAgent, ...headers },
      body,
    });
  }
}

/** Reads `Retry-After` in seconds. */
function waitOf(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}
