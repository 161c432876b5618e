import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { turn } from '../../src/kernel/clock.ts';
import { readPostgres, readSqliteFile } from '../../src/store/sqlite/reading.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

/** Some tenths of a second of work for SQLite. */
const LONG = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500000) select sum(i) as sum from n`;

interface Tables {
  things: { id: number; name: string | null };
}

const dir = mkdtempSync(join(tmpdir(), 'stayd-reading-'));
after(() => rmSync(dir, { recursive: true }));

async function filled(name: string): Promise<{ file: string; store: Store<Tables> }> {
  const file = join(dir, name);
  const store = await openStore<Tables>({ kind: 'sqlite', file });
  await sql`create table things (id bigint, name text)`.execute(store.db);
  await sql`insert into things values (1, 'one'), (2, null), (3, 'three')`.execute(store.db);
  return { file, store };
}

describe('reading a SQLite file', () => {
  test('values stand for $1, $2 in any order and number; beside a writer each question sees what is committed', async () => {
    const { file, store } = await filled('beside.db');
    const reader = readSqliteFile(file);
    try {
      const text = 'select id, name from things where name = $2 or name = $1 or name = $2 order by id';
      const rows = [
        { id: 1, name: 'one' },
        { id: 3, name: 'three' },
      ];
      assert.deepEqual(await reader.rows(text, ['one', 'three']), rows);
      await sql`insert into things values (4, 'four')`.execute(store.db);
      assert.deepEqual(await reader.rows('select count(*) as n from things', []), [{ n: 4 }]);
    } finally {
      await reader.close();
      await store.close();
    }
  });

  test('the loop of the asker goes on turning during a long question', async () => {
    const { file, store } = await filled('long.db');
    const reader = readSqliteFile(file);
    try {
      let isDone = false;
      const asked = reader.rows<{ sum: number }>(LONG, []).finally(() => (isDone = true));
      let turns = 0;
      for (; !isDone; turns += 1) await turn();
      assert.deepEqual(await asked, [{ sum: 1_125_000_750_000 }]);
      assert.ok(turns > 100, `${turns} turns`);
    } finally {
      await reader.close();
      await store.close();
    }
  });

  test('nothing can be changed, and a failure leaves the reader usable', async () => {
    const { file, store } = await filled('changes.db');
    const reader = readSqliteFile(file);
    try {
      await assert.rejects(reader.rows('delete from things returning id', []), /readonly/);
      await assert.rejects(reader.rows('select 1 from nowhere', []), /no such table: nowhere/);
      assert.deepEqual(await reader.rows('select count(*) as n from things', []), [{ n: 3 }]);
    } finally {
      await reader.close();
      await store.close();
    }
  });

  test('closing stops a question that is under way, and those that wait', async () => {
    const { file, store } = await filled('closing.db');
    const reader = readSqliteFile(file);
    const asked = [reader.rows(LONG, []), reader.rows(LONG, [])].map((one) =>
      one.then(
        () => 'answered',
        (error: Error) => error.message,
      ),
    );
    await turn();
    await reader.close();
    assert.deepEqual(new Set(await Promise.all(asked)), new Set(['the reading was stopped']));
    await store.close();
  });

  test('a file that is not there is an error, and is not made', async () => {
    const reader = readSqliteFile(join(dir, 'none.db'));
    await assert.rejects(reader.rows('select 1', []), /unable to open database file/);
    await reader.close();
    assert.equal(readdirSync(dir).includes('none.db'), false);
  });
});

describeOnPostgres('reading PostgreSQL', () => {
  let server: TestPostgres;
  let store: Store<Tables>;
  before(async () => {
    server = await startPostgres();
    store = await openStore<Tables>({ kind: 'postgres', url: await server.emptyDatabase(), schema: 'mirror' });
    await sql`create table things (id bigint, name text)`.execute(store.db);
    await sql`insert into things values (1, 'one'), (2, null)`.execute(store.db);
  });
  after(async () => {
    await store.close();
    await server.stop();
  });

  test('values stand for $1, $2; nothing can be changed; the store stays open', async () => {
    const reader = readPostgres(store);
    assert.deepEqual(await reader.rows('select id, name from things where name = $1', ['one']), [
      { id: 1, name: 'one' },
    ]);
    await assert.rejects(reader.rows('delete from things', []), /read-only transaction/);
    await reader.close();
    assert.equal((await store.db.selectFrom('things').selectAll().execute()).length, 2);
  });
});
