import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { sql } from 'kysely';
import { readCalendar } from '../../src/console/calendar/query.ts';
import { daysAround } from '../../src/console/frame/format.ts';
import { readProperties } from '../../src/console/properties.ts';
import { readDay } from '../../src/console/today/query.ts';
import { nightsOf, type PlainDate } from '../../src/kernel/dates.ts';
import type { MirrorStore } from '../../src/sync/tables/database.ts';
import { onBothMirrors } from '../support/mirrorStores.ts';

const TODAY = '2027-03-10';
const AT = '2027-03-01T00:00:00Z';
const facts = { read_number: 1, first_seen_at: AT, changed_at: AT, raw: '{}' };

interface Stay {
  connection?: string;
  property?: number;
  from: PlainDate;
  to: PlainDate;
  status?: string;
  more?: Record<string, unknown>;
}

async function put({ db }: MirrorStore, code: string, stay: Stay): Promise<void> {
  const { connection = 'local', property = 1, from, to, status = 'accepted', more = {} } = stay;
  const key = { connection, stay_code: code };
  const dates = { check_in_date: from, check_out_date: to };
  const row = { ...key, ...facts, reservation_code: code, property_id: property, status, ...dates, ...more };
  await db
    .insertInto('stays')
    .values(row as never)
    .execute();
  const nights = nightsOf(from, to).map((night, index) => ({
    ...key,
    night,
    property_id: property,
    status,
    night_number: index + 1,
  }));
  await db
    .insertInto('stay_nights')
    .values(nights as never)
    .execute();
  const guest = { ...key, guest_key: 'booker', name: `Guest of ${code}`, is_booker: 1 };
  await db
    .insertInto('guests')
    .values(guest as never)
    .execute();
}

function cases(open: () => MirrorStore): void {
  const day = (more: object = {}) =>
    readDay(open().db, { connection: 'local', date: TODAY, around: daysAround(TODAY), ...more });
  const codes = (rows: readonly { stay_code: string }[]) => rows.map(({ stay_code }) => stay_code);

  before(async () => {
    for (const [id, name] of [
      [1, 'Sea House'],
      [2, 'Barn'],
    ] as const) {
      const property = { connection: 'local', id, name, status: 'active', ...facts };
      await open()
        .db.insertInto('properties')
        .values(property as never)
        .execute();
    }
    await put(open(), 'arrives', { from: TODAY, to: '2027-03-12' });
    await put(open(), 'leaves', { from: '2027-03-08', to: TODAY, property: 2 });
    await put(open(), 'stays', { from: '2027-03-09', to: '2027-03-11', property: 2 });
    await put(open(), 'cancelled', { from: TODAY, to: '2027-03-12', status: 'cancelled' });
    await put(open(), 'gone', { from: TODAY, to: '2027-03-12', more: { deleted_at: AT } });
    // The daemon removes the nights of what is gone.
    await open().db.deleteFrom('stay_nights').where('stay_code', '=', 'gone').execute();
    await put(open(), 'asks', { from: '2027-03-20', to: '2027-03-22', status: 'wait_accept' });
    await put(open(), 'boxed', { from: '2027-03-11', to: '2027-03-13', property: 0, more: { in_reservation_box: 1 } });
    await put(open(), 'other', { from: TODAY, to: '2027-03-12', connection: 'other' });
    const identity = { connection: 'local', stay_code: 'arrives', guest_key: '7', id_number: 'X1' };
    await open()
      .db.insertInto('guests')
      .values(identity as never)
      .execute();
  });

  it('has the accepted stays of the day alone, each in its list', async () => {
    const { arrivals, departures, staying } = await day();
    assert.deepEqual([codes(arrivals), codes(departures), codes(staying)], [['arrives'], ['leaves'], ['stays']]);
    const [{ guest, property, has_identity } = assert.fail()] = arrivals;
    assert.deepEqual([guest, property, Number(has_identity)], ['Guest of arrives', 'Sea House', 1]);
    assert.equal(departures[0]?.has_identity, null);
  });

  it('counts the days around, the requests and the stays without a property', async () => {
    const { around, requests, unplaced } = await day();
    const busy = around.filter(({ arrivals, departures }) => arrivals + departures > 0);
    assert.deepEqual(busy, [
      { date: '2027-03-09', arrivals: 1, departures: 0 },
      { date: TODAY, arrivals: 1, departures: 1 },
      { date: '2027-03-11', arrivals: 1, departures: 1 },
      { date: '2027-03-12', arrivals: 0, departures: 1 },
      { date: '2027-03-13', arrivals: 0, departures: 1 },
    ]);
    assert.deepEqual([requests, unplaced], [1, 1]);
  });

  it('keeps to the properties of a person, in every list and count', async () => {
    const { arrivals, departures, staying, requests, unplaced } = await day({ properties: [2] });
    assert.deepEqual([codes(arrivals), codes(departures), codes(staying)], [[], ['leaves'], ['stays']]);
    assert.deepEqual([requests, unplaced], [0, 0]);
    assert.deepEqual(await day({ properties: [] }).then(({ staying: none }) => none), []);
    const choices = await readProperties(open().db, { connection: 'local', properties: [2] });
    assert.deepEqual(
      choices.map(({ name }) => name),
      ['Barn'],
    );
    assert.equal((await readProperties(open().db, { connection: 'local' })).length, 2);
  });

  it('Calendar has the stays and the blocks of each property, and finds one by a part of its name', async () => {
    const closed = { connection: 'local', property_id: 1, date: '2027-03-15', available: 0, remarks: 'paint' };
    await open().db.insertInto('availability_days').values(closed).execute();
    const asked = { connection: 'local', from: TODAY, page: 1, hasNames: true };
    const { units, pages } = await readCalendar(open().db, asked);
    const spans = units.map(({ name, lanes }) => [
      name,
      lanes.flat().map(({ first, nights, text }) => [first, nights, text]),
    ]);
    assert.deepEqual(spans, [
      ['Barn', [[0, 1, 'Guest of stays']]],
      [
        'Sea House',
        [
          [0, 2, 'Guest of arrives'],
          [5, 1, 'paint'],
        ],
      ],
    ]);
    assert.deepEqual(pages, [2]);
    const one = await readCalendar(open().db, { ...asked, named: 'SEA', page: 7 });
    assert.deepEqual([one.units.map(({ id }) => id), one.page], [[1], 1]);
    assert.deepEqual((await readCalendar(open().db, { ...asked, properties: [] })).units, []);
  });
}

onBothMirrors('what pages ask the mirror', cases, (open) => {
  it('counts what waits by its own index, however many stays there are', async () => {
    const { rows } = await sql<{ detail: string }>`explain query plan select count(*) from stays
      where connection = 'local' and status = 'wait_accept' and deleted_at is null`.execute(open().db);
    assert.match(rows.map(({ detail }) => detail).join(), /stays_requested/);
  });
});
