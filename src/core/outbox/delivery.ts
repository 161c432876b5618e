import { asDescribed, type Dialect } from '../../contract/dialect/dialect.ts';
import { type Timer, turn } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Sender } from '../../outbound/deliver.ts';
import type { Core } from '../context.ts';
import { type DeliveryFaults, NO_FAULTS } from './faults.ts';
import { fanOut } from './fanOut.ts';
import { Lane, LEASE_MS } from './lane.ts';
import { type DueDelivery, dropLeases, webhooksWithDue } from './table.ts';

/** How often the tables are looked at when nothing wakes the worker. */
const POLL_MS = 1_000;
/** A lane with less room than this takes nothing more; its deliveries wait in the table. */
const LEAST_ROOM = 100;

export interface DeliveryOptions {
  core: Core;
  /** How events are told; left out: as described. */
  dialect?: Dialect;
  log: Logger;
  faults?: DeliveryFaults;
  /** One process owns the database, so leases left by an earlier one mean nothing. */
  alone: boolean;
}

/**
 * The delivery worker: hands waiting events out to webhooks (the commit of the delivery rows is the
 * claim), sends each once, and writes its named outcome. An outcome is final; a delivery that a crash cut
 * off has none and is sent at the next start under the same event_id.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #lanes = new Map<number, Lane>();
  readonly #outcomes = new Map<string, number>();
  #faults: DeliveryFaults;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #timer: Timer | undefined;
  #sender: Sender | undefined;
  #lastLook = Number.NEGATIVE_INFINITY;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#faults = options.faults ?? NO_FAULTS;
  }

  get faults(): DeliveryFaults {
    return this.#faults;
  }

  set faults(faults: DeliveryFaults) {
    this.#faults = faults;
  }

  /** Deliveries by outcome since the start. */
  get outcomes(): ReadonlyMap<string, number> {
    return this.#outcomes;
  }

  /** True while this process holds deliveries that have no outcome yet. */
  get busy(): boolean {
    return this.#running !== undefined || [...this.#lanes.values()].some((lane) => lane.busy);
  }

  /** Begins to send, by this sender; it must stay open until `stop` has resolved. */
  async start(sender: Sender): Promise<void> {
    this.#sender = sender;
    if (this.#options.alone) await dropLeases(this.#options.core.store.db);
    this.wake();
  }

  /** Looks for waiting events now; cheap to call often. */
  wake(): void {
    if (this.#stopped || !this.#sender) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Takes nothing new; resolves when what was under way has its outcome. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  async #run(): Promise<void> {
    const { log, core } = this.#options;
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        await this.#findAbandoned();
        await this.#handOut();
      }
    } catch (error) {
      log.error({ err: error }, 'handing out events failed; trying again shortly');
    }
    this.#running = undefined;
    this.#timer?.cancel();
    if (!this.#stopped) this.#timer = core.clock.setTimer(POLL_MS, () => this.wake());
  }

  async #handOut(): Promise<void> {
    const { core } = this.#options;
    for (let more = true; more && !this.#stopped;) {
      const full = new Set([...this.#lanes].filter(([, lane]) => lane.room < LEAST_ROOM).map(([id]) => id));
      // With every lane full the events may as well wait in the outbox, which costs nothing.
      if (full.size > 0 && full.size === this.#lanes.size) return;
      const result = await fanOut(core, core.clock.now() + LEASE_MS, (id) => full.has(id));
      this.#assign(result.due, full);
      more = result.more;
      await turn();
    }
  }

  #assign(due: readonly DueDelivery[], full: ReadonlySet<number>): void {
    const byWebhook = new Map<number, DueDelivery[]>();
    for (const delivery of due) {
      const others = byWebhook.get(delivery.webhook_id);
      if (others) others.push(delivery);
      else byWebhook.set(delivery.webhook_id, [delivery]);
    }
    for (const [webhookId, deliveries] of byWebhook) {
      if (full.has(webhookId)) this.#lane(webhookId).spill();
      else this.#lane(webhookId).push(deliveries);
    }
  }

  /** Finds deliveries whose sender is gone; not needed more than once a lease. */
  async #findAbandoned(): Promise<void> {
    const { clock, store } = this.#options.core;
    if (clock.monotonic() - this.#lastLook < LEASE_MS) return;
    this.#lastLook = clock.monotonic();
    for (const { webhook_id } of await webhooksWithDue(store.db, clock.now())) this.#lane(webhook_id).spill();
  }

  #lane(webhookId: number): Lane {
    let lane = this.#lanes.get(webhookId);
    if (!lane) {
      const { core, log, dialect = asDescribed } = this.#options;
      const sender = this.#sender;
      if (!sender) throw new Error('delivery has not started');
      lane = new Lane(webhookId, {
        core,
        dialect,
        sender,
        log,
        faults: () => this.#faults,
        onOutcome: (outcome) => {
          this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
          this.wake();
        },
      });
      this.#lanes.set(webhookId, lane);
    }
    return lane;
  }
}
