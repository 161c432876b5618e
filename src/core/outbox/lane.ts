import type { Dialect } from '../../contract/dialect/dialect.ts';
import { sleep, turn } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { aboutEvent, noTracer } from '../../kernel/tracing/tracer.ts';
import { deliverWebhook, type Sender } from '../../outbound/deliver.ts';
import type { Core } from '../context.ts';
import { deliveryTarget } from '../webhooks/targets.ts';
import { type DeliveryFaults, fateOf, HeldBack } from './faults.ts';
import {
  bodiesOf,
  type DueDelivery,
  dueDeliveries,
  type FinishedDelivery,
  finishDeliveries,
  leaseDeliveries,
} from './table.ts';

/** Deliveries to one webhook in progress at once. */
const AT_ONCE = 32;
/** Deliveries in memory per webhook. Further ones stay in the table. */
const LANE_CAPACITY = 400;
/** Outcomes written together, and the most iterations of the event loop that they wait for each other. */
const GATHERED = 100;
const GATHER_TURNS = 20;
/** Milliseconds after which another process may claim a delivery without an outcome. */
export const LEASE_MS = 30_000;
/** Milliseconds before a retry after a database error. */
const RETRY_MS = 1_000;

/**
 * Returns where an event for the daemon beside the core is sent: its registered address, or its place in this process if the
 * registered one is that of another process on the same database.
 */
export type OwnDoor = (url: string) => string;

interface LaneOptions {
  core: Core;
  dialect: Dialect;
  sender: Sender;
  ownDoor: OwnDoor;
  log: Logger;
  faults: () => DeliveryFaults;
  /** Called with each outcome, for counts. */
  onOutcome: (outcome: string) => void;
}

/** Sends the deliveries of one webhook, so that a slow receiver delays no other. */
export class Lane {
  readonly #webhookId: number;
  readonly #options: LaneOptions;
  readonly #heldBack: HeldBack;
  #stopped = false;
  #queue: DueDelivery[] = [];
  #finished: FinishedDelivery[] = [];
  #spilled = false;
  #underWay = 0;
  #writing: Promise<void> | undefined;
  #claiming: Promise<void> | undefined;

  constructor(webhookId: number, options: LaneOptions) {
    this.#webhookId = webhookId;
    this.#options = options;
    this.#heldBack = new HeldBack(options.core.clock);
  }

  /** Number of further deliveries that fit in memory. */
  get room(): number {
    return LANE_CAPACITY - this.#queue.length;
  }

  get busy(): boolean {
    return this.#underWay > 0 || this.#queue.length > 0 || this.#spilled || this.#writing !== undefined;
  }

  /** Takes deliveries that are leased to this process. */
  push(due: readonly DueDelivery[]): void {
    this.#queue.push(...due);
    this.#pump();
  }

  /** Reports that further deliveries of this webhook wait in the table. */
  spill(): void {
    this.#spilled = true;
    this.#pump();
  }

  /** Sends nothing new. Resolves when every delivery in progress has a stored outcome. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#heldBack.release();
    this.#queue = [];
    this.#spilled = false;
    await this.#claiming;
    while (this.#underWay > 0 || this.#writing) await (this.#writing ?? turn());
  }

  #pump(): void {
    if (this.#stopped) return;
    while (this.#underWay < AT_ONCE && this.#queue.length > 0) {
      const next = this.#queue.shift();
      if (next) void this.#send(next);
    }
    if (this.#queue.length === 0 && this.#spilled && !this.#claiming) {
      this.#claiming = this.#claim().finally(() => {
        this.#claiming = undefined;
        this.#pump();
      });
    }
  }

  async #claim(): Promise<void> {
    const { core, log } = this.#options;
    const now = core.clock.now();
    try {
      const claimed = await core.store.transaction(async (trx) => {
        const rows = await dueDeliveries(trx, { webhookId: this.#webhookId, now, limit: LANE_CAPACITY });
        const eventIds = rows.map((row) => row.event_id);
        if (rows.length > 0)
          await leaseDeliveries(trx, { webhookId: this.#webhookId, eventIds, until: now + LEASE_MS });
        return rows;
      });
      const accountId = claimed[0]?.account_id;
      if (accountId === undefined) {
        this.#spilled = false;
        return;
      }
      const bodies = await bodiesOf(core.store.db, { accountId, eventIds: claimed.map((row) => row.event_id) });
      const byId = new Map(bodies.map((row) => [row.event_id, row.body]));
      this.#queue.push(...claimed.map((row) => ({ ...row, body: byId.get(row.event_id) ?? '' })));
    } catch (error) {
      log.error({ err: error, webhook: this.#webhookId }, 'claiming deliveries failed');
      this.#spilled = false;
    }
  }

  async #send(due: DueDelivery, tries = 1): Promise<void> {
    this.#underWay += 1;
    const { core, log } = this.#options;
    try {
      await this.#deliverAsFated(due);
    } catch (error) {
      log.error({ webhook: this.#webhookId, problem: messageOf(error) }, 'a delivery was cut off');
      // A delivery without an outcome is ours until its lease is over; then any process may claim it.
      const again = () => (this.#stopped ? undefined : void this.#send(due, tries + 1));
      if (tries * RETRY_MS < LEASE_MS) core.clock.setTimer(RETRY_MS, again);
    }
    this.#underWay -= 1;
    this.#pump();
    if (this.#finished.length > 0) this.#writing ??= this.#write();
  }

  async #deliverAsFated(due: DueDelivery): Promise<void> {
    const { core, faults } = this.#options;
    const fate = fateOf(faults(), core.random);
    await this.#heldBack.wait(fate);
    const { account_id, event_id, webhook_id } = due;
    let result: { outcome: string; status?: number } = { outcome: 'dropped' };
    for (let i = 0; i < fate.times; i += 1) result = await this.#deliver(due);
    this.#finished.push({
      account_id,
      event_id,
      webhook_id,
      outcome: result.outcome,
      http_status: result.status ?? null,
    });
    this.#options.onOutcome(result.outcome);
  }

  async #deliver(due: DueDelivery): Promise<{ outcome: string; status?: number }> {
    // Read for each delivery, since the URL may have changed or the webhook may be gone.
    const target = await deliveryTarget(this.#options.core, this.#webhookId, due.event_id);
    if (!target) return { outcome: 'unregistered' };
    const { sender, dialect, ownDoor } = this.#options;
    const { webhook_secret_header: secretHeader, webhook_authentication: proof } = dialect.profile;
    const unsigned = proof === 'token' && !target.signatureOnly;
    const body = saidIn(dialect, due.body);
    const { isDaemons, ...to } = target;
    const url = isDaemons ? ownDoor(to.url) : to.url;
    const { tracer = noTracer } = this.#options.core;
    const parent = tracer.remembered(aboutEvent(due.event_id)) ?? null;
    return tracer.run('deliver webhook', { kind: 'producer', parent }, async (span) => {
      const headers = span.traceparent === undefined ? {} : { traceparent: span.traceparent };
      const delivery = { ...to, url, secretHeader, unsigned, eventId: due.event_id, body, headers };
      const result = await deliverWebhook(sender, delivery);
      span.set({
        'http.request.method': 'POST',
        'stayd.outcome': result.outcome,
        ...(result.status !== undefined && { 'http.response.status_code': result.status }),
      });
      if (result.outcome !== 'delivered') span.fail(result.outcome);
      return result;
    });
  }

  /**
   * Gathers outcomes for a moment, since each transaction costs a write to the disk. A crash that loses an outcome
   * causes a second delivery with the same event_id, which every receiver must tolerate anyway.
   */
  async #write(): Promise<void> {
    const { core, log } = this.#options;
    for (let turns = 0; turns < GATHER_TURNS; turns += 1) {
      await turn();
      if (this.#finished.length >= GATHERED || this.#underWay === 0) break;
    }
    const batch = this.#finished;
    this.#finished = [];
    try {
      await core.store.transaction((trx) => finishDeliveries(trx, batch, instantOf(core.clock.now())));
    } catch (error) {
      log.error({ err: error, webhook: this.#webhookId }, 'writing delivery outcomes failed; trying again shortly');
      if (!this.#stopped) {
        this.#finished.unshift(...batch);
        await sleep(core.clock, RETRY_MS);
      }
    }
    this.#writing = this.#finished.length > 0 ? this.#write() : undefined;
  }
}

/** Returns a payload in the words of the dialect. */
function saidIn({ event: say }: Dialect, body: string): string {
  if (!say) return body;
  const payload = JSON.parse(body) as Record<string, unknown>;
  say(payload);
  return JSON.stringify(payload);
}
