import type { Random } from '../../src/kernel/random.ts';

type Dice = Pick<Random, 'fraction'>;

/** A station of a simulated service: jobs wait in the order of their arrival for the next server that is free. */
export class Station {
  /** When each server is free, in seconds; a heap, the soonest first. */
  readonly #freeAt: number[];

  /** @param servers how many jobs it does at once */
  constructor(servers: number) {
    this.#freeAt = Array.from({ length: servers }, () => 0);
  }

  /** Does a job that arrives at this moment and takes so long, in seconds. Jobs come in order. @returns when it is done */
  serve(arrives: number, takes: number): number {
    const done = Math.max(arrives, this.#freeAt[0] ?? 0) + takes;
    this.#freeAt[0] = done;
    this.#sink();
    return done;
  }

  #sink(): void {
    const heap = this.#freeAt;
    let at = 0;
    for (;;) {
      const children = [2 * at + 1, 2 * at + 2].filter((child) => child < heap.length);
      const least = children.toSorted((a, b) => valueAt(heap, a) - valueAt(heap, b))[0];
      if (least === undefined || valueAt(heap, least) >= valueAt(heap, at)) return;
      [heap[at], heap[least]] = [valueAt(heap, least), valueAt(heap, at)];
      at = least;
    }
  }
}

function valueAt(heap: readonly number[], index: number): number {
  return heap[index] ?? Number.POSITIVE_INFINITY;
}

/** Draws a time with this mean, in the same unit, as between events that know nothing of each other. */
export function exponential(random: Dice, mean: number): number {
  return -Math.log(1 - random.fraction()) * mean;
}

/** What one event costs: seconds of the processor, or of waiting for the other side. */
export interface Costs {
  /** Of a process, to verify and store it. */
  readonly acknowledge: number;
  /** Of the database, for the same. */
  readonly store: number;
  /** Of a process, to read what the event names and to apply it. */
  readonly apply: number;
  /** Of the database, for the same. */
  readonly write: number;
  /** Until the source has answered; nobody works meanwhile. */
  readonly answer: number;
}

/** A service that is simulated. */
export interface Size {
  /** Events in a second, evenly over the time. */
  readonly rate: number;
  /** Events that arrive at once when the time begins. */
  readonly burst: number;
  readonly seconds: number;
  /** Cores of processes that receive, of processes that read and apply, and of the databases. */
  readonly receivers: number;
  readonly workers: number;
  readonly databaseCores: number;
}

/** What became of the events; all in seconds. */
export interface Outcome {
  readonly acknowledged: { readonly p50: number; readonly p99: number; readonly most: number };
  /** From its arrival to the row in the mirror. */
  readonly stale: { readonly p50: number; readonly p99: number; readonly most: number };
  /** Most events that were acknowledged and not yet applied. */
  readonly backlog: number;
  /** When the last event of the burst was applied. */
  readonly burstOver: number;
}

/** Sends events through receiving, storing, reading and applying. Each station works through them in their order. */
export function simulate({ rate, burst, seconds, ...size }: Size, costs: Costs, random: Dice): Outcome {
  const stations = {
    receivers: new Station(size.receivers),
    database: new Station(size.databaseCores),
    workers: new Station(size.workers),
  };
  const arrivals = Array.from({ length: burst }, () => 0);
  for (let at = exponential(random, 1 / rate); at < seconds; at += exponential(random, 1 / rate)) arrivals.push(at);
  const stored = arrivals.map((arrival) =>
    stations.database.serve(
      stations.receivers.serve(arrival, exponential(random, costs.acknowledge)),
      exponential(random, costs.store),
    ),
  );
  const asked = stored.toSorted((a, b) => a - b).map((at) => at + exponential(random, costs.answer));
  // A station of its own: the database writes what is applied beside what is received.
  const writing = new Station(size.databaseCores);
  const applied = asked
    .toSorted((a, b) => a - b)
    .map((at) =>
      writing.serve(stations.workers.serve(at, exponential(random, costs.apply)), exponential(random, costs.write)),
    )
    .toSorted((a, b) => a - b);
  const order = stored.toSorted((a, b) => a - b);
  return {
    acknowledged: spread(stored.map((at, index) => at - (arrivals[index] ?? 0))),
    stale: spread(applied.map((at, index) => at - (arrivals[index] ?? 0))),
    backlog: mostWaiting(order, applied),
    burstOver: applied[burst - 1] ?? 0,
  };
}

function spread(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}

/** Returns the most that had entered and not left, of moments in order. */
function mostWaiting(entered: readonly number[], left: readonly number[]): number {
  let most = 0;
  let gone = 0;
  entered.forEach((at, index) => {
    while ((left[gone] ?? Number.POSITIVE_INFINITY) <= at) gone += 1;
    most = Math.max(most, index + 1 - gone);
  });
  return most;
}
