import { ERRORS } from './generated/errors.js';
import { VERSION } from './generated/version.js';
import { StaydConnectionError, StaydError } from './staydError.js';

/** Codes that mean success. */
const SUCCESSES: ReadonlySet<unknown> = new Set([200, 0]);
const RATE_LIMITED = 429;
/** Failures that may be over at the next attempt. */
const PASSING: ReadonlySet<number> = new Set([500, 502, 503, 504]);
const FIRST_WAIT_MS = 500;
const PAGE_ROWS = 100;

/** How a client reaches the service. */
export interface StaydOptions {
  /** The address of the service, without `/v3`: `http://127.0.0.1:8484`. */
  baseUrl: string;
  /** A token of the account: `./stayd token create` makes one. */
  token: string;
  /** Milliseconds that one attempt may take. Default: 30,000. */
  timeoutMs?: number;
  /** Attempts after the first. Default: 3. */
  maxRetries?: number;
  /** Longest wait for a limit; a longer one is thrown as RateLimitedError at once. Default: 60 seconds. */
  maxWaitSeconds?: number;
  /** Default: the global fetch. */
  fetch?: typeof fetch;
  /** Waits between two attempts. Default: a timer. */
  sleep?: (ms: number) => Promise<void>;
}

/** What one call may say of itself. */
export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal;
  /** A POST with the same key is carried out once within 24 hours. Default: a random one for each call. */
  idempotencyKey?: string;
  /** true: fields that the operation does not know are refused with 422. */
  strict?: boolean;
}

/** An operation on the wire. */
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly hasBody: boolean;
  readonly isKeyed: boolean;
  readonly isRead: boolean;
}

interface Envelope {
  request_id?: string;
  error_code: number;
  error_msg?: string;
  data?: unknown;
}

/** Where a page of a list begins. */
export interface Page {
  limit: number;
  cursor?: string;
  offset?: number;
}

/** Sends requests, takes the envelope off, and repeats what may be repeated. */
export class Transport {
  readonly #url: string;
  readonly #options: Required<Omit<StaydOptions, 'baseUrl'>>;

  constructor({ baseUrl, ...options }: StaydOptions) {
    this.#url = `${baseUrl.replace(/\/+$/, '')}/v3`;
    this.#options = {
      timeoutMs: 30_000,
      maxRetries: 3,
      maxWaitSeconds: 60,
      fetch: (...request) => globalThis.fetch(...request),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      ...options,
    };
  }

  /**
   * Calls an operation and returns its data.
   * @throws StaydError when the service refuses, StaydConnectionError when no answer of the service comes
   */
  protected async call<Data>(operation: Operation, input: object, options: CallOptions = {}): Promise<Data> {
    const request = this.#requestOf(operation, input, options);
    const { maxRetries, maxWaitSeconds, sleep } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return (await this.#attempt(operation, request, options.signal)) as Data;
      } catch (error) {
        options.signal?.throwIfAborted();
        const waitMs = waitOf(error, attempt);
        if (attempt >= maxRetries || !mayRepeat(error, operation) || waitMs > maxWaitSeconds * 1_000) throw error;
        await sleep(waitMs);
      }
    }
  }

  /** Reads a list to its end by cursor; by offset from a deployment that knows no cursor. */
  protected async *pages<Data, Row>(
    read: (page: Page) => Promise<Data & { next_cursor?: string | null; total?: number }>,
    rowsOf: (data: Data) => readonly Row[],
  ): AsyncGenerator<Row, void, undefined> {
    let page: Page | undefined = { limit: PAGE_ROWS, cursor: 'start' };
    let seen = 0;
    while (page) {
      const data: Data & { next_cursor?: string | null; total?: number } = await read(page);
      const rows = rowsOf(data);
      yield* rows;
      seen += rows.length;
      if (data.next_cursor !== undefined) {
        page = data.next_cursor === null ? undefined : { limit: PAGE_ROWS, cursor: data.next_cursor };
      } else {
        page = rows.length === 0 || seen >= (data.total ?? 0) ? undefined : { limit: PAGE_ROWS, offset: seen };
      }
    }
  }

  #requestOf({ path, query, method, hasBody, isKeyed }: Operation, input: object, options: CallOptions) {
    const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    const take = (name: string): unknown => {
      const value = left.get(name);
      left.delete(name);
      return value;
    };
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(take(name))));
    const search = new URLSearchParams();
    for (const name of query) {
      const value = take(name);
      if (value !== undefined) search.set(name, textOf(value));
    }
    const headers: Record<string, string> = {
      accept: 'application/json',
      'service-access-token': this.#options.token,
      'user-agent': `stayd-sdk/${VERSION}`,
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(isKeyed && { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
      ...(options.strict && { prefer: 'handling=strict' }),
    };
    const url = `${this.#url}${filled}${search.size > 0 ? `?${search}` : ''}`;
    return { url, init: { method, headers, ...(hasBody && { body: JSON.stringify(Object.fromEntries(left)) }) } };
  }

  async #attempt({ id }: Operation, { url, init }: { url: string; init: RequestInit }, signal?: AbortSignal) {
    const limit = AbortSignal.timeout(this.#options.timeoutMs);
    let response: Response;
    let text: string;
    try {
      const ended = signal ? AbortSignal.any([signal, limit]) : limit;
      // A redirect would carry the token elsewhere.
      response = await this.#options.fetch(url, { ...init, redirect: 'error', signal: ended });
      text = await response.text();
    } catch (cause) {
      throw new StaydConnectionError(id, limit.aborted ? 'no answer in time' : 'no connection', { cause });
    }
    const envelope = envelopeIn(text);
    if (!envelope) throw new StaydConnectionError(id, `HTTP ${response.status} without an envelope`, response);
    if (SUCCESSES.has(envelope.error_code)) return envelope.data;
    const Thrown = ERRORS[envelope.error_code] ?? StaydError;
    throw new Thrown(envelope.error_msg ?? '', {
      code: envelope.error_code,
      operation: id,
      requestId: envelope.request_id ?? '',
      retryAfterSeconds: secondsIn(response.headers.get('retry-after')),
      limitScope: response.headers.get('x-ratelimit-scope') ?? undefined,
    });
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A limit refuses before anything is done. What may have been done is repeated only where that does no harm. */
function mayRepeat(error: unknown, { isRead, isKeyed }: Operation): boolean {
  if (error instanceof StaydError && error.code === RATE_LIMITED) return true;
  if (!isRead && !isKeyed) return false;
  return error instanceof StaydConnectionError || (error instanceof StaydError && PASSING.has(error.code));
}

function waitOf(error: unknown, attempt: number): number {
  if (error instanceof StaydError && error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1_000;
  return FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2);
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isEnvelope = typeof value === 'object' && value !== null && 'error_code' in value;
    return isEnvelope && typeof value.error_code === 'number' ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

function secondsIn(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
