import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A checkout page at the fake provider. */
interface FakeSession {
  id: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  amount_total: number;
  currency: string;
  payment_intent: string | null;
  expires_at: number;
  isHold: boolean;
  fields: Record<string, string>;
}

interface FakeIntent {
  id: string;
  status: 'requires_capture' | 'succeeded' | 'canceled';
  amount: number;
  currency: string;
  received: number;
  refunded: number;
}

/** What the provider does instead of its work, once or until told otherwise. */
export type Trouble = 'cut_before' | 'cut_after' | 'fault' | 'limit';

/**
 * A payment provider that a test plays, written from the public description of Stripe's API: form-encoded requests with
 * a bearer key, JSON answers, idempotency keys that repeat the first answer and refuse other parameters, checkout
 * sessions, payment intents with manual capture, refunds, and signed webhooks.
 */
export class FakeStripe {
  readonly key = 'sk_test_FakeFakeFakeFake';
  readonly webhookSecret = 'whsec_FakeFakeFakeFake';
  readonly sessions = new Map<string, FakeSession>();
  readonly intents = new Map<string, FakeIntent>();
  readonly refunds: { id: string; payment_intent: string; amount: number; key: string }[] = [];
  /** Method and path of every request that arrived. */
  readonly asked: string[] = [];
  /** What it thinks the time is, in seconds. */
  now: () => number = () => Math.floor(Date.now() / 1_000);
  /** How refunds end. */
  refundStatus: 'succeeded' | 'failed' = 'succeeded';
  readonly #answers = new Map<string, { request: string; status: number; body: string }>();
  readonly #server: Server;
  #troubles: { path: RegExp; trouble: Trouble; times: number }[] = [];

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async start(): Promise<FakeStripe> {
    const fake = new FakeStripe();
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    return fake;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.address}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Plays a trouble for the next requests to a path. */
  troubles(path: RegExp, trouble: Trouble, times = 1): void {
    this.#troubles.push({ path, trouble, times });
  }

  /** A guest types their card in. @param more another amount or currency than was asked for */
  pay(sessionId: string, more: { amount?: number; currency?: string } = {}): void {
    const session = this.#session(sessionId);
    if (session.status !== 'open') throw new Error(`the page is ${session.status}`);
    const amount = more.amount ?? session.amount_total;
    const currency = more.currency ?? session.currency;
    const intent: FakeIntent = {
      id: `pi_${randomUUID().replaceAll('-', '')}`,
      status: session.isHold ? 'requires_capture' : 'succeeded',
      amount,
      currency,
      received: session.isHold ? 0 : amount,
      refunded: 0,
    };
    this.intents.set(intent.id, intent);
    Object.assign(session, {
      status: 'complete',
      payment_status: session.isHold ? 'unpaid' : 'paid',
      payment_intent: intent.id,
      amount_total: amount,
      currency,
    });
  }

  /** The body and the headers of a notice about an object, signed now or at another time. */
  notice(objectId: string, { type = 'checkout.session.completed', at = this.now(), secret = this.webhookSecret } = {}) {
    const body = JSON.stringify({
      id: `evt_${randomUUID()}`,
      object: 'event',
      type,
      data: { object: { id: objectId } },
    });
    const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    return { body, headers: { 'stripe-signature': `t=${at},v1=${v1}`, 'content-type': 'application/json' } };
  }

  /** Keys are forgotten after a day or more. */
  forgetKeys(): void {
    this.#answers.clear();
  }

  #session(id: string): FakeSession {
    const session = this.sessions.get(id);
    if (!session) throw new Error(`there is no page ${id}`);
    if (session.status === 'open' && session.expires_at <= this.now()) session.status = 'expired';
    return session;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const path = request.url ?? '';
    this.asked.push(`${request.method ?? ''} ${path}`);
    const trouble = this.#troubles.find((one) => one.path.test(path) && one.times > 0);
    if (trouble) trouble.times -= 1;
    if (trouble?.trouble === 'cut_before') return void request.socket.destroy();
    if (trouble?.trouble === 'fault') return say(response, 500, failure('api_error', 'An error occurred'));
    if (trouble?.trouble === 'limit') return say(response, 429, failure('rate_limit', 'Too many requests'));
    const { status, text } = this.#answer(request, path, body);
    if (trouble?.trouble === 'cut_after') return void request.socket.destroy();
    return say(response, status, text);
  }

  #answer(request: IncomingMessage, path: string, body: string): { status: number; text: string } {
    if (request.headers.authorization !== `Bearer ${this.key}`)
      return { status: 401, text: failure('invalid_request_error', 'Invalid API Key provided') };
    const fields = Object.fromEntries(new URLSearchParams(body));
    const idempotencyKey = request.headers['idempotency-key'];
    const same = typeof idempotencyKey === 'string' ? this.#answers.get(idempotencyKey) : undefined;
    if (same)
      return same.request === `${path} ${body}`
        ? { status: same.status, text: same.body }
        : {
            status: 400,
            text: failure(
              'idempotency_error',
              'Keys for idempotent requests can only be used with the same parameters',
            ),
          };
    const made = this.#act(request.method ?? '', path, fields, String(idempotencyKey));
    const answer = { status: made.status, text: JSON.stringify(made.body) };
    if (typeof idempotencyKey === 'string' && made.status < 500)
      this.#answers.set(idempotencyKey, { request: `${path} ${body}`, status: answer.status, body: answer.text });
    return answer;
  }

  #act(method: string, path: string, fields: Record<string, string>, key: string): { status: number; body: object } {
    const refused = (message: string, code?: string) => ({
      status: 400,
      body: { error: { type: 'invalid_request_error', message, ...(code !== undefined && { code }) } },
    });
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      const expires = Number(fields['expires_at']);
      if (expires < this.now() + 1_800 || expires > this.now() + 86_400)
        return refused(
          'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
        );
      const id = `cs_test_${randomUUID().replaceAll('-', '')}`;
      const session: FakeSession = {
        id,
        status: 'open',
        payment_status: 'unpaid',
        amount_total: Number(fields['line_items[0][price_data][unit_amount]']),
        currency: String(fields['line_items[0][price_data][currency]']),
        payment_intent: null,
        expires_at: expires,
        isHold: fields['payment_intent_data[capture_method]'] === 'manual',
        fields,
      };
      if (!Number.isSafeInteger(session.amount_total) || session.amount_total <= 0) return refused('Invalid integer');
      this.sessions.set(id, session);
      return { status: 200, body: this.#shown(session) };
    }
    const ofSession = /^\/v1\/checkout\/sessions\/(cs_\w+)(\/expire)?$/.exec(path);
    if (ofSession) {
      const id = ofSession[1] ?? '';
      if (!this.sessions.has(id))
        return { status: 404, body: { error: { message: 'No such checkout.session', code: 'resource_missing' } } };
      const session = this.#session(id);
      if (ofSession[2] === undefined) return { status: 200, body: this.#shown(session) };
      if (session.status !== 'open') return refused(`Only Checkout Sessions with a status in ["open"] can be expired.`);
      session.status = 'expired';
      return { status: 200, body: this.#shown(session) };
    }
    const ofIntent = /^\/v1\/payment_intents\/(pi_\w+)(\/capture|\/cancel)?$/.exec(path);
    const intent = ofIntent && this.intents.get(ofIntent[1] ?? '');
    if (ofIntent && intent) {
      if (ofIntent[2] === undefined) return { status: 200, body: shownIntent(intent) };
      if (intent.status !== 'requires_capture')
        return refused(`This PaymentIntent could not be changed because it has a status of ${intent.status}`);
      if (ofIntent[2] === '/cancel') intent.status = 'canceled';
      else Object.assign(intent, { status: 'succeeded', received: Number(fields['amount_to_capture']) });
      return { status: 200, body: shownIntent(intent) };
    }
    if (method === 'POST' && path === '/v1/refunds') {
      const of = this.intents.get(fields['payment_intent'] ?? '');
      const amount = Number(fields['amount']);
      if (!of) return refused('No such payment_intent', 'resource_missing');
      if (amount > of.received - of.refunded)
        return refused('Refund amount is greater than unrefunded amount on charge', 'charge_already_refunded');
      if (this.refundStatus === 'succeeded') of.refunded += amount;
      const id = `re_${randomUUID().replaceAll('-', '')}`;
      this.refunds.push({ id, payment_intent: of.id, amount, key });
      return {
        status: 200,
        body: { id, object: 'refund', amount, currency: of.currency, payment_intent: of.id, status: this.refundStatus },
      };
    }
    return { status: 404, body: { error: { message: 'Unrecognized request URL' } } };
  }

  #shown({ fields, isHold: _, ...session }: FakeSession): object {
    return {
      ...session,
      object: 'checkout.session',
      client_reference_id: fields['client_reference_id'],
      url: session.status === 'open' ? `https://checkout.stripe.example/c/pay/${session.id}` : null,
    };
  }
}

function shownIntent({ received, refunded: _, ...intent }: FakeIntent): object {
  const capturable = intent.status === 'requires_capture' ? intent.amount : 0;
  return { ...intent, object: 'payment_intent', amount_capturable: capturable, amount_received: received };
}

function failure(type: string, message: string): string {
  return JSON.stringify({ error: { type, message } });
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
