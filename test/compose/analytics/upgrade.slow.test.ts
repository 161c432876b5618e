import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import { keepAnalystViews, migrateMirror } from '../../../src/compose/analytics/migrateMirror.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Mirror, MirrorStore } from '../../../src/sync/tables/database.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';

type Step = (db: MirrorStore['db']) => Promise<unknown>;

/** The migrations of a version that comes after this one. */
function withLater(up: Step) {
  const step = { up: async (db: MirrorStore['db']) => void (await up(db)) };
  return { migrations: { ...mirrorMigrations, steps: { ...mirrorMigrations.steps, '9999_later': step as never } } };
}

const text = (db: MirrorStore['db'], query: string) => sql.raw<Record<string, unknown>>(query).execute(db);

/** A change that views hold back on both databases: a column of a table goes, and a table is made again. */
const rebuild: Step = async (db) => {
  await text(db, 'alter table properties drop column address');
  await text(db, 'create table periods_again as select connection, period, state from export_periods');
  await text(db, 'drop table export_periods');
  await text(db, 'alter table periods_again rename to export_periods');
};

function shared(open: () => MirrorStore, view: (name: string) => string): void {
  it('are made with the first migration, and again by nothing', async () => {
    await migrateMirror(open());
    assert.deepEqual((await text(open().db, `select count(*) as n from ${view('stays')}`)).rows.length, 1);
    assert.deepEqual(await keepAnalystViews(open()), { state: 'unchanged' });
  });

  it('stand as before when a migration fails', async () => {
    const broken = withLater(async (db) => {
      await rebuild(db);
      throw new Error('the disk is on fire');
    });
    await assert.rejects(migrateMirror(open(), broken), /the disk is on fire/);
    await text(open().db, `select address from ${view('properties')}`);
    assert.deepEqual(await keepAnalystViews(open()), { state: 'unchanged' });
  });

  it('hold no migration back, and follow it', async () => {
    assert.deepEqual(await migrateMirror(open(), withLater(rebuild)), ['9999_later']);
    await text(open().db, `select name from ${view('properties')}`);
    await assert.rejects(text(open().db, `select address from ${view('properties')}`));
    await assert.rejects(text(open().db, `select digest from ${view('export_periods')}`));
    await text(open().db, `select period, state from ${view('export_periods')}`);
  });
}

describe('the views for BI tools on SQLite', () => {
  let store: MirrorStore;
  before(async () => {
    store = await openStore<Mirror>({ kind: 'sqlite', file: ':memory:' });
  });
  after(() => store.close());
  shared(
    () => store,
    (name) => `analytics_${name}`,
  );
});

describeOnPostgres('the views for BI tools on PostgreSQL', () => {
  let server: TestPostgres;
  let store: MirrorStore;
  before(async () => {
    server = await startPostgres();
    store = await openStore<Mirror>({ kind: 'postgres', url: await server.emptyDatabase(), schema: 'mirror' });
  });
  after(async () => {
    await store.close();
    await server.stop();
  });

  describe('in a database of their own', () => {
    shared(
      () => store,
      (name) => `analytics.${name}`,
    );
  });

  it('keep what stands on them and who may read them; what cannot stay is named', async () => {
    const url = await server.freshDatabase();
    const other = await openStore<Mirror>({ kind: 'postgres', url, schema: 'mirror' });
    try {
      await migrateMirror(other);
      await text(other.db, 'create schema marts');
      await text(other.db, 'create view marts.nights as select stay_code, night from analytics.stay_nights');
      await text(other.db, 'create view marts.places as select name, address from analytics.properties');
      await text(other.db, 'create view marts.names as select name from marts.places');
      await text(other.db, 'create role reader');
      await text(other.db, 'grant select on analytics.stay_nights to reader');
      await migrateMirror(
        other,
        withLater((db) => text(db, 'alter table stay_nights add column weather text')),
      );
      await text(other.db, 'select weather from analytics.stay_nights');
      await text(other.db, 'select * from marts.nights');
      await text(other.db, 'select * from marts.names');
      const may = `select has_table_privilege('reader', 'analytics.stay_nights', 'select') as may`;
      assert.deepEqual((await text(other.db, may)).rows, [{ may: 1 }]);
      const said: object[] = [];
      const quiet = () => {};
      const log = { debug: quiet, info: quiet, error: quiet, warn: (fields: object) => void said.push(fields) };
      await text(other.db, `delete from kysely_migration where name = '9999_later'`);
      await migrateMirror(other, { log, ...withLater((db) => text(db, 'alter table properties drop column address')) });
      assert.deepEqual(said, [{ views: ['marts.places', 'marts.names'] }]);
      await text(other.db, 'select * from marts.nights');
    } finally {
      await other.close();
    }
  });

  it('are not made where a schema of that name holds something else, and the start goes on', async () => {
    const url = await server.freshDatabase();
    const other = await openStore<Mirror>({ kind: 'postgres', url, schema: 'mirror' });
    try {
      await text(other.db, 'create schema analytics');
      await text(other.db, 'create view analytics.reservations as select 1 as mine');
      await migrateMirror(other);
      assert.deepEqual(await keepAnalystViews(other), {
        state: 'refused',
        why: 'the schema analytics holds something that is not of stayd',
      });
      assert.deepEqual((await text(other.db, 'select * from analytics.reservations')).rows, [{ mine: 1 }]);
    } finally {
      await other.close();
    }
  });
});
