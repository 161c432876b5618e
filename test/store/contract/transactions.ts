import assert from 'node:assert/strict';
import { isUniqueViolation } from '../../../src/store/queries/uniqueViolation.ts';
import { type ContractCase, idsIn, microtasks, onTables } from './given.ts';

export const transactions: ContractCase[] = [
  onTables('a transaction commits what it did and returns its result', async ({ store }) => {
    const result = await store.transaction(async (trx) => {
      await trx.insertInto('things').values({ id: 1 }).execute();
      await trx.insertInto('things').values({ id: 2 }).execute();
      return 'done';
    });
    assert.equal(result, 'done');
    assert.deepEqual(await idsIn(store), [1, 2]);
  }),

  onTables('a transaction that throws leaves nothing, and the next one works', async ({ store }) => {
    const failure = new Error('stop');
    await assert.rejects(
      store.transaction(async (trx) => {
        await trx.insertInto('things').values({ id: 1 }).execute();
        throw failure;
      }),
      failure,
    );
    await store.transaction(async (trx) => trx.insertInto('things').values({ id: 2 }).execute());
    assert.deepEqual(await idsIn(store), [2]);
  }),

  onTables('sixty transactions at once all pass, none lost', async ({ store }) => {
    await store.db.insertInto('things').values({ id: 1, amount: 0 }).execute();
    await Promise.all(
      Array.from({ length: 60 }, () =>
        store.transaction(async (trx) => {
          const row = await trx
            .selectFrom('things')
            .select('amount')
            .where('id', '=', 1)
            .forUpdate()
            .executeTakeFirstOrThrow();
          await trx
            .updateTable('things')
            .set({ amount: row.amount + 1 })
            .where('id', '=', 1)
            .execute();
        }),
      ),
    );
    const row = await store.db.selectFrom('things').select('amount').executeTakeFirstOrThrow();
    assert.equal(row.amount, 60);
  }),

  onTables('queries of one transaction may run side by side', async ({ store }) => {
    await store.transaction(async (trx) => {
      await Promise.all([1, 2, 3].map((id) => trx.insertInto('things').values({ id }).execute()));
    });
    assert.deepEqual(await idsIn(store), [1, 2, 3]);
  }),

  onTables('a failed query fails its transaction, also when its error is caught', async ({ store }) => {
    await store.db.insertInto('things').values({ id: 1 }).execute();
    const later: unknown[] = [];
    await assert.rejects(
      store.transaction(async (trx) => {
        await trx.insertInto('things').values({ id: 2 }).execute();
        await trx
          .insertInto('things')
          .values({ id: 1 })
          .execute()
          .catch(() => {});
        await idsIn({ ...store, db: trx }).catch((error: unknown) => later.push(error));
      }),
      (error) => /earlier query of this transaction failed/.test(String(error)) && isUniqueViolation(error),
    );
    assert.match(String(later[0]), /earlier query of this transaction failed/);
    assert.deepEqual(await idsIn(store), [1]);
  }),

  onTables('a query that nobody awaited never runs after its transaction', async ({ store }) => {
    const strays: Promise<unknown>[] = [];
    for (let delay = 0; delay < 40; delay += 1) {
      const work = store.transaction(async (trx) => {
        const stray = microtasks(delay).then(() => trx.insertInto('things').values({ id: delay }).execute());
        strays.push(stray.catch(() => {}));
        throw new Error('stop');
      });
      await assert.rejects(work, /stop/);
    }
    await Promise.all(strays);
    assert.deepEqual(await idsIn(store), []);
  }),

  onTables('a connection goes on after the transactions on it', async ({ store }) => {
    const amounts = await store.db.connection().execute(async (db) => {
      await db.transaction().execute((trx) => trx.insertInto('things').values({ id: 1, amount: 7 }).execute());
      const failing = db.transaction().execute(async () => Promise.reject(new Error('stop')));
      await assert.rejects(failing, /stop/);
      await db.transaction().execute((trx) => trx.insertInto('things').values({ id: 2, amount: 8 }).execute());
      return 'here';
    });
    assert.equal(amounts, 'here');
    assert.deepEqual(await idsIn(store), [1, 2]);
  }),

  onTables('a unique violation is recognised, other errors are not', async ({ store }) => {
    await store.db.insertInto('things').values({ id: 1, name: 'a' }).execute();
    const refusals: [refused: () => Promise<unknown>, unique: boolean][] = [
      [() => store.db.insertInto('things').values({ id: 1 }).execute(), true],
      [() => store.transaction((trx) => trx.insertInto('things').values({ id: 2, name: 'a' }).execute()), true],
      [() => store.db.insertInto('owners').values({ id: 1, thing_id: 9 }).execute(), false],
    ];
    for (const [refused, unique] of refusals) {
      await assert.rejects(refused, (error) => isUniqueViolation(error) === unique);
    }
    assert.equal(isUniqueViolation('unique'), false);
  }),

  onTables('a stream is refused', async ({ store }) => {
    await assert.rejects(async () => {
      for await (const _ of store.db.selectFrom('things').selectAll().stream()) assert.fail();
    }, /read by pages/);
  }),

  onTables('close waits for what runs and ends the store', async ({ store }) => {
    const running = store.transaction(async (trx) => {
      await trx.insertInto('things').values({ id: 1 }).execute();
      return await trx.selectFrom('things').select('id').execute();
    });
    const closing = store.close();
    assert.deepEqual(await running, [{ id: 1 }]);
    await closing;
    await assert.rejects(store.db.selectFrom('things').selectAll().execute());
    await store.close();
  }),
];
