import { nextIds } from '../store/sequences.ts';
import type { MirrorStore, MirrorTrx } from './database.ts';

const SEQUENCE = 'reads';
/** One process owns a SQLite store, so it may take numbers in blocks; an unclean stop leaves a gap. */
const BLOCK = 1_000;

/**
 * The order of reads: each GET takes a number when it is sent. A read with a greater number began later,
 * across restarts and, on PostgreSQL, across processes.
 */
export interface ReadNumbers {
  /** The number of a request that is about to be sent. */
  take(): Promise<number>;
  /** The number of a mark: every request sent from now on takes a greater one. */
  mark(trx: MirrorTrx): Promise<number>;
}

/** Opens the numbers of a store. On SQLite call it once per process. */
export async function openReadNumbers(store: MirrorStore): Promise<ReadNumbers> {
  return store.kind === 'sqlite' ? await blocks(store) : sequence(store);
}

function sequence(store: MirrorStore): ReadNumbers {
  return {
    take: () => store.transaction((trx) => nextIds(trx, SEQUENCE)),
    mark: (trx) => nextIds(trx, SEQUENCE),
  };
}

async function blocks(store: MirrorStore): Promise<ReadNumbers> {
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
