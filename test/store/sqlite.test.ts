import assert from 'node:assert/strict';
import {
  copyFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  stat,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { CompiledQuery, type Kysely, type Migration, sql, type Transaction } from 'kysely';
import { turn } from '../../src/kernel/clock.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { checkpointInBackground } from '../../src/store/sqlite/checkpoints.ts';
import { inList } from '../../src/store/queries/inList.ts';
import { checkIntegrity } from '../../src/store/sqlite/integrity.ts';
import { migrate } from '../../src/store/migrate.ts';
import { MAX_STATEMENTS, StatementCache } from '../../src/store/sqlite/statementCache.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { andThen, gate, idsIn, type Tables, tables } from './contract/given.ts';

const dir = mkdtempSync(join(tmpdir(), 'stayd-sqlite-'));
after(() => rmSync(dir, { recursive: true }));

let files = 0;
const newFile = () => join(dir, `${(files += 1)}.db`);

/** Far beyond what any of this takes, on a slow machine, too. */
const HANGS_MS = 60_000;

/** Fails instead of waiting for ever: these tests are about things that used to hang. */
async function soon<T>(work: Promise<T>): Promise<T> {
  const enough = new AbortController();
  const limit = wait(HANGS_MS, undefined, { signal: enough.signal }).then(() => assert.fail('it hangs'));
  try {
    return await Promise.race([work, limit]);
  } finally {
    limit.catch(() => {});
    enough.abort();
  }
}

async function withStore(run: (store: Store<Tables>, file: string) => Promise<void>, file = newFile()): Promise<void> {
  const store = await openStore<Tables>({ kind: 'sqlite', file });
  try {
    await migrate(store, tables);
    await run(store, file);
  } finally {
    await soon(store.close());
  }
}

const add = (db: Kysely<Tables>, id: number) => db.insertInto('things').values({ id }).execute();
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

async function pragma(store: Store<Tables>, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(store.db);
  return Object.values(rows[0] ?? {})[0];
}

describe('the SQLite file', () => {
  for (const [file, journal] of [
    [newFile(), 'wal'],
    [':memory:', 'memory'],
  ] as const) {
    test(`has its settings: ${journal}`, async () => {
      await withStore(async (store) => {
        assert.equal(await pragma(store, 'journal_mode'), journal);
        assert.equal(await pragma(store, 'synchronous'), 2);
        assert.equal(await pragma(store, 'foreign_keys'), 1);
        assert.equal(await pragma(store, 'busy_timeout'), 10);
        assert.equal(await pragma(store, 'wal_autocheckpoint'), 1_000);
        assert.equal(await pragma(store, 'journal_size_limit'), 64 * 1024 * 1024);
        await store.transaction((trx) => add(trx, 1));
        assert.deepEqual(await idsIn(store), [1]);
      }, file);
    });
  }

  for (const umask of [0, 0o777]) {
    test(`is its owner's alone under umask ${umask.toString(8)}, with its companions`, async () => {
      const before = process.umask(umask);
      try {
        await withStore(async (_, file) => {
          for (const suffix of ['', '-wal', '-shm']) assert.equal(modeOf(file + suffix), '600', suffix);
        });
      } finally {
        process.umask(before);
      }
    });
  }

  test('that was readable by others, as after a crash, is so no more', async () => {
    const file = newFile();
    await withStore(async (store) => {
      await add(store.db, 1);
      for (const suffix of ['', '-wal', '-shm']) chmodSync(file + suffix, 0o644);
      const second = await openStore<Tables>({ kind: 'sqlite', file });
      for (const suffix of ['', '-wal', '-shm']) assert.equal(modeOf(file + suffix), '600', suffix);
      await second.close();
    }, file);
  });

  test('is whole without companions after close', async () => {
    const file = newFile();
    await withStore(async (store) => void (await add(store.db, 1)), file);
    assert.equal(existsSync(`${file}-wal`), false);
    const copy = new Database(file, { readonly: true });
    assert.equal(copy.prepare('select count(*) from things').pluck().get(), 1);
    copy.close();
  });

  test('that is no database, or has no directory, is for the operator to mend', async () => {
    const text = newFile();
    writeFileSync(text, 'these are not the bytes you are looking for '.repeat(100));
    for (const file of [text, join(dir, 'nowhere', 'x.db')]) {
      await assert.rejects(openStore({ kind: 'sqlite', file }), (error) => {
        assert.ok(error instanceof OperatorError);
        assert.ok(error.message.startsWith(`cannot open the database ${file}: `));
        return true;
      });
    }
  });

  test('is checked: sound, broken inside, broken at the head', async () => {
    const file = newFile();
    await withStore(async (store) => {
      for (let id = 0; id < 200; id += 1) {
        await store.db
          .insertInto('things')
          .values({ id, name: `thing ${id}`, body: 'x'.repeat(500) })
          .execute();
      }
    }, file);
    assert.deepEqual(checkIntegrity(file), []);
    // The header's count of free pages: wrong, but not in the way of reading.
    overwrite(file, 36, Buffer.from([0, 0, 0, 9]));
    assert.match(checkIntegrity(file).join(), /freelist/i);
    overwrite(file, 10 * 4096, Buffer.alloc(4096, 0x5a));
    assert.ok(checkIntegrity(file).length > 0);
    overwrite(file, 0, Buffer.alloc(100, 0x5a));
    assert.match(checkIntegrity(file).join(), /not a database/);
    assert.throws(() => checkIntegrity(newFile()));
  });
});

function overwrite(file: string, at: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
}

const REFUSED = /may await only its own queries; .* use `trx`/;

type Work = (trx: Transaction<Tables>, store: Store<Tables>) => Promise<unknown>;

const foreign: [what: string, work: Work][] = [
  ['a query of the outer db', (_, store) => idsIn(store)],
  ['a transaction of its own', (_, store) => store.transaction(async () => {})],
  ['a migration', (_, store) => migrate(store, tables)],
  ['the close of its store', (_, store) => store.close()],
  ['a timer', () => wait(1)],
  ['the event loop', () => new Promise((resolve) => setImmediate(resolve))],
  [
    'a timer, and then a query of its own',
    async (trx) => {
      await wait(1);
      await add(trx, 3);
    },
  ],
  ['what never comes', () => new Promise(() => {})],
];

describe('a transaction on SQLite that awaits', () => {
  for (const [what, work] of foreign) {
    test(`${what} is refused and rolled back, and blocks nobody`, async () => {
      await withStore(async (store) => {
        await add(store.db, 1);
        const began = gate();
        const transaction = store.transaction(async (trx) => {
          await add(trx, 2);
          began.open();
          await work(trx, store);
        });
        const refusal = assert.rejects(transaction, REFUSED);
        await began.opened;
        // Never settles at all when the work does not; everybody else goes on all the same.
        if (what !== 'what never comes') await soon(refusal);
        else await wait(1);
        if (what === 'the close of its store') return;
        assert.deepEqual(await soon(idsIn(store)), [1]);
        await soon(store.transaction((trx) => add(trx, 4)));
        assert.deepEqual(await idsIn(store), [1, 4]);
      });
    });
  }

  test('something foreign does not take those with it who queued before it began', async () => {
    await withStore(async (store) => {
      const first = store.transaction(async (trx) => {
        await add(trx, 1);
        await wait(1);
      });
      const others = [2, 3, 4].map((id) => store.transaction((trx) => add(trx, id)));
      await assert.rejects(soon(first), REFUSED);
      await soon(Promise.all(others));
      assert.deepEqual(await idsIn(store), [2, 3, 4]);
    });
  });

  test('something foreign cannot spoil the next transaction when it comes back', async () => {
    await withStore(async (store) => {
      let late: Promise<unknown> = Promise.resolve();
      const back = gate();
      const first = store.transaction(async (trx) => {
        await back.opened;
        late = add(trx, 1);
        await late;
      });
      await wait(1);
      await store.transaction(async (trx) => {
        await add(trx, 2);
        back.open();
        await add(trx, 3);
      });
      await assert.rejects(first, REFUSED);
      await assert.rejects(late, REFUSED);
      assert.deepEqual(await idsIn(store), [2, 3]);
    });
  });

  test('a connection held across a timer is taken away as well', async () => {
    await withStore(async (store) => {
      const held = store.db.connection().execute(async (db) => {
        await add(db, 1);
        await wait(1);
        await add(db, 2);
      });
      await assert.rejects(soon(held), REFUSED);
      assert.deepEqual(await soon(idsIn(store)), [1]);
    });
  });

  test('nothing foreign passes, whichever phase of the event loop it began in', async () => {
    await withStore(async (store) => {
      const starts: ((begin: () => void) => void)[] = [
        (begin) => process.nextTick(begin),
        (begin) => queueMicrotask(begin),
        (begin) => setImmediate(begin),
        (begin) => setTimeout(begin, 1),
        (begin) => void setTimeout(() => queueMicrotask(begin), 2),
        (begin) => stat(dir, begin),
      ];
      for (const start of starts) {
        for (const [, work] of foreign.slice(0, 6).filter(([what]) => what !== 'the close of its store')) {
          await new Promise<void>((resolve) => start(resolve));
          const inPhase = new Promise<unknown>((resolve) => {
            start(() => resolve(store.transaction(async (trx) => work(trx, store))));
          });
          await assert.rejects(soon(inPhase), REFUSED);
        }
        const legal = new Promise<unknown>((resolve) => {
          start(() => {
            const one = store.transaction((trx) => idsIn({ ...store, db: trx }));
            start(() => resolve(Promise.all([one, store.transaction((trx) => idsIn({ ...store, db: trx }))])));
          });
        });
        assert.deepEqual(await soon(legal), [[], []]);
      }
    });
  });

  test('nothing foreign is not blamed for beginning in the very tick in which another is judged', async () => {
    await withStore(async (store) => {
      await turn();
      const both = await new Promise<{ first: Promise<unknown>; second: Promise<unknown> }>((resolve) => {
        queueMicrotask(() => {
          // This tick runs just before the one that the first transaction causes.
          process.nextTick(() => resolve({ first, second: store.transaction((trx) => idsIn({ ...store, db: trx })) }));
          const first = store.transaction((trx) => add(trx, 1));
        });
      });
      await soon(Promise.all([both.first, both.second]));
    });
  });

  test('nothing but its own queries passes, be they many, in thousands of transactions at once', async () => {
    await withStore(async (store) => {
      const long = store.transaction(async (trx) => {
        for (let id = 1; id <= 500; id += 1) await add(trx, id);
      });
      const many = Array.from({ length: 1_000 }, (_, index) =>
        store.transaction(async (trx) => {
          await add(trx, 1_000 + index);
          await Promise.all([Promise.resolve(), idsIn({ ...store, db: trx })]);
        }),
      );
      await soon(Promise.all([long, ...many]));
      assert.equal((await idsIn(store)).length, 1_500);
    }, ':memory:');
  });
});

describe('the SQLite driver', () => {
  test('has the write lock from the start of a transaction', async () => {
    await withStore(async (store, file) => {
      const other = new Database(file, { timeout: 0 });
      await store.transaction(async () => {
        assert.throws(() => other.exec('begin immediate'), /locked/);
      });
      other.exec('begin immediate');
      other.close();
    });
  });

  test('serves those who wait in the order they came', async () => {
    await withStore(async (store) => {
      const order: number[] = [];
      await Promise.all(
        Array.from({ length: 20 }, (_, number) =>
          number % 2 === 0
            ? store.transaction(async () => void order.push(number))
            : store.db.connection().execute(async () => void order.push(number)),
        ),
      );
      assert.deepEqual(
        order,
        Array.from({ length: 20 }, (_, number) => number),
      );
    });
  });

  test('lets timers and I/O have their turn between transactions that follow each other', async () => {
    await withStore(async (store) => {
      let turns = 0;
      let done = false;
      const counting = (async () => {
        for (; !done; turns += 1) await turn();
      })();
      const begun = performance.now();
      for (let id = 1; performance.now() - begun < 300; id += 1) await store.transaction((trx) => add(trx, id));
      done = true;
      await counting;
      assert.ok(turns > 10, `the loop turned ${turns} times in 300 ms`);
    });
  });

  test('survives an error after which SQLite has rolled back by itself', async () => {
    await withStore(async (store) => {
      await add(store.db, 1);
      await sql`pragma max_page_count = 40`.execute(store.db);
      const full = store.transaction(async (trx) => {
        await add(trx, 2);
        await trx
          .insertInto('things')
          .values({ id: 3, body: 'x'.repeat(1_000_000) })
          .execute();
      });
      await assert.rejects(full, /database or disk is full/);
      await store.transaction((trx) => add(trx, 4));
      assert.deepEqual(await idsIn(store), [1, 4]);
    });
  });

  test('tells once that the disk is full, and once that it takes in again, whatever is only read meanwhile', async () => {
    const told: (string | null)[] = [];
    const onRefusal = (problem: string | null) => void told.push(problem);
    const store = await openStore<Tables>({ kind: 'sqlite', file: newFile(), onRefusal });
    await migrate(store, tables);
    const [insert, body] = [store.db.insertInto('things'), 'x'.repeat(1_000_000)];
    await sql`pragma max_page_count = 40`.execute(store.db);
    await assert.rejects(insert.values({ id: 1, body }).execute(), /full/);
    await assert.rejects(
      store.transaction((trx) => trx.insertInto('things').values({ id: 2, body }).execute()),
      /full/,
    );
    await store.transaction((trx) => trx.selectFrom('things').selectAll().execute());
    await idsIn(store);
    assert.deepEqual(told, ['database or disk is full']);
    await sql`pragma max_page_count = 100000`.execute(store.db);
    await store.transaction((trx) => trx.insertInto('things').values({ id: 3, body }).execute());
    await add(store.db, 4);
    assert.deepEqual(told, ['database or disk is full', null]);
    await store.close();
  });

  test('has in the file itself, once opened, what a sudden end has left in the log', async () => {
    await withStore(async (store, file) => {
      await add(store.db, 1);
      const copy = newFile();
      for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
      assert.ok(statSync(`${copy}-wal`).size > 0);
      const reopened = await openStore<Tables>({ kind: 'sqlite', file: copy });
      assert.equal(statSync(`${copy}-wal`).size, 0);
      assert.deepEqual(await idsIn(reopened), [1]);
      await reopened.close();
    });
  });

  test('lets a migration rebuild a table under the rows that refer to it', async () => {
    await withStore(async (store) => {
      await add(store.db, 1);
      await store.db.insertInto('owners').values({ id: 7, thing_id: 1 }).execute();
      const rebuild: Migration = {
        async up(db) {
          await sql`create table rebuilt (id bigint primary key, name text)`.execute(db);
          await sql`insert into rebuilt select id, name from things`.execute(db);
          await db.schema.dropTable('things').execute();
          await db.schema.alterTable('rebuilt').renameTo('things').execute();
        },
      };
      await migrate(store, andThen({ '0002_rebuild': rebuild }));
      assert.deepEqual(await store.db.selectFrom('owners').select('id').execute(), [{ id: 7 }]);
      await store.db.deleteFrom('things').execute();
      assert.deepEqual(await store.db.selectFrom('owners').select('id').execute(), []);
    });
  });

  test('enforces references again after a migration that was refused', async () => {
    await withStore(async (store) => {
      const waiting: Migration = {
        async up(db) {
          await wait(1);
          await sql`delete from things`.execute(db);
        },
      };
      const refused = migrate(store, andThen({ '0002_waits': waiting }));
      await assert.rejects(soon(refused), /migration 0002_waits failed: .*may await only its own queries/);
      assert.equal(await pragma(store, 'foreign_keys'), 1);
    });
  });

  test('sees new columns through a statement it has kept', async () => {
    await withStore(async (store) => {
      await add(store.db, 1);
      const all = () => store.db.selectFrom('things').selectAll().execute();
      assert.equal('extra' in ((await all())[0] ?? {}), false);
      await store.db.schema.alterTable('things').addColumn('extra', 'text').execute();
      assert.equal('extra' in ((await all())[0] ?? {}), true);
    });
  });

  test('finds the members of a list through the index', async () => {
    await withStore(async (store) => {
      const query = store.db
        .selectFrom('things')
        .selectAll()
        .where((eb) => inList(eb.ref('name'), ['a', 'b']));
      const { sql: text, parameters } = query.compile();
      const { rows: plan } = await store.db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
      );
      assert.match(plan.map((step) => step.detail).join('\n'), /SEARCH things USING INDEX \w+ \(name=\?\)/);
    });
  });
});

test('a thread copies the -wal file into its database, and lets it begin again, while writes go on', async () => {
  const file = newFile();
  const store = await openStore<Tables>({ kind: 'sqlite', file, checkpointed: true });
  await migrate(store, tables);
  const checkpoints = checkpointInBackground([file]);
  try {
    const begun = performance.now();
    let written = 0;
    // Without the thread all of it would stay in the -wal file up to the fallback of 64 MB.
    for (let id = 1; written < 60_000_000 && performance.now() - begun < 10_000; id += 1) {
      await store.transaction((trx) =>
        trx
          .insertInto('things')
          .values({ id, body: 'x'.repeat(100_000) })
          .execute(),
      );
      written += 100_000;
      if (id % 20 === 0) await wait(20);
    }
    const { size: log } = statSync(`${file}-wal`);
    const { size } = statSync(file);
    assert.ok(log < 45_000_000, `${log} bytes in the -wal file`);
    assert.ok(size > 10_000_000, `${size} bytes in the database of ${written}`);
  } finally {
    await checkpoints.stop();
    await store.close();
  }
  assert.equal(existsSync(`${file}-wal`), false);
  assert.deepEqual(checkIntegrity(file), []);
});

test('the statement cache is bounded, and keeps what it has', () => {
  const database = new Database(':memory:');
  const cache = new StatementCache(database);
  const first = cache.get('select 0');
  assert.equal(cache.get('select 0'), first);
  for (let number = 1; number <= MAX_STATEMENTS * 3; number += 1) cache.get(`select ${number}`);
  assert.equal(cache.size, MAX_STATEMENTS);
  assert.deepEqual(cache.get('select 0').statement.all(), [[0]]);
  database.close();
});
