import type { Dispatcher } from 'undici';
import { dialectOfCaller } from '../contract/dialect/dialect.ts';
import type { Convert } from '../contract/dialect/forms.ts';
import type { Profile } from '../contract/dialect/profile.ts';
import { type Call, type Data, type OperationId, operationIds, operations } from '../contract/index.ts';
import type { Operation } from '../contract/operation.ts';
import { type Clock, turn } from '../kernel/clock.ts';
import { messageOf } from '../kernel/errors.ts';
import type { Tracer } from '../kernel/tracing/tracer.ts';
import { CallError, transportFailure } from './callError.ts';
import { type HttpAnswer, readEnvelope } from './envelope.ts';
import type { Fields } from './fields.ts';
import type { Gate, Purpose } from './gate.ts';
import {
  type DataReader,
  dataReader,
  type KnownData,
  type QuarantinedRow,
  type ReadData,
  type RowsUnknowns,
  UnreadableData,
} from './readData.ts';
import { type RequestParts, splitter } from './split.ts';
import type { Tally } from './tally.ts';
import { exchange, type HttpRequest, TOTAL_MS } from './transport.ts';

export interface ClientOptions {
  /** The service's base address; the profile's base path is added if the address does not end with it. */
  baseUrl: string;
  /** Returns the access token for each request. Never logged. */
  token: () => string | Promise<string>;
  /**
   * Renews an OAuth token that was refused. If set, tokens are sent as OAuth tokens. @returns true if another one is
   * worth a try
   */
  renew?: (refused: string) => Promise<boolean>;
  profile: Profile;
  gate: Gate;
  clock: Clock;
  tally: Tally;
  userAgent: string;
  dispatcher: Dispatcher;
  /** Absent for no traces; `propagates` lets the other side continue them. */
  tracing?: { tracer: Tracer; propagates: boolean; connection: string };
  /** True asks a core of ours to refuse unknown fields instead of ignoring them. */
  strict?: boolean;
  /** Receives the number of rows of each answer, and their unknown fields. */
  onUnknowns?: (operation: OperationId, unknowns: RowsUnknowns) => void;
  /**
   * Receives the time of the other side with each answer (the header `Date`), and the time of the request by our clock.
   */
  onAnswered?: (date: string | undefined, askedMs: number) => void;
}

export interface CallOptions {
  purpose: Purpose;
  signal?: AbortSignal;
  /** Runs when the request is about to leave, after the gate has let it pass; once per attempt. */
  beforeSend?: () => void | Promise<void>;
}

/** A successful answer. */
export interface Answer<Id extends OperationId> {
  /** Its known part: only the form is required, see {@link KnownData}. */
  data: KnownData<Data<Id>>;
  /** The rows of a list as received, aligned with those in `data`; unknown fields remain. */
  raw: readonly Fields[];
  quarantined: readonly QuarantinedRow[];
}

/** v3 as a function. Every failure is a {@link CallError}. */
export interface Client {
  call<Id extends OperationId>(operation: Id, input: Call<Id>, options: CallOptions): Promise<Answer<Id>>;
}

interface Route {
  /** The path without values. */
  template: string;
  method: Dispatcher.HttpMethod;
  split(input: Fields): RequestParts;
  /** Converts from the other side's words; undefined if they are ours. */
  understand: Convert | undefined;
  reader: DataReader;
}

/** Bytes above which a body gets a turn of the event loop for itself. */
const LARGE_BYTES = 1_048_576;

/** Creates the client of one upstream: every operation of the contract, one attempt per call. */
export function createClient(options: ClientOptions): Client {
  const caller = new Caller(options);
  // The table of routes forgets each operation's own types; this is the one place that restores them.
  return { call: ((operation, input, how) => caller.call(operation, input, how)) as Client['call'] };
}

class Caller {
  readonly #options: ClientOptions;
  readonly #routes: Record<OperationId, Route>;
  readonly #origin: string;
  readonly #prefix: string;
  readonly #isSuccess: ReadonlySet<number>;
  // Several large bodies can arrive at once.
  #lastTurn = Promise.resolve();

  constructor(options: ClientOptions) {
    const base = new URL(options.baseUrl);
    this.#options = options;
    this.#routes = routesFor(options.profile);
    this.#origin = base.origin;
    this.#prefix = pathOf(base, options.profile.base_path);
    this.#isSuccess = new Set(options.profile.success_codes);
  }

  async call(operation: OperationId, input: Fields, how: CallOptions): Promise<ReadData> {
    let sent = '';
    const note = (token: string) => (sent = token);
    try {
      return await this.#attempt(operation, input, how, note);
    } catch (error) {
      const refused = error instanceof CallError && error.code === 401 && sent !== '';
      if (!refused || !(await this.#options.renew?.(sent))) throw error;
      return this.#attempt(operation, input, how, note);
    }
  }

  async #attempt(
    operation: OperationId,
    input: Fields,
    { purpose, signal, beforeSend }: CallOptions,
    onToken: (token: string) => void,
  ): Promise<ReadData> {
    const { gate, tally, clock, onAnswered } = this.#options;
    const route = this.#routes[operation];
    const parts = route.split(input);
    await gate.acquire(operation, purpose, signal);
    const token = await this.#options.token();
    onToken(token);
    await beforeSend?.();
    tally.add(operation, purpose);
    const limit = timeLimit(clock, TOTAL_MS, signal);
    const askedMs = clock.now();
    try {
      const request = this.#requestOf(route, parts, token);
      const answer = await this.#exchange(operation, request, limit.signal);
      onAnswered?.(answer.header('date'), askedMs);
      return await this.#read(operation, route, answer);
    } catch (error) {
      if (error instanceof CallError && error.client === 'wait') holdGate(gate, error);
      if (error instanceof CallError && (error.code === 400 || error.code === 404)) gate.failed(operation);
      throw error;
    } finally {
      limit.clear();
    }
  }

  #exchange(operation: OperationId, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { dispatcher, tracing } = this.#options;
    if (!tracing?.tracer.isOn) return exchange(dispatcher, this.#origin, operation, request, signal);
    const { tracer, propagates, connection } = tracing;
    const { method } = request;
    const { template } = this.#routes[operation];
    const attributes = {
      'http.request.method': method,
      'url.template': template,
      'stayd.connection': connection,
    };
    return tracer.run(`${method} ${template}`, { kind: 'client', attributes }, async (span) => {
      const { traceparent } = span;
      const headers = { ...request.headers, ...(propagates && traceparent !== undefined && { traceparent }) };
      const answer = await exchange(dispatcher, this.#origin, operation, { ...request, headers }, signal);
      span.set({ 'http.response.status_code': answer.status });
      if (answer.status >= 400) span.fail(String(answer.status));
      return answer;
    });
  }

  #requestOf({ method }: Route, { path, body }: RequestParts, token: string): HttpRequest {
    const { userAgent, strict } = this.#options;
    return {
      method,
      path: this.#prefix + path,
      body,
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...(strict && { prefer: 'handling=strict' }),
        ...tokenHeader(this.#options, token),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    };
  }

  async #read(operation: OperationId, route: Route, answer: HttpAnswer): Promise<ReadData> {
    const isLarge = answer.body.length > LARGE_BYTES;
    if (isLarge) await this.#ownTurn();
    const data = readEnvelope(operation, answer, this.#isSuccess);
    if (isLarge) await this.#ownTurn();
    const read = await readData(operation, route, data);
    this.#options.onUnknowns?.(operation, route.reader.takeUnknowns());
    return read;
  }

  #ownTurn(): Promise<void> {
    return (this.#lastTurn = this.#lastTurn.then(turn));
  }
}

/** Returns the header of a token: the standard one for OAuth tokens, unless the dialect has one header for all. */
export function tokenHeader(
  { renew, profile }: Pick<ClientOptions, 'renew' | 'profile'>,
  token: string,
): Record<string, string> {
  return renew && profile.oauth.by === 'discovery'
    ? { authorization: `Bearer ${token}` }
    : { [profile.token_header]: token };
}

function routesFor(profile: Profile): Record<OperationId, Route> {
  const dialect = dialectOfCaller(profile);
  const entries = operationIds.map((id): [OperationId, Route] => {
    const operation: Operation = operations[id];
    const said = dialect.operations[id];
    const { method, path: template } = said;
    return [
      id,
      { method, template, split: splitter(operation, said), understand: said.data, reader: dataReader(operation) },
    ];
  });
  return Object.fromEntries(entries) as Record<OperationId, Route>;
}

/** Returns the path of v3; addresses are given with the base path and without. */
function pathOf({ pathname }: URL, basePath: string): string {
  const given = pathname.replace(/(?<!\/)\/+$/, '');
  return given.endsWith(basePath) ? given : given + basePath;
}

async function readData(operation: OperationId, route: Route, data: unknown): Promise<ReadData> {
  try {
    return await route.reader.read(route.understand ? route.understand(data) : data);
  } catch (cause) {
    if (!(cause instanceof UnreadableData)) throw cause;
    throw transportFailure(operation, `an answer that cannot be read (${messageOf(cause)})`, cause);
  }
}

/** Milliseconds to wait if a 429 names no time. */
const WAIT_MS = 60_000;

function holdGate(gate: Gate, error: CallError): void {
  // Without a named scope the limit may concern all operations.
  const ownOnly = error.scope === 'endpoint' || error.scope === 'endpoint_error';
  const { operation, scope, windowSeconds: seconds } = error;
  const limit = scope !== undefined && seconds !== undefined ? { operation, scope, seconds } : undefined;
  gate.hold(error.retryAfterMs ?? WAIT_MS, ownOnly ? operation : undefined, limit);
}

/** Returns an abort signal that fires after `ms` or with `outer`, whichever comes first. */
export function timeLimit(clock: Clock, ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = clock.setTimer(ms, abort);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    clear() {
      timer.cancel();
      outer?.removeEventListener('abort', abort);
    },
  };
}
