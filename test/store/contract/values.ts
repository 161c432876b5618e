import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { insertMany } from '../../../src/store/queries/insertMany.ts';
import type { Store } from '../../../src/store/store.ts';
import { type ContractCase, onTables, type Tables } from './given.ts';

/** Both ways in must store the same. */
async function insertBothWays(store: Store<Tables>, body: string | null): Promise<(string | null)[]> {
  await store.db.insertInto('things').values({ id: 1, body }).execute();
  await store.transaction((trx) => insertMany(trx, 'things', [{ id: 2, body }]));
  const rows = await store.db.selectFrom('things').select('body').orderBy('id').execute();
  return rows.map((row) => row.body);
}

const kept: [what: string, text: string | null][] = [
  ['null', null],
  ['empty text', ''],
  ['unicode text', 'Zoë 民宿 🏝️ ﷽ e\u0301 \u202eRTL \u{10FFFF}'],
  ['quotes and backslashes', `a'b"c\\d\\"e\n\t{x,"y"}$1 ?`],
  ['JSON text', JSON.stringify({ a: [1, 2.5, null, true], 'k"ey': '\u0000 and \\u0041', n: 1e21 })],
  ['a long text', 'x…'.repeat(50_000)],
];

const replaced: [what: string, given: string, stored: string][] = [
  ['half a surrogate pair', 'cut \ud83c here', 'cut \ufffd here'],
  ['NUL', 'a\0b', 'a\ufffdb'],
];

export const values: ContractCase[] = [
  ...kept.map(([what, text]) =>
    onTables(`${what} comes back as it was`, async ({ store }) => {
      assert.deepEqual(await insertBothWays(store, text), [text, text]);
    }),
  ),

  ...replaced.map(([what, text, stored]) =>
    onTables(`${what} is stored as U+FFFD and found by either`, async ({ store }) => {
      assert.deepEqual(await insertBothWays(store, text), [stored, stored]);
      const found = await store.db.selectFrom('things').select('id').where('body', '=', text).execute();
      assert.equal(found.length, 2);
    }),
  ),

  onTables('whole numbers up to 2^53 come back as numbers', async ({ store }) => {
    const amounts = [0, -1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    const rows = amounts.map((amount, id) => ({ id, amount }));
    await store.db.insertInto('things').values(rows).execute();
    await store.transaction((trx) =>
      insertMany(
        trx,
        'things',
        amounts.map((amount, index) => ({ id: 100 + index, amount })),
      ),
    );
    const found = await store.db.selectFrom('things').select('amount').orderBy('id').execute();
    assert.deepEqual(
      found.map((row) => row.amount),
      [...amounts, ...amounts],
    );
    const counted = await store.db
      .selectFrom('things')
      .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number>('amount').as('sum')])
      .where('id', '<', 4)
      .executeTakeFirstOrThrow();
    assert.deepEqual(counted, { count: 4, sum: -2 });
  }),

  onTables('numbers that cannot be kept exactly are refused', async ({ store }) => {
    for (const amount of [2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
      await assert.rejects(store.db.insertInto('things').values({ id: 1, amount }).execute(), RangeError);
      await assert.rejects(
        store.transaction((trx) => insertMany(trx, 'things', [{ id: 1, amount }])),
        RangeError,
      );
    }
  }),

  onTables('a whole number stays whole in text, in JSON and in division', async ({ store }) => {
    await store.db
      .insertInto('things')
      .values({ id: 1, body: sql`${5}`, amount: 7 })
      .execute();
    const row = await store.db
      .selectFrom('things')
      .select(['body', sql<number>`amount / ${2}`.as('half')])
      .executeTakeFirstOrThrow();
    assert.deepEqual(row, { body: '5', half: 3 });
  }),

  onTables('booleans are 0 and 1 on the way in and on the way out', async ({ store }) => {
    await store.db
      .insertInto('things')
      .values([
        { id: 1, flag: true },
        { id: 2, flag: false },
      ])
      .execute();
    await store.transaction((trx) =>
      insertMany(trx, 'things', [
        { id: 3, flag: true },
        { id: 4, flag: false },
      ]),
    );
    const rows = await store.db.selectFrom('things').select('flag').orderBy('id').execute();
    assert.deepEqual(
      rows.map((row) => row.flag),
      [1, 0, 1, 0],
    );
    const { found, same } = await store.db
      .selectNoFrom((eb) => [
        eb.exists(eb.selectFrom('things').select('id').where('id', '=', 1)).as('found'),
        sql<number>`1 = 2`.as('same'),
      ])
      .executeTakeFirstOrThrow();
    assert.deepEqual([found, same], [1, 0]);
  }),
];
