import { instantOf, msOf } from '../kernel/dates.ts';
import { messageOf } from '../kernel/errors.ts';
import { noTracer } from '../kernel/tracing/tracer.ts';
import { mayGo, next } from '../kernel/transitions.ts';
import { endpointLife } from './states.ts';
import { type DeliveryResult, deliverWebhook } from '../outbound/deliver.ts';
import { type EndpointMessagesTable, type EndpointsTable, endpointUrlContext } from './tables.ts';
import { secretContext, type EndpointsContext } from './context.ts';
import { payloadOf } from './payload.ts';
import { pauseAfter } from './schedule.ts';
import { addAttempt, changeEndpoint, claimDue, endMessage, endpointById, lockEndpoint, nextDue } from './table.ts';

/** Most simultaneous requests to one endpoint. */
const AT_ONCE = 8;
/** Milliseconds of a claim: longer than any request. An older claim belongs to an ended process. */
const LEASE_MS = 120_000;
/** Milliseconds of failure without any success after which an endpoint is disabled. */
const GIVE_UP_MS = 5 * 24 * 60 * 60_000;
const GONE = 410;

/** Sends the messages of one endpoint, so a slow endpoint delays no other. */
export class Lane {
  readonly #context: EndpointsContext;
  readonly #endpointId: string;
  readonly #underWay = new Set<Promise<void>>();
  /** Called when a request has ended. */
  readonly #onRoom: () => void;
  #looking: Promise<void> | undefined;

  constructor(context: EndpointsContext, endpointId: string, onRoom: () => void) {
    this.#context = context;
    this.#endpointId = endpointId;
    this.#onRoom = onRoom;
  }

  /** Sends due messages as far as there is room. Resolves when they are on their way. */
  async pump(): Promise<void> {
    this.#looking ??= this.#claim().finally(() => (this.#looking = undefined));
    await this.#looking;
  }

  /** Returns the epoch milliseconds of the next due message; undefined if none waits, or if there is no room. */
  async nextAt(): Promise<number | undefined> {
    if (this.#underWay.size >= AT_ONCE) return undefined;
    const { store, connection } = this.#context;
    const next = await nextDue(store.db, connection, this.#endpointId);
    return next === undefined ? undefined : msOf(next);
  }

  get busy(): boolean {
    return this.#underWay.size > 0;
  }

  /** Resolves when no request is on its way. */
  async stop(): Promise<void> {
    await this.#looking;
    await Promise.all(this.#underWay);
  }

  async #claim(): Promise<void> {
    const { store, connection, clock } = this.#context;
    const limit = AT_ONCE - this.#underWay.size;
    if (limit <= 0) return;
    const now = clock.now();
    const due = {
      connection,
      endpointId: this.#endpointId,
      now: instantOf(now),
      until: instantOf(now + LEASE_MS),
      limit,
    };
    const messages = await store.transaction((trx) => claimDue(trx, due));
    for (const message of messages) {
      const sending = this.#send(message)
        .catch((error: unknown) => {
          // Its claim expires, and the message is sent again then.
          this.#context.log.error(
            { connection, message: message.message_id, problem: messageOf(error) },
            'context an endpoint failed',
          );
        })
        .finally(() => {
          this.#underWay.delete(sending);
          this.#onRoom();
        });
      this.#underWay.add(sending);
    }
  }

  async #send(message: EndpointMessagesTable): Promise<void> {
    const { store, connection, feed, clock, sealer, sender } = this.#context;
    // Read for each message, because the owner may have changed it meanwhile.
    const endpoint = await endpointById(store.db, connection, this.#endpointId);
    if (endpoint?.state !== 'active') return store.transaction((trx) => endMessage(trx, message, 'release'));
    const body = await payloadOf({ db: store.db, feed }, endpoint, message);
    if (body === null || body === undefined) {
      const ended_at = instantOf(clock.now());
      return store.transaction((trx) =>
        body === null
          ? endMessage(trx, message, 'skip', { ended_at })
          : endMessage(trx, message, 'give_up', { ended_at, outcome: 'no longer kept' }),
      );
    }
    const open = (sealed: string) => sealer.open(sealed, secretContext(connection, endpoint.endpoint_id));
    const { previous_secret: previous, previous_until: until } = endpoint;
    const at = clock.now();
    const begun = clock.monotonic();
    const delivery = {
      url: sealer.open(endpoint.url, endpointUrlContext(connection, endpoint.endpoint_id)),
      eventId: message.message_id,
      body,
      secret: open(endpoint.secret),
      ...(previous !== null && until !== null && at < msOf(until) && { previousSecret: open(previous) }),
      signatureOnly: true,
    };
    const { tracer = noTracer } = this.#context;
    const attributes = { 'stayd.connection': connection, 'http.request.method': 'POST' };
    const result = await tracer.run('deliver changes', { kind: 'producer', parent: null, attributes }, async (span) => {
      const headers = span.traceparent === undefined ? {} : { traceparent: span.traceparent };
      const said = await deliverWebhook(sender, { ...delivery, headers });
      span.set({ 'stayd.outcome': said.outcome });
      if (said.outcome !== 'delivered') span.fail(said.outcome);
      return said;
    });
    await this.#note(message, result, { at, ms: Math.round(clock.monotonic() - begun) });
  }

  /** Records the outcome, its consequences and the health of the endpoint in one transaction. */
  async #note(
    message: EndpointMessagesTable,
    result: DeliveryResult,
    { at, ms }: { at: number; ms: number },
  ): Promise<void> {
    const { store, connection, clock, random } = this.#context;
    const { outcome, status = null } = result;
    const now = clock.now();
    await store.transaction(async (trx) => {
      const endpoint = await lockEndpoint(trx, connection, this.#endpointId);
      if (!endpoint) return;
      const last = { outcome, http_status: status };
      await addAttempt(trx, { connection, message_id: message.message_id, at: instantOf(at), ms, ...last });
      const attempts = message.attempts + 1;
      if (outcome === 'delivered') {
        await endMessage(trx, message, 'deliver', { ...last, attempts, ended_at: instantOf(now) });
        await changeEndpoint(trx, endpoint, { succeeded_at: instantOf(now), failing_since: null });
        return;
      }
      const pause = pauseAfter(attempts, result.retryAfterMs, random.fraction());
      if (pause === undefined)
        await endMessage(trx, message, 'give_up', { ...last, attempts, ended_at: instantOf(now) });
      else await endMessage(trx, message, 'retry', { ...last, attempts, next_at: instantOf(now + pause) });
      await changeEndpoint(trx, endpoint, failed(endpoint, status, now));
    });
  }
}

/** Returns the changes of an endpoint after a failure. */
function failed(endpoint: EndpointsTable, status: number | null, now: number): Partial<EndpointsTable> {
  const failing_since = endpoint.failing_since ?? instantOf(now);
  const isGivenUp = now - msOf(failing_since) >= GIVE_UP_MS;
  if (!mayGo(endpointLife, endpoint.state, 'give_up') || (status !== GONE && !isGivenUp)) return { failing_since };
  const reason = status === GONE ? 'it answered 410: gone' : `it has failed since ${failing_since}`;
  return { failing_since, state: next(endpointLife, endpoint.state, 'give_up'), reason, state_at: instantOf(now) };
}
