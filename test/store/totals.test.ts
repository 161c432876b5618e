import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import { preparedTotal } from '../../src/store/queries/prepared.ts';
import { openStore, type Store } from '../../src/store/store.ts';

interface Tables {
  stays: { id: number; status: string };
  guests: { id: number; stay_id: number };
  others: { id: number };
}

const staysOf = preparedTotal((db: Kysely<Tables>, arg: { status?: string | undefined }) => {
  const query = db.selectFrom('stays').select((of) => of.fn.countAll<number>().as('total'));
  return arg.status === undefined ? query : query.where('status', '=', arg.status);
});
const withGuests = preparedTotal((db: Kysely<Tables>, arg: { status: string }) =>
  db
    .selectFrom('stays')
    .innerJoin('guests', 'guests.stay_id', 'stays.id')
    .where('status', '=', arg.status)
    .select((of) => of.fn.countAll<number>().as('total')),
);

const STATUSES = ['accepted', 'cancelled'];

/** A change by this store, by another connection to its file, or by a transaction that is undone. */
const change = fc.record({
  by: fc.constantFrom('own', 'other', 'undone', 'raw' as const),
  what: fc.constantFrom('insert', 'update', 'delete', 'guest', 'unrelated' as const),
  id: fc.integer({ min: 1, max: 12 }),
  status: fc.constantFrom(...STATUSES),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

function textOf({ what, id, status }: Change): string {
  switch (what) {
    case 'insert':
      return `insert into stays (id, status) values (${id}, '${status}') on conflict do nothing`;
    case 'update':
      return `update stays set status = '${status}' where id = ${id}`;
    case 'delete':
      return `delete from stays where id = ${id}`;
    case 'guest':
      return `insert or replace into guests (id, stay_id) values (${id}, ${id})`;
    case 'unrelated':
      return `insert or replace into others (id) values (${id})`;
    default:
      throw new Error(what);
  }
}

describe('a total that is kept', () => {
  let folder: string;
  let store: Store<Tables>;
  let other: Database.Database;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayd-totals-'));
    const file = join(folder, 'totals.db');
    store = await openStore<Tables>({ kind: 'sqlite', file });
    for (const text of [
      'create table stays (id integer primary key, status text not null)',
      'create table guests (id integer primary key, stay_id integer not null)',
      'create table others (id integer primary key)',
    ]) {
      await sql.raw(text).execute(store.db);
    }
    other = new Database(file);
  });
  after(async () => {
    other.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  async function perform(one: Change): Promise<void> {
    const text = textOf(one);
    if (one.by === 'other') return void other.exec(text);
    if (one.by === 'own') return void (await sql.raw(text).execute(store.db));
    if (one.by === 'raw') {
      // Its text does not begin with the name of what it writes.
      return void (await sql.raw(`with one as (select 1) ${text}`).execute(store.db));
    }
    await assert.rejects(
      store.transaction(async (trx) => {
        await sql.raw(text).execute(trx);
        throw new Error('undone');
      }),
      /undone/,
    );
  }

  test('equals the count after every change, by whomever', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
        for (const one of changes) {
          await perform(one);
          const count = (text: string) => other.prepare<[], number>(text).pluck().get();
          assert.equal(await staysOf(store.db, {}), count('select count(*) from stays'));
          for (const status of STATUSES) {
            const where = `where status = '${status}'`;
            assert.equal(await staysOf(store.db, { status }), count(`select count(*) from stays ${where}`));
            assert.equal(
              await withGuests(store.db, { status }),
              count(`select count(*) from stays join guests on stay_id = stays.id ${where}`),
            );
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test('sees the changes of its own transaction', async () => {
    await sql`delete from stays`.execute(store.db);
    assert.equal(await staysOf(store.db, {}), 0);
    await store.transaction(async (trx) => {
      await sql`insert into stays (id, status) values (1, 'accepted')`.execute(trx);
      assert.equal(await staysOf(trx, {}), 1);
    });
    assert.equal(await staysOf(store.db, {}), 1);
  });

  test('is not counted again while its own tables do not change', async () => {
    const ran: string[] = [];
    const db = openSqlite<Tables>(
      new Database(join(folder, 'totals.db'), { verbose: (text) => ran.push(String(text)) }),
    );
    const counts = async () => {
      ran.length = 0;
      await staysOf(db, { status: 'accepted' });
      return ran.filter((text) => text.includes('count(')).length;
    };
    assert.equal(await counts(), 1);
    assert.equal(await counts(), 0);
    await sql`insert or replace into others (id) values (7)`.execute(db);
    assert.equal(await counts(), 0, 'another table changed');
    await sql`insert or replace into stays (id, status) values (7, 'accepted')`.execute(db);
    assert.equal(await counts(), 1, 'its own table changed');
    other.exec(`delete from stays where id = 7`);
    assert.equal(await counts(), 1, 'somebody else committed');
    assert.equal(await counts(), 0);
    await db.destroy();
  });
});
