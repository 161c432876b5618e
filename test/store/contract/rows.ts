import assert from 'node:assert/strict';
import { type Kysely, sql } from 'kysely';
import { forUpdateSkipLocked } from '../../../src/store/queries/forUpdateSkipLocked.ts';
import { inList } from '../../../src/store/queries/inList.ts';
import { insertMany } from '../../../src/store/queries/insertMany.ts';
import { prepared, preparedByArguments } from '../../../src/store/queries/prepared.ts';
import { type ContractCase, gate, idsIn, onTables, type Tables } from './given.ts';

const things = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `thing ${id}`, amount: 1 }));

const insertingMany: ContractCase[] = [
  onTables('insertMany: no rows, one row, thousands of rows', async ({ store }) => {
    assert.equal(await store.transaction((trx) => insertMany(trx, 'things', [])), 0);
    assert.equal(await store.transaction((trx) => insertMany(trx, 'things', things(1))), 1);
    const rest = things(5_001).slice(1);
    assert.equal(await store.transaction((trx) => insertMany(trx, 'things', rest)), 5_000);
    assert.deepEqual(
      await idsIn(store),
      things(5_001).map(({ id }) => id),
    );
  }),

  onTables('insertMany: a key that exists is an error, and nothing of it stays', async ({ store }) => {
    await store.db.insertInto('things').values({ id: 2 }).execute();
    await assert.rejects(store.transaction((trx) => insertMany(trx, 'things', things(4))));
    assert.deepEqual(await idsIn(store), [2]);
  }),

  onTables('insertMany: without update the old row stays and is not counted', async ({ store }) => {
    await store.db.insertInto('things').values({ id: 2, amount: 9 }).execute();
    const rows = [...things(4), { id: 3, name: 'twin', amount: 5 }];
    const inserted = await store.transaction((trx) => insertMany(trx, 'things', rows, { columns: ['id'] }));
    assert.equal(inserted, 3);
    const found = await store.db.selectFrom('things').select(['id', 'amount', 'name']).orderBy('id').execute();
    assert.deepEqual(found[2], { id: 2, amount: 9, name: null });
    assert.equal(found[3]?.name, 'thing 3');
  }),

  onTables('insertMany: with update the named columns change, the others do not', async ({ store }) => {
    await store.db.insertInto('things').values({ id: 2, amount: 9, name: 'old' }).execute();
    const changed = await store.transaction((trx) =>
      insertMany(trx, 'things', things(4), { columns: ['id'], update: ['amount'] }),
    );
    assert.equal(changed, 4);
    const row = await store.db.selectFrom('things').select(['name', 'amount']).where('id', '=', 2).execute();
    assert.deepEqual(row, [{ name: 'old', amount: 1 }]);
  }),

  onTables('insertMany: with update, two rows of one key are refused', async ({ store }) => {
    const rows = [...things(2), { id: 1, name: 'twin', amount: 5 }];
    await assert.rejects(
      store.transaction((trx) => insertMany(trx, 'things', rows, { columns: ['id'], update: ['amount'] })),
      /two rows have the key \[1\]/,
    );
    const nameless = [1, 2].map((id) => ({ id, name: null }));
    const inserted = await store.transaction((trx) =>
      insertMany(trx, 'things', nameless, { columns: ['name'], update: ['id'] }),
    );
    assert.equal(inserted, 2);
  }),

  onTables('insertMany: rows that differ in their columns are refused', async ({ store }) => {
    const ragged: Record<string, unknown>[][] = [
      [{ id: 1, amount: 1 }, { id: 2 }],
      [{ id: 1 }, { id: 2, amount: 1 }],
      [{ id: 1, amount: undefined }],
    ];
    for (const rows of ragged) {
      // What a caller without types could pass.
      const untyped = rows as { id: number; amount: number }[];
      await assert.rejects(
        store.transaction((trx) => insertMany(trx, 'things', untyped)),
        /every row must have a value for each/,
      );
    }
    assert.deepEqual(await idsIn(store), []);
  }),

  onTables('insertMany: names are quoted', async ({ store }) => {
    await store.db.schema.createTable('or"der').addColumn('se"lect', 'text').execute();
    const odd = store.db.withTables<{ 'or"der': { 'se"lect': string } }>();
    await odd.transaction().execute((trx) => insertMany(trx, 'or"der', [{ 'se"lect': 'x' }]));
    assert.deepEqual(await odd.selectFrom('or"der').selectAll().execute(), [{ 'se"lect': 'x' }]);
  }),
];

type Db = Kysely<Tables>;

const namesOf = prepared((db: Db, arg: { amount: number; prefix: string }) =>
  db
    .selectFrom('things')
    .select(['id', 'name'])
    .where('amount', '=', arg.amount)
    .where((eb) => eb.or([eb('name', 'like', arg.prefix), eb('body', 'like', arg.prefix)]))
    .where('flag', '=', 0)
    .orderBy('id')
    .limit(2),
);
const add = prepared((db: Db, arg: { id: number; name: string | null; flag: boolean }) =>
  db.insertInto('things').values({ id: arg.id, name: arg.name, flag: arg.flag, amount: 4 }),
);
const addOnce = prepared((db: Db, arg: { id: number }) =>
  db
    .insertInto('things')
    .values({ id: arg.id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);
const raise = prepared((db: Db, arg: { by: number }) =>
  db.updateTable('things').set((eb) => ({ amount: eb('amount', '+', arg.by) })),
);
const remove = prepared((db: Db, arg: { ids: readonly number[] }) =>
  db.deleteFrom('things').where((eb) => inList(eb.ref('id'), arg.ids)),
);
const optional = preparedByArguments(
  (db: Db, arg: { amount?: number | undefined; ids?: readonly number[] | null; limit: number }) => {
    let query = db.selectFrom('things').select('id').orderBy('id').limit(arg.limit);
    if (arg.amount !== undefined) query = query.where('amount', '=', arg.amount);
    const { ids } = arg;
    return ids == null ? query : query.where((eb) => inList(eb.ref('id'), ids));
  },
);

const preparing: ContractCase[] = [
  onTables('prepared: arguments take their places, literals stay', async ({ store }) => {
    await store.transaction((trx) => insertMany(trx, 'things', things(9)));
    await store.db.updateTable('things').set({ flag: true }).where('id', '=', 4).execute();
    const firstTwo = [0, 1].map((id) => ({ id, name: `thing ${id}` }));
    assert.deepEqual(await namesOf(store.db, { amount: 1, prefix: 'thing%' }), firstTwo);
    assert.deepEqual(await namesOf(store.db, { amount: 1, prefix: '%5' }), [{ id: 5, name: 'thing 5' }]);
    assert.deepEqual(await namesOf(store.db, { prefix: '%4', amount: 1 }), []);
    assert.deepEqual(await namesOf(store.db, { amount: 2, prefix: '%' }), []);
  }),

  onTables('prepared: changes answer as kysely does', async ({ store }) => {
    const [inserted] = await store.transaction((trx) => add(trx, { id: 1, name: null, flag: true }));
    assert.equal(inserted?.numInsertedOrUpdatedRows, 1n);
    assert.deepEqual(await addOnce(store.db, { id: 1 }), []);
    assert.deepEqual(await addOnce(store.db, { id: 2 }), [{ id: 2 }]);
    const [updated] = await raise(store.db, { by: 3 });
    assert.equal(updated?.numUpdatedRows, 2n);
    const rows = await store.db.selectFrom('things').select(['name', 'flag', 'amount']).orderBy('id').execute();
    assert.deepEqual(rows[0], { name: null, flag: 1, amount: 7 });
    const [deleted] = await remove(store.db, { ids: [1, 5] });
    assert.equal(deleted?.numDeletedRows, 1n);
    assert.deepEqual(await idsIn(store), [2]);
  }),

  onTables('prepared: an argument that is no parameter of the query is refused', async ({ store }) => {
    const forgotten = prepared((db: Db, _arg: { id: number }) => db.selectFrom('things').selectAll());
    await assert.rejects(forgotten(store.db, { id: 1 }), /argument id is not a parameter/);
    const folded = prepared((db: Db, arg: { name: string }) =>
      db.selectFrom('things').selectAll().where('name', 'like', `${arg.name}%`),
    );
    await assert.rejects(folded(store.db, { name: 'a' }), /argument name of a prepared query has no value yet/);
    const wrapped = prepared((db: Db, arg: { id: number }) =>
      db
        .selectFrom('things')
        .selectAll()
        .where(sql<boolean>`id = any(${[arg.id]})`),
    );
    await assert.rejects(wrapped(store.db, { id: 1 }), /argument id is not a parameter/);
  }),

  onTables('prepared by arguments: each combination is a query of its own', async ({ store }) => {
    await store.transaction((trx) => insertMany(trx, 'things', things(9)));
    const found = async (arg: Parameters<typeof optional>[1]) => (await optional(store.db, arg)).map((row) => row.id);
    assert.deepEqual(await found({ limit: 3 }), [0, 1, 2]);
    assert.deepEqual(await found({ ids: [5, 7], limit: 9 }), [5, 7]);
    assert.deepEqual(await found({ ids: null, amount: undefined, limit: 2 }), [0, 1]);
    const amounts = await store.db.selectFrom('things').select(['id', 'amount']).orderBy('id').execute();
    const amount = amounts[4]?.amount ?? 0;
    const same = amounts.filter((row) => row.amount === amount).map((row) => row.id);
    assert.deepEqual(await found({ amount, limit: 9 }), same);
    assert.deepEqual(await found({ amount, ids: [4], limit: 9 }), [4]);
    assert.deepEqual(await store.transaction((trx) => optional(trx, { ids: [3], limit: 1 })), [{ id: 3 }]);
  }),

  onTables('prepared by arguments: one that is no parameter of the query is refused', async ({ store }) => {
    const forgotten = preparedByArguments((db: Db, _arg: { id?: number }) => db.selectFrom('things').selectAll());
    assert.deepEqual(await forgotten(store.db, {}), []);
    await assert.rejects(forgotten(store.db, { id: 1 }), /argument id is not a parameter/);
  }),

  onTables('prepared: many at once and in between transactions all get their rows', async ({ store }) => {
    await store.transaction((trx) => insertMany(trx, 'things', things(9)));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 4 === 0
          ? store.transaction((trx) => optional(trx, { ids: [index % 9], limit: 1 }))
          : optional(store.db, { ids: [index % 9], limit: 1 }),
      ),
    );
    assert.deepEqual(
      answers,
      Array.from({ length: 40 }, (_, index) => [{ id: index % 9 }]),
    );
  }),

  onTables('prepared: an argument left out at a later call is refused', async ({ store }) => {
    await addOnce(store.db, { id: 1 });
    // What a caller without types could pass.
    const nothing = {} as { id: number };
    await assert.rejects(addOnce(store.db, nothing), /argument id of a prepared query is missing/);
  }),
];

const lists: [what: string, ids: number[], found: number[]][] = [
  ['nothing', [], []],
  ['one', [3], [3]],
  ['some, twice, and one that is not there', [1, 3, 3, 99], [1, 3]],
  ['thousands', Array.from({ length: 40_000 }, (_, index) => index), [0, 1, 2, 3]],
];

const listing: ContractCase[] = [
  ...lists.map(([what, ids, expected]) =>
    onTables(`inList: ${what}`, async ({ store }) => {
      await store.transaction((trx) => insertMany(trx, 'things', things(4)));
      const query = store.db
        .selectFrom('things')
        .select('id')
        .where((eb) => inList(eb.ref('things.id'), ids))
        .orderBy('id');
      assert.deepEqual(
        (await query.execute()).map((row) => row.id),
        expected,
      );
      assert.equal(query.compile().parameters.length, 1);
    }),
  ),

  onTables('inList: text of any kind, and its opposite', async ({ store }) => {
    const names = ['plain', 'a,b', '{x}', `it's`, '"q"', 'back\\slash', 'NULL', '', 'ünï 🏝️', '1'];
    const rows = names.map((name, id) => ({ id, name }));
    await store.transaction((trx) => insertMany(trx, 'things', [...rows, { id: 99, name: 'other' }]));
    const listed = await store.db
      .selectFrom('things')
      .select('id')
      .where((eb) => inList(eb.ref('name'), names))
      .execute();
    assert.equal(listed.length, names.length);
    const others = await store.db
      .selectFrom('things')
      .select('id')
      .where((eb) => eb.not(inList(eb.ref('name'), names)))
      .execute();
    assert.deepEqual(others, [{ id: 99 }]);
  }),
];

const claiming: ContractCase[] = [
  onTables('forUpdateSkipLocked: two claims never get the same row', async ({ store, hold }) => {
    await store.transaction((trx) => insertMany(trx, 'things', things(4)));
    const claim = (until: Promise<unknown>, claimed: () => void) =>
      store.transaction(async (trx) => {
        const free = trx.selectFrom('things').select('id').where('flag', '=', 0).orderBy('id').limit(2);
        const ids = (await forUpdateSkipLocked(free).execute()).map((row) => row.id);
        await trx
          .updateTable('things')
          .set({ flag: true })
          .where((eb) => inList(eb.ref('id'), ids))
          .execute();
        claimed();
        await hold(until);
        return ids;
      });
    const [firstClaimed, release] = [gate(), gate()];
    const first = claim(release.opened, firstClaimed.open);
    await firstClaimed.opened;
    const second = await claim(Promise.resolve(), () => {});
    release.open();
    assert.deepEqual(
      [await first, second],
      [
        [0, 1],
        [2, 3],
      ],
    );
  }),
];

export const rows: ContractCase[] = [...insertingMany, ...preparing, ...listing, ...claiming];
