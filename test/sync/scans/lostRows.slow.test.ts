import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeListing, makeProperty, makeStay, makeTransaction } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';
import { makeMessage, makeConversation } from '../../support/wireConversations.ts';
import type { VerifyReport } from '../../../src/sync/scans/verify/verify.ts';
import type { ScanResult } from '../../../src/sync/scans/purpose.ts';

async function world(t: TestContext): Promise<World> {
  const truth = new Truth();
  for (let id = 1; id <= 4; id += 1) truth.put(makeStay(id));
  truth.properties.set(8, makeProperty(8));
  truth.listings.set(1, makeListing(1, { listing_id: 'L/1' }));
  truth.transactions.set(1, makeTransaction(1));
  truth.conversations.set('T1', makeConversation('T1', [makeMessage('m1'), makeMessage('m2')]));
  const w = await openWorld({ truth });
  t.after(() => w.close());
  return w;
}

async function reconcile(w: World): Promise<ScanResult[]> {
  let results: ScanResult[] | undefined;
  void w.daemon.reconcile(CONNECTION).then((all) => (results = all));
  await w.clock.until(() => results !== undefined, 'an end of the reconciliation');
  await w.quiet();
  return results ?? [];
}

async function verify(w: World): Promise<VerifyReport> {
  let report: VerifyReport | undefined;
  void w.daemon.verify(CONNECTION).then((found) => (report = found));
  await w.clock.until(() => report !== undefined, 'a report');
  if (!report) throw new Error('no report');
  return report;
}

async function tables(w: World): Promise<string[]> {
  const names = ['stays', 'reservations', 'guests', 'stay_nights', 'stay_figures', 'stay_items', 'personal_values'];
  const more = ['properties', 'property_listings', 'listings', 'calendar_days', 'calendar_reads', 'availability_days'];
  const last = ['availability_reads', 'transactions', 'conversations', 'messages'];
  const found: string[] = [];
  for (const name of [...names, ...more, ...last]) {
    const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(w.store.db);
    if ((rows[0]?.rows ?? 0) > 0) found.push(name);
  }
  return found;
}

test('rows deleted by hand from any table are mended by one reconciliation, and nothing is quarantined', async (t) => {
  const w = await world(t);
  const names = await tables(w);
  assert.ok(names.length > 10, names.join());
  for (const name of names) {
    await sql`delete from ${sql.table(name)}`.execute(w.store.db);
    const results = await reconcile(w);
    const failed = results.filter(({ state }) => state === 'failed');
    assert.deepEqual(
      failed.map(({ resource, problem }) => [resource, problem]),
      [],
      name,
    );
    const aside = await w.store.db.selectFrom('quarantine').select(['resource', 'problem']).execute();
    assert.deepEqual(aside, [], `${name} deleted`);
    const { clean, resources } = await verify(w);
    assert.ok(clean, `${name}: ${JSON.stringify(resources.filter((one) => !one.clean))}`);
  }
});

test('what a stay that was deleted by hand has left under its old dates goes, too, and the reconciliation says so', async (t) => {
  const w = await world(t);
  await sql`delete from stays`.execute(w.store.db);
  w.truth.patch(1, { check_in_date: '2027-03-01', check_out_date: '2027-03-04' });
  w.truth.stays.delete(2);
  const results = await reconcile(w);
  assert.match(results.find(({ resource }) => resource === 'reservation')?.mended ?? '', /hung on 2 stays .* deleted/);
  const { clean, resources } = await verify(w);
  assert.ok(clean, JSON.stringify(resources.filter((one) => !one.clean)));
});

test('a reconciliation says how many rows it has quarantined', async (t) => {
  const w = await world(t);
  const keyless = { reservation_code: {} as unknown as string, stay_code: [] as unknown as string };
  w.truth.put(makeStay(5, keyless));
  const results = await reconcile(w);
  assert.deepEqual(
    results
      .filter(({ quarantined }) => quarantined !== undefined)
      .map(({ resource, quarantined }) => [resource, quarantined]),
    [['reservation', 1]],
  );
});
