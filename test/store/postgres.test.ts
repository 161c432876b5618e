import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { messageOf, OperatorError } from '../../src/kernel/errors.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { andThen, gate, idsIn, type Tables, tables } from './contract/given.ts';

describeOnPostgres('the PostgreSQL store', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  async function withStore(run: (store: Store<Tables>, url: string) => Promise<void>): Promise<void> {
    const url = await server.emptyDatabase();
    const store = await openStore<Tables>({ kind: 'postgres', url, schema: 'core' });
    try {
      await migrate(store, tables);
      await run(store, url);
    } finally {
      await store.close();
    }
  }

  const setting = async (store: Store<Tables>, name: string) => {
    const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(store.db);
    return rows[0]?.value;
  };

  test('has its settings on every connection, whatever the url says', async () => {
    const url = `${await server.emptyDatabase()}?options=-c%20search_path%3Dpublic`;
    const store = await openStore<Tables>({ kind: 'postgres', url, schema: 'mirror' });
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        assert.equal(await setting(store, 'search_path'), 'mirror');
        assert.equal(await setting(store, 'statement_timeout'), '30s');
        assert.equal(await setting(store, 'idle_in_transaction_session_timeout'), '30s');
      }),
    );
    await store.close();
  });

  test('keeps core and mirror apart in one database, migrations too', async () => {
    await withStore(async (core, url) => {
      const mirror = await openStore<Tables>({ kind: 'postgres', url, schema: 'mirror' });
      await core.db.insertInto('things').values({ id: 1 }).execute();
      assert.deepEqual(await migrate(mirror, tables), ['0001_tables']);
      assert.deepEqual(await idsIn(mirror), []);
      await mirror.close();
    });
  });

  test('is opened by many processes at once on an empty database', async () => {
    const url = await server.emptyDatabase();
    const stores = await Promise.all(
      [1, 2, 3, 4].map(() => openStore<Tables>({ kind: 'postgres', url, schema: 'core' })),
    );
    const applied = await Promise.all(stores.map((store) => migrate(store, tables)));
    assert.deepEqual(applied.flat(), ['0001_tables']);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('waits long enough for another one that is migrating, and restores the limit', async () => {
    await withStore(async (store) => {
      const limits: unknown[] = [];
      const looking = andThen({
        '0002_look': {
          async up(db) {
            const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db);
            limits.push(rows[0]?.statement_timeout);
          },
        },
      });
      await migrate(store, looking);
      assert.deepEqual(limits, ['0']);
      assert.equal(await setting(store, 'statement_timeout'), '30s');
    });
  });

  test('does the work of a deadlocked transaction again', async () => {
    await withStore(async (store) => {
      await store.db
        .insertInto('things')
        .values([{ id: 1 }, { id: 2 }])
        .execute();
      const both = [gate(), gate()] as const;
      let attempts = 0;
      const raise = (first: number, second: number, mine: number) =>
        store.transaction(async (trx) => {
          attempts += 1;
          for (const id of [first, second]) {
            await trx
              .updateTable('things')
              .set((eb) => ({ amount: eb('amount', '+', 1) }))
              .where('id', '=', id)
              .execute();
            both[mine]?.open();
            await Promise.all(both.map((each) => each.opened));
          }
        });
      await Promise.all([raise(1, 2, 0), raise(2, 1, 1)]);
      const rows = await store.db.selectFrom('things').select('amount').execute();
      assert.deepEqual(rows, [{ amount: 2 }, { amount: 2 }]);
      assert.ok(attempts > 2);
    });
  });

  test('gives up on work that collides every time', async () => {
    await withStore(async (store) => {
      let attempts = 0;
      const work = store.transaction(async (trx) => {
        attempts += 1;
        await sql`do $$ begin raise sqlstate '40001'; end $$`.execute(trx);
      });
      await assert.rejects(work, { code: '40001' });
      assert.equal(attempts, 5);
    });
  });

  const loseConnections = () =>
    server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname like 'test%'`);

  /** A connection that is lost and not yet known to be fails the one query it is given; there are few of them. */
  async function idsAfterLoss(store: Store<Tables>): Promise<number[]> {
    let failure: unknown;
    for (let tries = 0; tries < 5; tries += 1) {
      try {
        return await idsIn(store);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  const lost: [what: string, lose: (store: Store<Tables>) => Promise<unknown>][] = [
    ['while idle', loseConnections],
    [
      'in a transaction',
      async (store) => {
        const work = store.transaction(async (trx) => {
          await trx.insertInto('things').values({ id: 4 }).execute();
          await loseConnections();
          await trx.insertInto('things').values({ id: 5 }).execute();
        });
        await assert.rejects(work, /terminat|connection/i);
      },
    ],
    [
      'in a query',
      async (store) => {
        const killed = sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(20)`.execute(store.db);
        await assert.rejects(killed, /terminat|connection/i);
      },
    ],
  ];

  for (const [what, lose] of lost) {
    test(`survives the loss of its connections ${what}`, async () => {
      await withStore(async (store) => {
        await Promise.all([1, 2, 3].map((id) => store.db.insertInto('things').values({ id }).execute()));
        await lose(store);
        assert.deepEqual(await idsAfterLoss(store), [1, 2, 3]);
      });
    });
  }

  test('cuts off a transaction that idles too long, and nothing of it stays', async () => {
    await withStore(async (store) => {
      const odd = store.transaction(async (trx) => {
        await trx.insertInto('things').values({ id: 1 }).execute();
        await sql`set local idle_in_transaction_session_timeout = 50`.execute(trx);
        await new Promise((resolve) => setTimeout(resolve, 200));
      });
      await assert.rejects(odd);
      assert.deepEqual(await idsIn(store), []);
      const { rows } = await server.query(`select 1 from pg_stat_activity where state like 'idle in transaction%'`);
      assert.deepEqual(rows, []);
    });
  });

  test('refuses to read a number that would lose digits', async () => {
    await withStore(async (store) => {
      for (const text of ['9007199254740993::bigint', '9007199254740993::numeric']) {
        await assert.rejects(sql`select ${sql.raw(text)} as amount`.execute(store.db), RangeError);
      }
      const { rows } = await sql`select 9007199254740991::bigint as whole, 1.25::numeric as part`.execute(store.db);
      assert.deepEqual(rows, [{ whole: 9007199254740991, part: 1.25 }]);
    });
  });

  test('that cannot be reached is for the operator to mend, and its password stays unsaid', async () => {
    const wrong = [server.url.replace('/postgres', '/nowhere'), 'postgres://u:sesame@localhost:1/db', 'not a url'];
    for (const url of wrong) {
      await assert.rejects(openStore({ kind: 'postgres', url, schema: 'core' }), (error) => {
        assert.ok(error instanceof OperatorError, messageOf(error));
        assert.match(error.message, /^cannot use the PostgreSQL database for schema core: ./);
        assert.ok(!`${error.message} ${error.hint} ${messageOf(error.cause)}`.includes('sesame'));
        return true;
      });
    }
  });

  test('works for a user who may use the schema but not create one', async () => {
    await withStore(async (_, url) => {
      await server.query('drop role if exists limited');
      await server.query('create role limited login');
      const limited = url.replace('postgres://postgres@', 'postgres://limited@');
      await assert.rejects(openStore({ kind: 'postgres', url: limited, schema: 'mirror' }), /permission denied/);
      const store = await openStore<Tables>({ kind: 'postgres', url: limited, schema: 'core' });
      await store.close();
    });
  });
});
