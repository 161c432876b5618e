import type { StaydEvent } from './generated/types.js';

/** The allowed difference between the time in a signature and now, in either direction. */
const TOLERANCE_SECONDS = 300;
const TIMESTAMP = /^[1-9]\d{0,11}$/;
const ENCODER = new TextEncoder();

/** Headers as Node, Fetch or a framework gives them. */
export type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookRequest {
  /** What the registration answered as `secret_token`; several while one is replaced. */
  secret: string | readonly string[];
  headers: GivenHeaders;
  /** The bytes as they came: a body that was parsed and written again has another signature. */
  body: string | Uint8Array;
  /** true: the secret in a header is not enough. Default: false. */
  requireSignature?: boolean;
  /** Seconds that a signature may be old. Default: 300. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: the clock. */
  now?: () => number;
}

/** The request does not come from the service, or is old, or is no event. Answer 401 and do nothing. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

/**
 * Returns the event of a request that the service has sent. A signature decides where there is one; otherwise the
 * secret in `service-webhook-secret-token`. The same event can come twice: remember its `event_id`.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook<Event = StaydEvent>(request: WebhookRequest): Promise<Event> {
  const { headers, requireSignature = false } = request;
  const body = typeof request.body === 'string' ? ENCODER.encode(request.body) : request.body;
  const secrets = [request.secret].flat().filter((secret) => secret !== '');
  if (secrets.length === 0) throw new WebhookVerificationError('no secret is set');
  const isSigned = headerOf(headers, 'webhook-signature') !== '';
  if (isSigned || requireSignature) await verifySignature(secrets, body, request);
  else await verifyToken(secrets, headerOf(headers, 'service-webhook-secret-token'));
  return eventIn(body, isSigned ? headerOf(headers, 'webhook-id') : undefined) as Event;
}

async function verifySignature(secrets: readonly string[], body: Uint8Array, request: WebhookRequest): Promise<void> {
  const { headers, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now } = request;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (id === '' || !TIMESTAMP.test(timestamp)) throw new WebhookVerificationError('not signed');
  if (Math.abs(Math.floor(now() / 1_000) - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('the signature is too old, or of the future');
  }
  const signed = joined(ENCODER.encode(`${id}.${timestamp}.`), body);
  const given = headerOf(headers, 'webhook-signature').split(' ');
  for (const secret of secrets) {
    const expected = `v1,${base64(await hmac(keyOf(secret), signed))}`;
    for (const one of given) if (await isSame(one, expected)) return;
  }
  throw new WebhookVerificationError('the signature is not of this secret and body');
}

async function verifyToken(secrets: readonly string[], given: string): Promise<void> {
  for (const secret of secrets) if (await isSame(given, secret)) return;
  throw new WebhookVerificationError('neither a signature nor the secret');
}

function eventIn(body: Uint8Array, id: string | undefined): unknown {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new WebhookVerificationError('the body is no JSON', { cause });
  }
  if (typeof event !== 'object' || event === null) throw new WebhookVerificationError('the body is no event');
  if (id !== undefined && 'event_id' in event && event.event_id !== id) {
    throw new WebhookVerificationError('event_id is not what was signed');
  }
  return event;
}

function headerOf(headers: GivenHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}

/** The bytes after `whsec_`, in base64; any other secret as it is. */
function keyOf(secret: string): Uint8Array {
  if (!secret.startsWith('whsec_')) return ENCODER.encode(secret);
  return Uint8Array.from(atob(secret.slice('whsec_'.length)), (letter) => letter.charCodeAt(0));
}

async function hmac(key: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const made = await crypto.subtle.importKey('raw', new Uint8Array(key), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', made, new Uint8Array(bytes)));
}

/** Compares digests under a random key, so that the time says nothing of the texts. */
async function isSame(given: string, expected: string): Promise<boolean> {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const [a, b] = await Promise.all([given, expected].map((text) => hmac(key, ENCODER.encode(text))));
  return a !== undefined && b !== undefined && a.every((byte, index) => byte === b[index]);
}

function joined(head: Uint8Array, rest: Uint8Array): Uint8Array {
  const all = new Uint8Array(head.length + rest.length);
  all.set(head);
  all.set(rest, head.length);
  return all;
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
