import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDays, instantOf, nightsOf } from '../../src/kernel/dates.ts';
import { signingKey, verifyWebhook } from '../../src/kernel/signature.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';
import { call, type Row, startTestService, type TestService, until } from '../support/service.ts';

/** One booking, all the way: the request, its rows, its events, the mirror, and what no event tells of. */
describe('the worked example', () => {
  let service: TestService;
  let receiver: TestReceiver;
  let property: number;
  let secret: string;
  const arrival = addDays(instantOf(Date.now()).slice(0, 10), 30);
  const departure = addDays(arrival, 3);
  const nights = nightsOf(arrival, departure);

  before(async () => {
    receiver = await startReceiver();
    service = await startTestService({ STAYD_OUTBOUND_ALLOW: receiver.host });
    property = (await service.v3('POST', '/properties', { title: 'House' })).property_id;
    secret = (await service.v3('POST', '/webhooks', { url: receiver.url })).secret_token;
    await service.settled();
    await service.portal('POST', '/portal/reconcile', {});
  });
  after(async () => {
    await service.remove();
    await receiver.close();
  });

  const head = async () => Number((await service.rows('select max(seq) as seq from mirror.changes'))[0]?.['seq'] ?? 0);
  const changesAfter = async (seq: number): Promise<Row[]> =>
    (await service.portal('GET', `/mirror/changes?after=${seq}&limit=1000`)).changes;
  const count = async (table: string, code: string) =>
    Number((await service.rows(`select count(*) as n from ${table} where reservation_code = '${code}'`))[0]?.['n']);
  const received = () => receiver.received.map((one) => ({ ...one, payload: JSON.parse(one.body) as Row }));

  it('goes from the request to the feed, and a deposit is found by a scan', async () => {
    const from = await head();

    // 1. A direct booking is made.
    const { http, json } = await call(service, 'POST', '/v3/reservations', {
      token: null,
      headers: { 'Service-Access-Token': service.token },
      body: {
        property_id: property,
        check_in_date: arrival,
        check_out_date: departure,
        guest_name: 'A. Guest',
        rate_amount: 300,
        commission_amount: 0,
        received_amount: 100,
        currency: 'EUR',
        channel_id: 'WEB1042',
      },
    });
    const code: string = json.data.reservation_code;
    assert.match(code, /^5-WEB1042-[A-Z2-9]{6}$/);
    assert.match(json.request_id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual(
      { http, ...json, request_id: '' },
      {
        http: 200,
        request_id: '',
        error_code: 200,
        error_msg: 'Done.',
        data: {
          reservation: { reservation_code: code, status: 'accepted' },
          reservation_code: code,
          status: 'accepted',
        },
      },
    );
    const [stay] = await service.rows(`select * from core.stays where reservation_code = '${code}'`);
    assert.deepEqual(
      [stay?.['stay_code'], stay?.['status'], await count('core.reservations', code)],
      [code, 'accepted', 1],
    );
    const number = Number(stay?.['id']);
    const held = await service.rows(
      `select night, property_id from core.nights where stay_id = ${number} order by night`,
    );
    assert.deepEqual(
      held.map((row) => [row['night'], row['property_id']]),
      nights.map((night) => [night, property]),
    );
    const [entry, ...more] = await service.rows(`select * from core.transactions where reservation_code = '${code}'`);
    assert.deepEqual([entry?.['direction'], entry?.['amount'], more], ['income', 100_00, []]);
    const audit = await service.rows(`select action from core.audit where subject = '${code}'`);
    assert.deepEqual(audit, [{ action: 'createReservation' }]);

    // 2. Each event goes once to each registered address.
    await until(() => receiver.received.length >= 3, 'three events');
    await service.settled();
    const told = new Map(received().map((one) => [one.payload['event'], one]));
    assert.equal(receiver.received.length, 3);
    const { event_id: id, timestamp, ...created } = told.get('reservation_created')?.payload ?? {};
    assert.deepEqual(created, {
      event: 'reservation_created',
      reservation_code: code,
      stay_code: code,
      property_id: property,
    });
    assert.ok(instantOf(Date.parse(String(timestamp))) === timestamp, 'UTC, as it was queued');
    assert.deepEqual(
      told.get('property_availability_updated')?.payload['availabilities'],
      nights.map((date) => ({ date, available: false })),
    );
    assert.equal(told.get('transaction_created')?.payload['transaction_id'], entry?.['id']);
    for (const { headers, body, payload } of received()) {
      assert.equal(headers['service-webhook-secret-token'], secret);
      assert.equal(headers['webhook-id'], payload['event_id']);
      const signed = {
        id: String(headers['webhook-id']),
        timestamp: String(headers['webhook-timestamp']),
        signature: String(headers['webhook-signature']),
        body: Buffer.from(body),
      };
      assert.ok(verifyWebhook(signingKey(secret), signed, Date.now()));
    }

    // 3. The receiver of the mirror has each event once, with what it says must be read again.
    const inbox = await service.rows(
      `select event_id, event, resource, key, state from mirror.inbox order by event_id desc limit 3`,
    );
    const rereads = new Map(inbox.map((row) => [row['event'], row]));
    for (const [event, resource, key] of [
      ['reservation_created', 'reservation', code],
      ['property_availability_updated', 'availability', String(property)],
      ['transaction_created', 'transaction', String(entry?.['id'])],
    ] as const) {
      const row = rereads.get(event);
      assert.deepEqual([row?.['resource'], row?.['key'], row?.['state']], [resource, key, 'done']);
      assert.equal(row?.['event_id'], told.get(event)?.payload['event_id']);
    }

    // 4. and 5. It has read them, and says so in rows and in the feed; the name stands in one table.
    const [mirrored] = await service.rows(`select * from mirror.stays where stay_code = '${code}'`);
    assert.deepEqual(
      [mirrored?.['rate_minor'], mirrored?.['received_minor'], mirrored?.['nights']],
      [300_00, 100_00, 3],
    );
    assert.ok(Number(mirrored?.['read_number']) > 0);
    assert.doesNotMatch(String(mirrored?.['raw']), /A\. Guest/);
    const [guest] = await service.rows(`select name from mirror.guests where stay_code = '${code}'`);
    assert.equal(guest?.['name'], 'A. Guest');
    assert.equal((await service.rows(`select 1 from mirror.stay_nights where stay_code = '${code}'`)).length, 3);
    assert.equal(await count('mirror.reservations', code), 1);
    const taken = await service.rows(
      `select date from mirror.availability_days where property_id = ${property} and available = 0 order by date`,
    );
    assert.deepEqual(
      taken.map((row) => row['date']),
      nights,
    );
    const versions = await service.rows(`select 1 from mirror.versions where key = '${code}'`);
    assert.deepEqual(versions, [], 'nothing was replaced');
    const [row, ...others] = (await changesAfter(from)).filter((one) => one['key'] === code);
    assert.deepEqual([row?.['resource'], row?.['op'], row?.['diff'], others], ['reservation', 'created', null, []]);
    // The entry's event names the booking too, and may come first.
    if (row?.['seen_by'] === 'event') assert.ok((row['event_ids'] as unknown[]).includes(id));
    else assert.equal(row?.['seen_by'], 'related');

    // 6. A deposit is asked for, which is told, and then paid, which is not.
    await service.v3('PATCH', `/reservations/${code}/check_in_details`, { deposit: 200 });
    await until(() => receiver.received.length >= 4, 'the event of the details');
    await service.settled();
    const details = received().at(-1)?.payload;
    assert.deepEqual([details?.['event'], details?.['sub_event']], ['reservation_updated', 'check_in_details_updated']);
    const asked = await head();
    await service.run(
      `update core.deposits set paid_amount = 20000, pending_refund_amount = 20000, status = 'paid'
        where stay_id = ${number}`,
    );
    await service.portal('POST', '/portal/reconcile', { resource: 'reservation' });
    await service.settled();
    assert.equal(receiver.received.length, 4, 'no event tells of a deposit');
    const [paid] = (await changesAfter(asked)).filter((one) => one['key'] === code);
    assert.deepEqual(
      [paid?.['op'], paid?.['derived'], paid?.['event_ids'], paid?.['seen_by'] === 'event'],
      ['updated', 'deposit_paid', [], false],
    );
    const path = 'check_in_details.deposit_details.paid_amount';
    assert.deepEqual(
      ((paid?.['diff'] ?? []) as Row[]).filter((one) => one['path'] === path),
      [{ path, before: 0, after: 200 }],
    );
    const [replaced] = await service.rows(
      `select valid_from, valid_to, raw from mirror.versions where change_seq = ${Number(paid?.['seq'])}`,
    );
    assert.ok(String(replaced?.['valid_from']) < String(replaced?.['valid_to']));
    assert.equal(JSON.parse(String(replaced?.['raw'])).check_in_details.deposit_details.paid_amount, 0);

    // A changed date found the same way is no such thing: an event was due.
    const before = await head();
    const later = addDays(departure, 1);
    await service.run(`update core.stays set check_out_date = '${later}' where id = ${number}`);
    await service.portal('POST', '/portal/reconcile', { resource: 'reservation' });
    const [moved] = (await changesAfter(before)).filter((one) => one['key'] === code);
    assert.deepEqual([moved?.['op'], moved?.['derived']], ['updated', null]);
  });
});
