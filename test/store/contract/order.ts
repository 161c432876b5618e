import assert from 'node:assert/strict';
import type { Kysely, Transaction } from 'kysely';
import { turn } from '../../../src/kernel/clock.ts';
import { nextIds } from '../../../src/store/leases/sequences.ts';
import type { Store } from '../../../src/store/store.ts';
import { type ContractCase, gate, onTables, type Tables } from './given.ts';

const sequences: ContractCase[] = [
  onTables('sequences: start at 1, go on, and are apart from each other', async ({ store }) => {
    const ids = await store.transaction(async (trx) => [
      await nextIds(trx, 'things'),
      await nextIds(trx, 'things', 5),
      await nextIds(trx, 'things'),
      await nextIds(trx, 'gets'),
    ]);
    assert.deepEqual(ids, [1, 2, 7, 1]);
  }),

  onTables('sequences: blocks taken by many transactions at once never overlap', async ({ store }) => {
    const taken: { first: number; count: number }[] = [];
    const worker = async (number: number) => {
      for (let round = 0; round < 8; round += 1) {
        const count = 1 + ((number * 3 + round) % 5);
        await store.transaction(async (trx) => {
          for (const size of [count, 1]) taken.push({ first: await nextIds(trx, 'things', size), count: size });
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => worker(number)));
    const ids = taken.flatMap(({ first, count }) => Array.from({ length: count }, (_, index) => first + index));
    assert.equal(new Set(ids).size, ids.length);
    // Nothing was rolled back, so nothing is missing either.
    assert.equal(Math.max(...ids), ids.length);
  }),

  onTables('sequences: an open transaction that took ids keeps nobody waiting', async ({ store, hold }) => {
    const [took, release] = [gate(), gate()];
    const first = store.transaction(async (trx) => {
      const id = await nextIds(trx, 'things', 3);
      took.open();
      await hold(release.opened);
      return id;
    });
    await took.opened;
    const second = await store.transaction((trx) => nextIds(trx, 'things', 2));
    release.open();
    assert.deepEqual([await first, second], [1, 4]);
  }),

  onTables('sequences: a rollback gives no id twice to those who kept theirs', async ({ store }) => {
    const kept = await store.transaction((trx) => nextIds(trx, 'things'));
    const undone = store.transaction(async (trx) => {
      await nextIds(trx, 'things', 10);
      throw new Error('stop');
    });
    await assert.rejects(undone, /stop/);
    const next = await store.transaction((trx) => nextIds(trx, 'things'));
    assert.ok(next > kept);
  }),

  onTables('sequences: an unknown name and a senseless count are refused', async ({ store }) => {
    await assert.rejects(store.transaction((trx) => nextIds(trx, 'thing')));
    for (const count of [0, -1, 1.5]) {
      await assert.rejects(
        store.transaction((trx) => nextIds(trx, 'things', count)),
        RangeError,
      );
    }
  }),
];

const CONNECTION = 'local';

/** How the daemon allots its feed's numbers: last before the commit, under the lock of the head's row. */
async function publish(trx: Transaction<Tables>, thing: string): Promise<void> {
  const { seq } = await trx
    .updateTable('feed_heads')
    .set((eb) => ({ seq: eb('seq', '+', 1) }))
    .where('connection', '=', CONNECTION)
    .returning('seq')
    .executeTakeFirstOrThrow();
  await trx.insertInto('changes').values({ connection: CONNECTION, seq, thing }).execute();
}

/** A consumer: everything after its cursor, which then stands at the last it saw. */
class Reader {
  readonly seen: string[] = [];
  readonly #db: Kysely<Tables>;
  #cursor = 0;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async poll(): Promise<void> {
    const rows = await this.#db
      .selectFrom('changes')
      .select(['seq', 'thing'])
      .where('connection', '=', CONNECTION)
      .where('seq', '>', this.#cursor)
      .orderBy('seq')
      .execute();
    for (const row of rows) {
      this.seen.push(row.thing);
      this.#cursor = row.seq;
    }
  }
}

async function startFeed(store: Store<Tables>): Promise<Reader> {
  await store.db.insertInto('feed_heads').values({ connection: CONNECTION, seq: 0 }).execute();
  return new Reader(store.db);
}

const feed: ContractCase[] = [
  onTables('feed: a transaction that commits late makes no reader skip its row', async (given) => {
    const { store, hold, somebodyWaits } = given;
    const reader = await startFeed(store);
    const [published, release] = [gate(), gate()];
    const slow = store.transaction(async (trx) => {
      await publish(trx, 'slow');
      published.open();
      await hold(release.opened);
    });
    await published.opened;
    const quick = store.transaction((trx) => publish(trx, 'quick'));
    // Either the second one has to wait for the first, or it is done: in both states the reader looks.
    await Promise.race([somebodyWaits(), quick]);
    await reader.poll();
    release.open();
    await Promise.all([slow, quick]);
    await reader.poll();
    assert.deepEqual(reader.seen, ['slow', 'quick']);
  }),

  onTables('feed: many writers at once, a reader that polls meanwhile sees every row once, in order', async (given) => {
    const { store } = given;
    const reader = await startFeed(store);
    let writing = true;
    const polling = (async () => {
      while (writing) {
        await reader.poll();
        await turn();
      }
    })();
    const expected: string[] = [];
    const writer = async (number: number) => {
      for (let round = 0; round < 15; round += 1) {
        const thing = `${number}/${round}`;
        expected.push(thing);
        await store.transaction(async (trx) => {
          await trx
            .insertInto('things')
            .values({ id: number * 100 + round })
            .execute();
          await publish(trx, thing);
        });
        if (round % 3 === number % 3) await turn();
      }
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map(writer));
    writing = false;
    await polling;
    await reader.poll();
    assert.deepEqual(reader.seen.toSorted(), expected.toSorted());
    const { seq } = await store.db.selectFrom('feed_heads').select('seq').executeTakeFirstOrThrow();
    assert.equal(seq, expected.length);
  }),
];

export const order: ContractCase[] = [...sequences, ...feed];
