import { asDescribed, type Dialect } from '../../contract/dialect/dialect.ts';
import { turn } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';
import type { Sender } from '../../outbound/deliver.ts';
import type { Core } from '../context.ts';
import { type DeliveryFaults, NO_FAULTS } from './faults.ts';
import { fanOut } from './fanOut.ts';
import { Lane, LEASE_MS, type OwnDoor } from './lane.ts';
import { type DueDelivery, dropLeases, webhooksWithDue } from './table.ts';

/** Milliseconds between two polls of the tables when no signal wakes the worker. */
const POLL_MS = 1_000;
/** Room below which a lane takes no more deliveries. They wait in the table. */
const LEAST_ROOM = 100;

interface DeliveryOptions {
  core: Core;
  /** Dialect of the events; left out: as described. */
  dialect?: Dialect;
  log: Logger;
  faults?: DeliveryFaults;
  /** true: one process owns the database, so leases of an earlier process mean nothing. */
  alone: boolean;
}

/**
 * The delivery worker. It assigns waiting events to webhooks (the commit of the delivery rows is the claim), sends each
 * delivery once, and stores its outcome. An outcome is final. A delivery that a crash cut off has none and is sent at
 * the next start with the same event_id.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #lanes = new Map<number, Lane>();
  readonly #outcomes = new Map<string, number>();
  #faults: DeliveryFaults;
  readonly #worker: Worker;
  #sender: Sender | undefined;
  #ownDoor: OwnDoor = (url) => url;
  #lastLook = Number.NEGATIVE_INFINITY;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#faults = options.faults ?? NO_FAULTS;
    const { core, log, alone } = options;
    this.#worker = new Worker({
      clock: core.clock,
      log,
      name: 'handing out events',
      everyMs: POLL_MS,
      prepare: async () => {
        if (alone) await dropLeases(core.store.db);
      },
      round: async (signal) => {
        await this.#findAbandoned();
        await this.#handOut(signal);
      },
    });
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

  /** True while this process holds deliveries without an outcome. */
  get busy(): boolean {
    return this.#worker.busy || [...this.#lanes.values()].some((lane) => lane.busy);
  }

  /** Starts to send with this sender, which must stay open until `stop` has resolved. */
  async start(sender: Sender, ownDoor: OwnDoor = (url) => url): Promise<void> {
    this.#sender = sender;
    this.#ownDoor = ownDoor;
    await this.#worker.start();
  }

  /** Looks for waiting events now. Cheap to call often. */
  wake(): void {
    this.#worker.wake();
  }

  /** Takes nothing new. Resolves when every delivery in progress has its outcome. */
  async stop(): Promise<void> {
    await this.#worker.stop();
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  async #handOut(signal: AbortSignal): Promise<void> {
    const { core } = this.#options;
    for (let more = true; more && !signal.aborted;) {
      const full = new Set([...this.#lanes].filter(([, lane]) => lane.room < LEAST_ROOM).map(([id]) => id));
      // When every lane is full, events can wait in the outbox at no cost.
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

  /** Finds deliveries whose sender is gone, at most once a lease. */
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
        ownDoor: this.#ownDoor,
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
