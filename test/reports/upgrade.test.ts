import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { mirrorBridge } from '../../migrations/bridge/mirror/index.ts';
import { CONNECTION, openWorld } from '../support/mirror.ts';
import { truthWithBooks } from './support/books.ts';

const TABLES = ['stay_figures', 'stay_items', 'property_listings'];

test('rows of before the migration get what reports ask by the scan after the next start, without a change in the feed', async (t) => {
  const w = await openWorld({ truth: truthWithBooks() });
  t.after(() => w.close());
  await w.quiet();
  const contents = async () => {
    const rows: unknown[] = [];
    for (const name of [...TABLES, 'stay_nights']) {
      rows.push((await sql`select * from ${sql.table(name)} order by 1, 2, 3, 4`.execute(w.store.db)).rows);
    }
    return rows;
  };
  const wanted = await contents();
  const changes = (await w.daemon.feed(CONNECTION).read(0, 10_000)).length;

  // As it was before.
  const { rows: views } = await sql<{ name: string }>`select name from sqlite_schema where type = 'view'`.execute(
    w.store.db,
  );
  for (const { name } of views) await sql`drop view ${sql.table(name)}`.execute(w.store.db);
  for (const name of [...TABLES, 'dates']) await sql`drop table ${sql.table(name)}`.execute(w.store.db);
  await sql`drop index availability_days_closed`.execute(w.store.db);
  const columns = ['night_number', 'nights', 'kind', 'booked_date', 'cancelled_date', 'rental_minor', 'tax_minor'];
  for (const name of columns) await sql`alter table stay_nights drop column ${sql.ref(name)}`.execute(w.store.db);

  await w.store.transaction((trx) => mirrorBridge['0010_reports']?.up(trx) ?? assert.fail('no such migration'));
  assert.notDeepEqual(await contents(), wanted);
  await w.restart();
  await w.quiet();

  assert.deepEqual(await contents(), wanted);
  assert.equal((await w.daemon.feed(CONNECTION).read(0, 10_000)).length, changes);
  let clean: boolean | undefined;
  void w.daemon.verify(CONNECTION).then((report) => (clean = report.clean));
  await w.clock.until(() => clean !== undefined, 'a report');
  assert.equal(clean, true);
});
