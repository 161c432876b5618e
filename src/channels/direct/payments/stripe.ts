import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Currency, Minor } from '../../../kernel/money.ts';
import { SIGNATURE_TOLERANCE_SECONDS, sameSecret } from '../../../kernel/signature.ts';
import type { ServiceAnswer, ServiceRequest } from '../../../outbound/callService.ts';

/** Sends requests to the outside, guarded as all of them are. */
export interface PaymentCaller {
  /** Address of the provider's API. */
  readonly stripeUrl: string;
  call(request: ServiceRequest): Promise<ServiceAnswer>;
}

/** The version of the API whose answers are read here. */
const VERSION = '2024-06-20';
/**
 * Currencies whose smallest unit at the provider is not that of ISO 4217, or that it takes in steps. None is charged
 * there, since a wrong unit is a wrong amount.
 */
const OTHER_UNITS: ReadonlySet<Currency> = new Set(['BHD', 'ISK', 'JOD', 'KWD', 'MGA', 'OMR', 'TND', 'UGX']);

/** Outcome of one request: what was answered, that it was refused, or that nobody knows if it arrived. */
export type Outcome<Value> =
  | { readonly is: 'done'; readonly value: Value }
  | { readonly is: 'refused'; readonly problem: string }
  | { readonly is: 'unknown'; readonly problem: string };

const session = z.object({
  id: z.string().min(1),
  status: z.enum(['open', 'complete', 'expired']),
  payment_status: z.string(),
  url: z.string().nullish(),
  payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
});
const intent = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.int(),
  amount_capturable: z.int().nullish(),
  amount_received: z.int().nullish(),
  currency: z.string(),
});
const refund = z.object({ id: z.string(), status: z.string().nullish(), failure_reason: z.string().nullish() });
const failure = z.object({ error: z.object({ message: z.string().optional(), code: z.string().optional() }) });
const notice = z.object({ type: z.string(), data: z.object({ object: z.object({ id: z.string() }) }) });

export type Session = z.output<typeof session>;
export type Intent = z.output<typeof intent>;
export type ProviderRefund = z.output<typeof refund>;

/** What a guest is asked to pay. */
export interface SessionOrder {
  readonly amount: Minor;
  readonly currency: Currency;
  /** What the guest reads on the page of the provider. */
  readonly name: string;
  readonly reference: string;
  readonly language: string;
  readonly email: string | null;
  readonly returnUrl: string;
  /** Seconds since the epoch; at least half an hour from now. */
  readonly expiresAt: number;
  /** true: the amount is reserved and not taken. */
  readonly isHold: boolean;
}

export function canCharge(currency: Currency): boolean {
  return !OTHER_UNITS.has(currency);
}

/** The requests to the provider, by one key. Amounts are in the smallest unit of the currency. */
export class Stripe {
  readonly #caller: PaymentCaller;
  readonly #key: string;

  constructor(caller: PaymentCaller, key: string) {
    this.#caller = caller;
    this.#key = key;
  }

  /** Opens a page on which a guest pays. The same key opens the same page. */
  openSession(order: SessionOrder, idempotencyKey: string): Promise<Outcome<Session>> {
    const fields: Record<string, string> = {
      mode: 'payment',
      'payment_method_types[0]': 'card',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': order.currency.toLowerCase(),
      'line_items[0][price_data][unit_amount]': String(order.amount),
      'line_items[0][price_data][product_data][name]': order.name,
      client_reference_id: order.reference,
      'metadata[reservation_code]': order.reference,
      'payment_intent_data[description]': order.name,
      'payment_intent_data[metadata][reservation_code]': order.reference,
      success_url: order.returnUrl,
      cancel_url: order.returnUrl,
      expires_at: String(order.expiresAt),
      locale: order.language,
      ...(order.email !== null && { customer_email: order.email }),
      ...(order.isHold && { 'payment_intent_data[capture_method]': 'manual' }),
    };
    return this.#post('/v1/checkout/sessions', fields, idempotencyKey, session);
  }

  readSession(id: string): Promise<Outcome<Session>> {
    return this.#get(`/v1/checkout/sessions/${encodeURIComponent(id)}`, session);
  }

  /** Ends a page, so that nobody pays there any more. It is refused for one that was paid. */
  expireSession(id: string): Promise<Outcome<Session>> {
    return this.#post(`/v1/checkout/sessions/${encodeURIComponent(id)}/expire`, {}, `stayd-end-${id}`, session);
  }

  readIntent(id: string): Promise<Outcome<Intent>> {
    return this.#get(`/v1/payment_intents/${encodeURIComponent(id)}`, intent);
  }

  /** Takes a part of what is reserved; the rest is released by it. */
  capture(id: string, amount: Minor): Promise<Outcome<Intent>> {
    const path = `/v1/payment_intents/${encodeURIComponent(id)}/capture`;
    return this.#post(path, { amount_to_capture: String(amount) }, `stayd-capture-${id}`, intent);
  }

  /** Lets go what is reserved. */
  release(id: string): Promise<Outcome<Intent>> {
    return this.#post(`/v1/payment_intents/${encodeURIComponent(id)}/cancel`, {}, `stayd-release-${id}`, intent);
  }

  /** Gives back a part of a payment. The same key gives it back once. */
  refund(intentId: string, amount: Minor, idempotencyKey: string): Promise<Outcome<ProviderRefund>> {
    return this.#post('/v1/refunds', { payment_intent: intentId, amount: String(amount) }, idempotencyKey, refund);
  }

  #get<Schema extends z.ZodType>(path: string, schema: Schema): Promise<Outcome<z.output<Schema>>> {
    return this.#send({ method: 'GET', url: this.#caller.stripeUrl + path }, schema);
  }

  #post<Schema extends z.ZodType>(
    path: string,
    fields: Readonly<Record<string, string>>,
    idempotencyKey: string,
    schema: Schema,
  ): Promise<Outcome<z.output<Schema>>> {
    return this.#send(
      {
        method: 'POST',
        url: this.#caller.stripeUrl + path,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': idempotencyKey },
        body: new URLSearchParams(fields).toString(),
      },
      schema,
    );
  }

  async #send<Schema extends z.ZodType>(request: ServiceRequest, schema: Schema): Promise<Outcome<z.output<Schema>>> {
    const headers = { authorization: `Bearer ${this.#key}`, 'stripe-version': VERSION, ...request.headers };
    const answer = await this.#caller.call({ ...request, headers });
    if ('problem' in answer) return { is: 'unknown', problem: answer.problem };
    const said = parsed(answer.text);
    if (answer.status >= 200 && answer.status < 300) {
      const read = schema.safeParse(said);
      return read.success
        ? { is: 'done', value: read.data }
        : { is: 'unknown', problem: 'it answers something that is not understood' };
    }
    const error = failure.safeParse(said).data?.error;
    const problem = `it answers ${answer.status}${error?.code === undefined ? '' : ` (${error.code})`}${error?.message === undefined ? '' : `: ${error.message}`}`;
    // Conflicts, limits and faults of theirs pass; a wrong key may be put right.
    const passes = answer.status >= 500 || [401, 403, 409, 429].includes(answer.status);
    return { is: passes ? 'unknown' : 'refused', problem: problem.slice(0, LONGEST_PROBLEM) };
  }
}

const LONGEST_PROBLEM = 300;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Verifies what the provider tells: the signature over time and bytes, and that it is not older than five minutes.
 * @returns the kind and the number of the object, which is read again and not believed; undefined if it is not genuine
 */
export function readNotice(
  secret: string,
  { signature, body }: { signature: string; body: Buffer },
  nowMs: number,
): { type: string; objectId: string } | undefined {
  const parts = signature.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined]);
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) return undefined;
  if (Math.abs(nowMs / 1_000 - Number(time)) > SIGNATURE_TOLERANCE_SECONDS) return undefined;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
  const isGenuine = parts.some(([name, value]) => name === 'v1' && value !== undefined && sameSecret(value, expected));
  if (!isGenuine) return undefined;
  const read = notice.safeParse(parsed(body.toString('utf8')));
  return read.success ? { type: read.data.type, objectId: read.data.data.object.id } : undefined;
}

export function intentOf({ payment_intent: of }: Session): string | null {
  return typeof of === 'string' ? of : (of?.id ?? null);
}
