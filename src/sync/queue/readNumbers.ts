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
  /** Remembers that the answer with this number has shown every row under these keys. */
  noteWhole(of: KeysOfResource, number: number): void;
  /** Returns true if a request sent later has already shown every row under the key: a row that it lacked is gone. */
  isOvertaken(of: Omit<KeysOfResource, 'keys'>, key: string, number: number): boolean;
}

interface KeysOfResource {
  connection: string;
  resource: string;
  keys: readonly string[];
}

/** The number of requests, and of keys, that are remembered: far more than are under way at once. */
const REMEMBERED = 5_000;

/** Opens the numbers of a store. On SQLite call it once per process. */
export async function openReadNumbers(store: MirrorStore, clock: Clock): Promise<ReadNumbers> {
  const order = store.kind === 'sqlite' ? await blocks(store) : sequence(store);
  const moments = new Map<number, number>();
  const wholes = new Map<string, number>();
  return {
    mark: order.mark,
    async take() {
      const number = await order.take();
      remember(moments, number, clock.now());
      return number;
    },
    sentAt(number) {
      const ms = moments.get(number);
      return ms === undefined ? undefined : instantOf(ms);
    },
    noteWhole({ connection, resource, keys }, number) {
      for (const key of keys) {
        const name = JSON.stringify([connection, resource, key]);
        remember(wholes, name, Math.max(number, wholes.get(name) ?? number));
      }
    },
    isOvertaken({ connection, resource }, key, number) {
      return (wholes.get(JSON.stringify([connection, resource, key])) ?? number) > number;
    },
  };
}

/** Sets a value as the newest; the oldest one goes if there are too many. */
function remember<Name>(map: Map<Name, number>, name: Name, value: number): void {
  map.delete(name);
  map.set(name, value);
  const [oldest] = map.keys();
  if (map.size > REMEMBERED && oldest !== undefined) map.delete(oldest);
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
