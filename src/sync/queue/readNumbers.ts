import type { Clock } from '../../kernel/clock.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { MirrorStore, MirrorTrx } from '../tables/database.ts';

const SEQUENCE = 'reads';
/** One process owns a SQLite store, so it may take numbers in blocks; an unclean stop leaves a gap. */
const BLOCK = 1_000;

/**
 * The order of reads: each GET takes a number when it is sent. A read with a greater number began later, across
 * restarts and, on PostgreSQL, across processes.
 */
export interface ReadNumbers {
  /** Returns the number of a request that is about to be sent. */
  take(): Promise<number>;
  /** Returns the number of a mark: every request sent from now on takes a greater one. */
  mark(trx: MirrorTrx): Promise<number>;
  /** Returns when this process sent the request with this number; undefined: long ago, or another process sent it. */
  sentAt(number: number): Instant | undefined;
}

/** The number of requests whose moments are remembered: far more than are under way at once. */
const REMEMBERED = 5_000;

/** Opens the numbers of a store. On SQLite call it once per process. */
export async function openReadNumbers(store: MirrorStore, clock: Clock): Promise<ReadNumbers> {
  const order = store.kind === 'sqlite' ? await blocks(store) : sequence(store);
  const moments = new Map<number, number>();
  return {
    mark: order.mark,
    async take() {
      const number = await order.take();
      moments.set(number, clock.now());
      const [oldest] = moments.keys();
      if (moments.size > REMEMBERED && oldest !== undefined) moments.delete(oldest);
      return number;
    },
    sentAt(number) {
      const ms = moments.get(number);
      return ms === undefined ? undefined : instantOf(ms);
    },
  };
}

type Order = Pick<ReadNumbers, 'take' | 'mark'>;

function sequence(store: MirrorStore): Order {
  return {
    take: () => store.transaction((trx) => nextIds(trx, SEQUENCE)),
    mark: (trx) => nextIds(trx, SEQUENCE),
  };
}

async function blocks(store: MirrorStore): Promise<Order> {
  const reserve = () => store.transaction((trx) => nextIds(trx, SEQUENCE, BLOCK));
  let last = (await reserve()) - 1;
  let end = last + BLOCK;
  let reserving: Promise<void> | undefined;

  async function nextBlock(): Promise<void> {
    const first = await reserve();
    last = first - 1;
    end = last + BLOCK;
    reserving = undefined;
  }

  return {
    async take() {
      while (last >= end) await (reserving ??= nextBlock());
      last += 1;
      return last;
    },
    mark: async () => last,
  };
}
