import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { turn } from '../kernel/clock.ts';
import { messageOf, OperatorError } from '../kernel/errors.ts';
import { HEADER_VALUE, signingKey, signWebhook } from '../kernel/signature.ts';
import { setAwakeTimer } from './awakeTimer.ts';
import { CONNECTIONS_PER_ORIGIN, ConnectFailure, type DispatcherOptions, guardedDispatcher } from './dispatcher.ts';
import { checkTarget, leadsInside } from './target.ts';
import { type Turns, turns } from './turns.ts';

/** Milliseconds for a receiver to answer, including the connection. */
const DELIVERY_LIMIT_MS = 3_000;
/** Bytes of an answer that are read; beyond them the connection is cut off. */
const ANSWER_LIMIT_BYTES = 20_000;

/**
 * The outcome of a delivery: 2xx is delivered, 3xx redirect (never followed), any other status refused. `connect`
 * covers every failure of the connection, also after the request was sent.
 */
export const DELIVERY_OUTCOMES = [
  'delivered',
  'refused',
  'timeout',
  'dns',
  'tls',
  'connect',
  'private_address',
  'bad_url',
  'redirect',
] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export interface DeliveryResult {
  outcome: DeliveryOutcome;
  /** The status of the answer; also present if the rest of the answer was late or broken. */
  status?: number;
  /** Milliseconds that the receiver asks us to wait (`Retry-After`). */
  retryAfterMs?: number;
  /** True if nothing of the request has left. */
  unsent?: true;
  /** The fault, for the operator's log; never for the webhook's owner, to whom it would map our network. */
  detail?: string;
}

export interface Delivery {
  url: string;
  /** `webhook-id`; the same in every attempt. */
  eventId: string;
  /** JSON, or the type in `contentType`; exactly these characters are signed and sent, as UTF-8. */
  body: string | Uint8Array;
  /** By default JSON. */
  contentType?: string;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  secret: string;
  /** The secret that a rotation replaces; it signs too. */
  previousSecret?: string;
  /** The header that carries the secret itself; by default that of v3. */
  secretHeader?: string;
  /** True sends the secret alone: no signature, and no id and time for one. */
  unsigned?: boolean;
  /** True leaves out the header that carries the secret itself. */
  signatureOnly: boolean;
}

export interface SenderOptions extends DispatcherOptions {
  userAgent: string;
  limitMs?: number;
}

/** Sends webhooks; one per process, since it holds the connections. */
export interface Sender {
  readonly options: SenderOptions;
  readonly dispatcher: Dispatcher;
  readonly turns: Turns;
  /** Closes all connections. Call it after every delivery has its outcome: later ones fail with `connect`. */
  close(): Promise<void>;
}

export function webhookSender(options: SenderOptions): Sender {
  if (!HEADER_VALUE.test(options.userAgent)) throw new OperatorError('The user agent cannot be sent as a header.');
  // No attempt to connect outlives its delivery, or the next ones would wait behind it.
  const dispatcher = guardedDispatcher({ connectLimitMs: options.limitMs ?? DELIVERY_LIMIT_MS, ...options });
  return {
    options,
    dispatcher,
    turns: turns(options.connections ?? CONNECTIONS_PER_ORIGIN),
    close: () => dispatcher.close(),
  };
}

/**
 * Posts one webhook, once. Never throws and never retries. At most `connections` deliveries run at a time to one
 * origin; further ones wait, and the time limit of each starts with its turn, so that none times out unsent.
 */
export async function deliverWebhook(sender: Sender, delivery: Delivery): Promise<DeliveryResult> {
  const checked = checkTarget(delivery.url, sender.options.policy);
  if ('refused' in checked) {
    const outcome = checked.refused === 'private_address' ? 'private_address' : 'bad_url';
    return { outcome, unsent: true, detail: checked.refused };
  }
  const { url } = checked;
  if (leadsInside(url, sender.options.policy)) {
    return { outcome: 'private_address', unsent: true, detail: 'this service itself' };
  }
  // Such an id or secret could stop all other deliveries to that origin.
  if (!HEADER_VALUE.test(delivery.eventId) || !HEADER_VALUE.test(delivery.secret)) {
    return { outcome: 'connect', unsent: true, detail: 'the event id or the secret cannot be sent as a header' };
  }
  await sender.turns.enter(url.origin);
  try {
    return await post(sender, url, delivery);
  } catch (thrown) {
    return { outcome: 'connect', detail: messageOf(thrown) };
  } finally {
    // undici takes one turn of the event loop to return the connection; an earlier request would open another one.
    await turn();
    sender.turns.release(url.origin);
  }
}

function post(sender: Sender, url: URL, delivery: Delivery): Promise<DeliveryResult> {
  const body = Buffer.from(delivery.body);
  const request: Dispatcher.DispatchOptions = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: headersOf(delivery, body, sender.options),
    body,
  };
  return new Promise((resolve) => sender.dispatcher.dispatch(request, new Post(sender.options, resolve)));
}

/** One request on its way, with what has arrived of its answer. */
class Post implements Dispatcher.DispatchHandler {
  readonly #options: SenderOptions;
  readonly #resolve: (result: DeliveryResult) => void;
  readonly #timer: ReturnType<typeof setAwakeTimer>;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #retryAfterMs: number | undefined;
  #received = 0;
  #settled = false;

  constructor(options: SenderOptions, resolve: (result: DeliveryResult) => void) {
    this.#options = options;
    this.#resolve = resolve;
    const { clock, limitMs = DELIVERY_LIMIT_MS } = options;
    this.#timer = setAwakeTimer(clock, limitMs, () => {
      this.#settle('timeout');
      this.#cut();
    });
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    this.#controller = started;
    // The connection came too late; nothing has been written to it yet.
    if (this.#settled) this.#cut();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, code: number, headers: IncomingHttpHeaders): void {
    // The real answer follows interim ones (1xx).
    if (code < 200) return;
    this.#status = code;
    this.#retryAfterMs = waitOf(headers['retry-after'], this.#options.clock.now());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received <= ANSWER_LIMIT_BYTES || this.#settled) return;
    this.#settle(outcomeOf(this.#status));
    this.#cut();
  }

  onResponseEnd(): void {
    this.#settle(outcomeOf(this.#status));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#settled) this.#settle(error instanceof ConnectFailure ? error.problem : 'connect', messageOf(error));
  }

  #settle(outcome: DeliveryOutcome, detail?: string): void {
    this.#settled = true;
    this.#timer.cancel();
    this.#resolve({
      outcome,
      ...(this.#status !== undefined && { status: this.#status }),
      ...(this.#retryAfterMs !== undefined && { retryAfterMs: this.#retryAfterMs }),
      ...(!this.#controller && { unsent: true }),
      ...(detail !== undefined && { detail }),
    });
  }

  #cut(): void {
    this.#controller?.abort(new Error('cut off'));
  }
}

function headersOf(delivery: Delivery, body: Buffer, options: SenderOptions): string[] {
  const type = delivery.contentType ?? 'application/json';
  const headers = ['content-type', type, 'user-agent', options.userAgent];
  if (!delivery.unsigned) headers.push(...signatureOf(delivery, body, options));
  for (const [name, value] of Object.entries(delivery.headers ?? {})) headers.push(name, value);
  if (!delivery.signatureOnly) headers.push(delivery.secretHeader ?? SECRET_HEADER, delivery.secret);
  return headers;
}

const SECRET_HEADER = 'service-webhook-secret-token';

function signatureOf({ eventId, secret, previousSecret }: Delivery, body: Buffer, { clock }: SenderOptions): string[] {
  const timestamp = Math.floor(clock.now() / 1_000);
  const secrets = [secret, ...(previousSecret === undefined ? [] : [previousSecret])];
  const signatures = secrets.map((one) => signWebhook(signingKey(one), eventId, timestamp, body));
  const signed = ['webhook-id', eventId, 'webhook-timestamp', String(timestamp)];
  return [...signed, 'webhook-signature', signatures.join(' ')];
}

function outcomeOf(status: number | undefined): DeliveryOutcome {
  if (status === undefined || status >= 400) return 'refused';
  return status >= 300 ? 'redirect' : 'delivered';
}

/** Parses seconds or a date; undefined for anything else. */
function waitOf(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
