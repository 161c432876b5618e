import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { instantOf } from '../../../src/kernel/dates.ts';
import type { VerifyReport } from '../../../src/sync/scans/verify/verify.ts';
import { reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { makeProperty, makeStay, makeTransaction } from '../../support/rows.ts';
import { Truth } from '../../support/truth.ts';

/** More than a page. */
const STAYS = 110;
let w: World;

before(async () => {
  const truth = new Truth();
  for (let id = 1; id <= STAYS; id += 1) {
    const guests = [
      {
        id: 1_000 + id,
        name: `Person ${id}`,
        phone: null,
        email: null,
        id_type: null,
        id_number: null,
        gender: null,
        country: 'DE',
        is_booker: true,
        id_images: [],
      },
    ];
    truth.put(makeStay(id, { guests, tags: ['late'] }));
    truth.transactions.set(id, makeTransaction(id, { reservation_code: makeStay(id).reservation_code }));
  }
  truth.customChannels.set(1, 'Friends');
  w = await openWorld({ truth });
});
after(() => w.close());

async function verify(): Promise<VerifyReport> {
  let report: VerifyReport | undefined;
  let failure: unknown;
  w.daemon.verify(CONNECTION).then(
    (done) => (report = done),
    (error: unknown) => (failure = error),
  );
  await w.clock.until(() => report !== undefined || failure !== undefined, 'a report');
  if (failure) throw failure;
  assert.ok(report);
  return report;
}

/** Plants a fault, sees it found, and takes it away again. */
async function planted(
  resource: string,
  kind: 'missing' | 'extra' | 'different',
  plant: string,
  mending: string,
): Promise<void> {
  const report = await withFault(plant, mending);
  const found = report.resources.find((one) => one.resource === resource);
  assert.equal(report.clean, false, plant);
  assert.ok(found && found[kind] > 0, `${plant}: ${JSON.stringify(found)}`);
  const text = JSON.stringify(report);
  assert.doesNotMatch(text, /Person|Guest \d/, 'no personal value in a report');
}

async function withFault(plant: string, mending: string): Promise<VerifyReport> {
  await sql.raw(plant).execute(w.store.db);
  try {
    return await verify();
  } finally {
    await sql.raw(mending).execute(w.store.db);
  }
}

test('a mirror that is like upstream is clean, and says what it compared', async () => {
  const report = await verify();
  assert.equal(report.clean, true, JSON.stringify(report));
  const stays = report.resources.find((one) => one.resource === 'reservation');
  assert.deepEqual([stays?.upstream_total, stays?.missing, stays?.extra, stays?.different], [STAYS, 0, 0, 0]);
  assert.ok((stays?.compared ?? 0) >= STAYS);
});

const own = new Set(['connection', 'read_number', 'first_seen_at', 'changed_at', 'deleted_at']);
const tables: { table: string; resource: string; where: string }[] = [
  { table: 'stays', resource: 'reservation', where: `stay_code = '5-R000077'` },
  { table: 'reservations', resource: 'reservation', where: `reservation_code = '5-R000077'` },
  { table: 'stay_nights', resource: 'reservation', where: `stay_code = '5-R000077' and night = '2027-03-06'` },
  { table: 'guests', resource: 'reservation', where: `stay_code = '5-R000077' and guest_key = '1077'` },
  { table: 'transactions', resource: 'transaction', where: 'id = 77' },
  { table: 'properties', resource: 'property', where: 'id = 7' },
  { table: 'custom_channels', resource: 'custom_channel', where: 'id = 1' },
  { table: 'dictionary_items', resource: 'dictionary_item', where: `item = 'income_items/1'` },
  { table: 'webhooks', resource: 'webhook', where: `events = '[]'` },
  { table: 'accounts', resource: 'account', where: `account_id = 'acc'` },
];

for (const { table, resource, where } of tables) {
  test(`a planted change is found in any column of ${table}`, async () => {
    const columns = (await w.store.db.introspection.getTables()).find((one) => one.name === table)?.columns ?? [];
    assert.ok(columns.length > 3);
    const names = columns.map((column) => column.name).filter((name) => !own.has(name));
    const key = where.split(' ')[0] ?? '';
    for (const name of names.filter((one) => one !== key && !where.includes(`${one} =`))) {
      const { rows } = await sql<{
        value: string | number | null;
      }>`select ${sql.ref(name)} as value from ${sql.table(table)} where ${sql.raw(where)}`.execute(w.store.db);
      const before = rows[0]?.value;
      assert.notEqual(before, undefined, `${table}.${name}`);
      await w.store.db.executeQuery(
        sql`update ${sql.table(table)} set ${sql.ref(name)} = ${typeof before === 'number' ? before + 1 : `${before ?? ''}x`} where ${sql.raw(where)}`.compile(
          w.store.db,
        ),
      );
      const report = await verify();
      await w.store.db.executeQuery(
        sql`update ${sql.table(table)} set ${sql.ref(name)} = ${before ?? null} where ${sql.raw(where)}`.compile(
          w.store.db,
        ),
      );
      const found = report.resources.find((one) => one.resource === resource);
      assert.ok(
        !report.clean && found && found.different + found.missing > 0,
        `${table}.${name} was not found: ${JSON.stringify(found)}`,
      );
    }
  });
}

test('a deleted row and an extra one are found in each table', async () => {
  await planted(
    'transaction',
    'missing',
    `update transactions set deleted_at = 'x' where id = 5`,
    `update transactions set deleted_at = null where id = 5`,
  );
  await planted(
    'reservation',
    'different',
    `delete from stay_nights where stay_code = '5-R000009' and night = '2027-03-05'`,
    `insert into stay_nights select connection, '2027-03-05', property_id, stay_code, status, channel_type, booked_at, cancelled_at, currency, rate_minor, night_number - 1, nights, kind, booked_date, cancelled_date, rental_minor, tax_minor from stay_nights where stay_code = '5-R000009' and night = '2027-03-06'`,
  );
  await planted(
    'reservation',
    'extra',
    `insert into stay_nights select connection, night, property_id, 'NOBODY', status, channel_type, booked_at, cancelled_at, currency, rate_minor, night_number, nights, kind, booked_date, cancelled_date, rental_minor, tax_minor from stay_nights where stay_code = '5-R000009' and night = '2027-03-06'`,
    `delete from stay_nights where stay_code = 'NOBODY'`,
  );
  await planted(
    'transaction',
    'extra',
    `insert into transactions select connection, 99999, reservation_code, property_id, direction, status, item_id, item_name, payment_method_id, payment_method_name, amount_minor, currency, action_at, action_date, link_type, operator_name, created_at, updated_at, read_number, first_seen_at, changed_at, deleted_at, raw from transactions where id = 9`,
    `delete from transactions where id = 99999`,
  );
  await planted(
    'availability',
    'different',
    `update availability_days set available = 0 where date = '2027-05-05'`,
    `update availability_days set available = 1 where date = '2027-05-05'`,
  );
  await planted(
    'availability',
    'missing',
    `delete from availability_days where date = '2027-05-05'`,
    `insert into availability_days select connection, property_id, '2027-05-05', available, remarks from availability_days where date = '2027-05-06'`,
  );
});

test('a row removed outright is missing', async () => {
  await sql.raw(`create table kept_stay as select * from stays where id = 40`).execute(w.store.db);
  await planted(
    'reservation',
    'missing',
    'delete from stays where id = 40',
    'insert into stays select * from kept_stay',
  );
});

test('the night that midnight has brought into reach is owed from the next complete reading on', async () => {
  const { rows } = await sql<{
    date: string;
  }>`select max(date) as date from availability_days where property_id = 7`.execute(w.store.db);
  const last = rows[0]?.date ?? '';
  const day = instantOf(w.clock.now() - 86_400_000);
  const change = async (query: ReturnType<typeof sql>) => void (await query.execute(w.store.db));
  await change(sql`update availability_reads set complete_read_at = ${day} where property_id = 7`);
  await change(sql`delete from availability_days where property_id = 7 and date = ${last}`);
  assert.equal((await verify()).clean, true);
  await change(sql`update availability_reads set complete_read_at = ${instantOf(w.clock.now())} where property_id = 7`);
  const report = await verify();
  const nights = report.resources.find((one) => one.resource === 'availability');
  assert.deepEqual([report.clean, nights?.missing, nights?.examples[0]?.paths], [false, 1, [last]]);
  await change(
    sql`insert into availability_days (connection, property_id, date, available) values (${CONNECTION}, 7, ${last}, 1)`,
  );
});

test('what changes while it is verified is no difference once its event has been read', async () => {
  let changed = false;
  w.truth.before = (asked) => {
    if (changed || asked.path !== '/reservations') return;
    changed = true;
    w.truth.patch(3, { status: 'cancelled' });
    void w.daemon.accept(CONNECTION, Buffer.from(JSON.stringify(reservationEvent(makeStay(3)))), {
      'service-webhook-secret-token': w.truth.secret(),
    });
  };
  const report = await verify();
  w.truth.before = () => {};
  assert.equal(changed, true);
  assert.equal(report.clean, true, JSON.stringify(report));
});

test('a change that nobody announced is a difference', async () => {
  w.truth.patch(4, { status: 'cancelled' });
  const report = await verify();
  assert.equal(report.clean, false);
  const stays = report.resources.find((one) => one.resource === 'reservation');
  assert.deepEqual([stays?.different, stays?.examples[0]?.key], [1, '5-R000004']);
  w.truth.patch(4, { status: 'accepted' });
});

test('many differences are confirmed together, within seconds and by few requests', async (t) => {
  const DIFFERENT = 200;
  const truth = new Truth();
  for (let id = 1; id <= 600; id += 1) {
    truth.put(makeStay(id));
    truth.transactions.set(id, makeTransaction(id));
  }
  for (let id = 1; id <= DIFFERENT; id += 1) truth.properties.set(id, makeProperty(id));
  const other = await openWorld({ truth });
  t.after(() => other.close());
  for (const plant of [
    `update stays set status = 'bent' where id <= ${DIFFERENT}`,
    `update transactions set currency = 'XXX' where id <= ${DIFFERENT}`,
    `update availability_days set available = 0 where date = '2027-05-05'`,
  ]) {
    await sql.raw(plant).execute(other.store.db);
  }
  const calm = { requests: truth.count(), at: other.clock.monotonic() };
  let report: VerifyReport | undefined;
  void other.daemon.verify(CONNECTION).then((done) => (report = done));
  await other.clock.until(() => report !== undefined, 'a report');
  const different = report?.resources.filter((one) => one.different > 0).map((one) => [one.resource, one.different]);
  assert.deepEqual(different, [
    ['transaction', DIFFERENT],
    ['reservation', DIFFERENT],
    ['availability', DIFFERENT],
  ]);
  const took = other.clock.monotonic() - calm.at;
  assert.ok(took < 5_000, `${took} ms`);
  const requests = truth.count() - calm.requests;
  assert.ok(requests < 300, `${requests} requests`);
});
