import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { openedColumns } from '../../../src/sync/tables/rows/sealedValues.ts';
import type { VerifyReport } from '../../../src/sync/scans/verify/verify.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

/** Resource of the daemon, list of the wire and table of the mirror, for each sort. */
const SORTS = [
  ['room_type', 'room_types', 'room_types'],
  ['property_group', 'groups', 'property_groups'],
  ['property_tag', 'tags', 'property_tags'],
  ['reservation_tag', 'reservation_tags', 'reservation_tags'],
  ['calendar_share_link', 'calendar_share_links', 'calendar_share_links'],
] as const;

let w: World;
before(async () => {
  const truth = new Truth();
  fill(truth);
  w = await openWorld({ truth });
});
after(() => w.close());

function fill({ portfolio }: Truth): void {
  const color = '#FFA410';
  const created_at = '2026-11-20T13:00:00+01:00';
  const tags = [{ id: 9, name: 'Sea view', color }];
  portfolio.room_types.set(3, { id: 3, name: 'Doubles', properties: [{ id: 7, name: 'House 7' }], channels: [], tags });
  // More than a page.
  for (let id = 1; id <= 130; id += 1) portfolio.groups.set(id, { id, name: `Group ${id}`, property_ids: [7] });
  portfolio.tags.set(9, { id: 9, name: 'Sea view', color, property_ids: [7], room_type_ids: [3] });
  portfolio.reservation_tags.set(1, { id: 1, tag_name: 'VIP', color, is_default: true });
  portfolio.reservation_tags.set(100, { id: 100, tag_name: 'Band', color, is_default: false });
  const link = { url: 'https://rooms.example/share/one', created_at };
  portfolio.calendar_share_links.set(4, { id: 4, scope: 'partial', property_ids: [7], ...link });
}

const linkName = ({ id }: Record<string, unknown>) => ({
  connection: CONNECTION,
  resource: 'calendar_share_link',
  key: Number(id),
});
const rowsOf = async (table: string) =>
  (
    await sql<Record<string, unknown>>`select * from ${sql.table(table)} where deleted_at is null order by id`.execute(
      w.store.db,
    )
  ).rows.map(
    ({ connection: _c, read_number: _n, first_seen_at: _f, changed_at: _a, deleted_at: _d, raw: _r, ...rest }) =>
      table === 'calendar_share_links' ? openedColumns(w.store.db, linkName(rest), rest) : rest,
  );

async function finished<T>(work: Promise<T>): Promise<T> {
  let result: { value: T } | { error: unknown } | undefined;
  work.then(
    (value) => (result = { value }),
    (error: unknown) => (result = { error }),
  );
  await w.clock.until(() => result !== undefined, 'an end');
  if (result && 'error' in result) throw result.error;
  assert.ok(result);
  return result.value;
}

const reconcile = (resource: string) => finished(w.daemon.reconcile(CONNECTION, resource));
const verify = (): Promise<VerifyReport> => finished(w.daemon.verify(CONNECTION));
const newest = async () => (await w.daemon.feed(CONNECTION).read(0, 10_000)).at(-1);

test('the first start reads them all, each with its columns', async () => {
  assert.deepEqual(await rowsOf('room_types'), [{ id: 3, name: 'Doubles', property_ids: '[7]', tags: '["Sea view"]' }]);
  const groups = await rowsOf('property_groups');
  assert.deepEqual([groups.length, groups[0]], [130, { id: 1, name: 'Group 1', property_ids: '[7]' }]);
  const tag = { id: 9, name: 'Sea view', color: '#FFA410', property_ids: '[7]', room_type_ids: '[3]' };
  assert.deepEqual(await rowsOf('property_tags'), [tag]);
  assert.deepEqual(await rowsOf('reservation_tags'), [
    { id: 1, tag_name: 'VIP', color: '#FFA410', is_default: 1 },
    { id: 100, tag_name: 'Band', color: '#FFA410', is_default: 0 },
  ]);
  assert.deepEqual(await rowsOf('calendar_share_links'), [
    {
      id: 4,
      scope: 'partial',
      property_ids: '[7]',
      url: 'https://rooms.example/share/one',
      created_at: '2026-11-20T12:00:00.000Z',
    },
  ]);
});

test('a change sends no event and is found by the scan, with what differs', async () => {
  w.truth.portfolio.groups.set(5, { id: 5, name: 'Group 5', property_ids: [7, 8] });
  await reconcile('property_group');
  const change = await newest();
  assert.deepEqual(
    [change?.resource, change?.key, change?.op, change?.seen_by],
    ['property_group', '5', 'updated', 'command'],
  );
  assert.match(change?.diff ?? '', /property_ids/);
});

for (const [resource, list, table] of SORTS) {
  test(`verify covers ${list}: missing, extra and different rows are found`, async () => {
    const clean = await verify();
    assert.equal(clean.clean, true, JSON.stringify(clean));
    const [first] = await rowsOf(table);
    const id = Number(first?.['id']);
    const faults = [
      ['different', `update ${table} set raw = '{}' where id = ${id}`],
      ['missing', `delete from ${table} where id = ${id}`],
      ['extra', `update ${table} set id = 77777 where id = ${id}`],
    ] as const;
    for (const [kind, plant] of faults) {
      await sql.raw(plant).execute(w.store.db);
      const found = (await verify()).resources.find((one) => one.resource === resource);
      assert.ok(found && found[kind] > 0, `${kind}: ${JSON.stringify(found)}`);
      await sql.raw(`delete from ${table} where id in (${id}, 77777)`).execute(w.store.db);
      await reconcile(resource);
    }
  });

  test(`${list}: the last row can go, and is believed gone when a second reading lacks it, too`, async () => {
    const rows: Map<number, object> = w.truth.portfolio[list];
    const kept = [...rows];
    rows.clear();
    const [result] = await reconcile(resource);
    assert.deepEqual([result?.state, result?.problem], ['done', null]);
    assert.deepEqual(await rowsOf(table), []);
    assert.equal((await newest())?.op, 'deleted');
    assert.equal((await verify()).clean, true);
    for (const [id, row] of kept) rows.set(id, row);
    await reconcile(resource);
    assert.equal((await rowsOf(table)).length, kept.length, 'and comes back');
  });
}

test('a deployment without such lists is mirrored all the same, and verify is clean', async () => {
  const truth = new Truth();
  truth.put(makeStay(1));
  const absent = ['/room_types', '/groups', '/tags', '/reservation_tags', '/calendar_share_links'];
  truth.fault = ({ path }) =>
    absent.includes(path) ? { kind: 'code', code: path === '/tags' ? 501 : 404 } : undefined;
  const without = await openWorld({ truth });
  try {
    assert.equal((await without.store.db.selectFrom('stays').select('id').execute()).length, 1);
    const scans = (await without.daemon.status(CONNECTION)).scans;
    assert.equal(scans['property_group']?.state, 'done');
    let report: VerifyReport | undefined;
    void without.daemon.verify(CONNECTION).then((done) => (report = done));
    await without.clock.until(() => report !== undefined, 'a report');
    assert.equal(report?.clean, true, JSON.stringify(report));
  } finally {
    await without.close();
  }
});

test('a list that is no longer answered takes nothing away, and verify says so', async () => {
  w.truth.fault = ({ path }) => (path === '/groups' ? { kind: 'code', code: 404 } : undefined);
  const [result] = await reconcile('property_group');
  assert.match(result?.problem ?? '', /upstream does not have it/);
  assert.equal((await rowsOf('property_groups')).length, 130);
  const report = await verify();
  const found = report.resources.find((one) => one.resource === 'property_group');
  assert.deepEqual([report.clean, found?.clean], [false, false]);
  w.truth.fault = () => undefined;
});
