import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { CompiledQuery, type Kysely } from 'kysely';
import { turn } from '../../src/kernel/clock.ts';
import { executeShortly } from '../../src/store/shortcut.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import { openSqliteFile } from '../../src/store/sqlite/sqliteFile.ts';

interface Tables {
  things: { id: number };
}

/** More than a query takes that nobody keeps from running. */
const TURNS = 30;
const folder = mkdtempSync(join(tmpdir(), 'stayd-lock-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;

/** A database whose write lock another connection holds until `release`; time passes only as `time.now` is moved. */
async function lockedElsewhere(
  work: (given: { db: Kysely<Tables>; time: { now: number }; release: () => void }) => Promise<void>,
): Promise<void> {
  const file = join(folder, `${(files += 1)}.db`);
  const time = { now: 0 };
  const db = openSqlite<Tables>(openSqliteFile(file), { monotonic: () => time.now });
  const other = new Database(file);
  try {
    await db.schema.createTable('things').addColumn('id', 'integer').execute();
    other.exec('begin immediate');
    await work({ db, time, release: () => other.exec('rollback') });
  } finally {
    other.close();
    await db.destroy();
  }
}

async function idsIn(db: Kysely<Tables>): Promise<number[]> {
  return (await db.selectFrom('things').select('id').orderBy('id').execute()).map(({ id }) => id);
}

const add = (db: Kysely<Tables>, id: number) => db.insertInto('things').values({ id }).execute();

const writes: Readonly<Record<string, (db: Kysely<Tables>) => Promise<unknown>>> = {
  'a transaction': (db) => db.transaction().execute((trx) => add(trx, 1)),
  'a query alone': (db) => add(db, 1),
  'a query that goes the short way': (db) => executeShortly(db, CompiledQuery.raw('insert into things values (1)')),
};

describe('a database that another process has locked', () => {
  for (const [name, write] of Object.entries(writes)) {
    it(`is waited for by ${name}, and the thread goes on meanwhile`, async () => {
      await lockedElsewhere(async ({ db, release }) => {
        let isOver = false;
        const writing = write(db).finally(() => (isOver = true));
        const later = add(db, 2);
        for (let turns = 0; turns < TURNS; turns += 1) await turn();
        assert.equal(isOver, false);
        release();
        await writing;
        await later;
        assert.deepEqual(await idsIn(db), [1, 2]);
      });
    });
  }

  it('is given up after five seconds, with nothing half done', async () => {
    await lockedElsewhere(async ({ db, time, release }) => {
      const writing = db.transaction().execute(async (trx) => add(trx, 1));
      await turn();
      time.now = 5_000;
      await assert.rejects(writing, /database is locked/);
      release();
      await db.transaction().execute((trx) => add(trx, 2));
      assert.deepEqual(await idsIn(db), [2]);
    });
  });

  it('lets nobody who has waited for it keep others waiting in turn', async () => {
    await lockedElsewhere(async ({ db, release }) => {
      void db.transaction().execute(async (trx) => {
        await add(trx, 1);
        await new Promise(() => {});
      });
      await turn();
      release();
      await add(db, 2);
      assert.deepEqual(await idsIn(db), [2]);
    });
  });
});
