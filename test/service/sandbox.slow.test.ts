import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, newToken, startTestService, type TestService } from '../support/service.ts';

describe('sandbox marketplaces', () => {
  let service: TestService;
  let property: number;
  before(async () => {
    service = await startTestService();
    property = (await service.v3('POST', '/properties', { title: 'Mill' })).property_id;
  });
  after(() => service.remove());

  const act = (path: string, body: object) => service.portal('POST', `/portal/sandbox/${path}`, body);
  const refused = async (path: string, body: object) => {
    const { http, json } = await call(service, 'POST', `/portal/sandbox/${path}`, { body });
    return [http, json.error.message];
  };
  let listings = 0;
  /** A listing on an account of its own. */
  const list = async (channel_type: string, more: object = {}): Promise<string> => {
    listings += 1;
    const { channel_account_id } = await act('channel_accounts', { channel_type });
    const property_id = (await service.v3('POST', '/properties', { title: `House ${listings}` })).property_id;
    const draft = { channel_account_id, property_id, base_price: 100, ...more };
    return (await act('listings', draft)).listing_id;
  };

  it('a guest books on a listing: the property is found, the price comes from the calendar, and an event arrives', async () => {
    const { channel_account_id } = await act('channel_accounts', { channel_type: 'marketplace_a' });
    const draft = { channel_account_id, property_id: property, base_price: 100 };
    const { listing_id } = await act('listings', draft);
    await act('listings/calendar', {
      channel_type: 'marketplace_a',
      listing_id,
      prices: [{ start_date: '2027-03-06', end_date: '2027-03-06', price: 130.5 }],
    });
    await act('listings/settings', { channel_type: 'marketplace_a', listing_id, settings: { cleaning_fee: 40 } });
    const booked = await act('bookings', {
      channel_type: 'marketplace_a',
      listing_id,
      check_in_date: '2027-03-05',
      check_out_date: '2027-03-08',
      guest: { name: 'Ada Guest' },
    });
    assert.equal(booked.status, 'accepted');
    const [stay] = (await service.v3('GET', `/reservations?reservation_code=${booked.reservation_code}`)).reservations;
    assert.equal(stay.property_id, property);
    assert.deepEqual(
      stay.rates.details.map((line: { type: string; amount: number }) => [line.type, line.amount]),
      [
        ['ACCOMMODATION', 330.5],
        ['CLEANING_FEE', 40],
        ['HOST_SERVICE_FEE', 55.58],
        ['TAX', 25.94],
      ],
    );
    await service.settled();
    const [mirrored] = await service.rows('select property_id, status, channel_type from mirror.stays');
    assert.deepEqual(mirrored, { property_id: property, status: 'accepted', channel_type: 'marketplace_a' });
    const events = await service.rows("select body from core.outbox where body like '%reservation_created%'");
    assert.equal(events.length, 1);
  });
  const dates = { check_in_date: '2027-04-05', check_out_date: '2027-04-08' };
  const on = (channel_type: string, listing_id: string, more: object = {}) => ({
    channel_type,
    listing_id,
    ...dates,
    ...more,
  });

  it('is open to the control secret and to writable tokens of the main account, and to nobody else', async () => {
    const body = { channel_type: 'marketplace_b' };
    const asked = async (token: string | null) =>
      (await call(service, 'POST', '/portal/sandbox/channel_accounts', { body, token })).http;
    const sub = await service.portal('POST', '/portal/sub_accounts', { name: 'Cleaner', property_ids: [property] });
    const draft = { name: 'cleaner', scope: 'write', operator_id: sub.operator_id ?? sub.id };
    const { token: cleaner } = await service.portal('POST', '/portal/tokens', draft);
    assert.equal(await asked(service.token), 200);
    assert.equal(await asked(await newToken(service, 'read')), 401);
    assert.equal(await asked(cleaner), 401);
    assert.equal(await asked(null), 401);
    assert.equal(await asked('unknown'), 401);
  });

  it('is refused where no core runs', async () => {
    const alone = await startTestService({ STAYD_UPSTREAM_URL: service.url, STAYD_UPSTREAM_TOKEN: service.token });
    try {
      const body = { channel_type: 'marketplace_a' };
      const answer = await call(alone, 'POST', '/portal/sandbox/channel_accounts', { body });
      assert.equal(answer.http, 404, answer.text);
      const order = { days: 1, properties: 1, seed: 1 };
      const simulated = await call(alone, 'POST', '/portal/sandbox/simulations', { body: order });
      assert.match(simulated.text, /no marketplace to play/);
    } finally {
      await alone.remove();
    }
  });

  it('refuses a closed night, unless overbooked: then the stay whose nights are taken lies in the box', async () => {
    const listing_id = await list('marketplace_b');
    await act('bookings', on('marketplace_b', listing_id));
    const range = { start_date: '2027-04-05', end_date: '2027-04-05', inventory: 0 };
    await act('listings/calendar', { channel_type: 'marketplace_b', listing_id, inventories: [range] });
    const again = on('marketplace_b', listing_id);
    assert.deepEqual(await refused('bookings', again), [409, 'The listing is closed on 2027-04-05.']);
    const { boxed, reservation_code } = await act('bookings', { ...again, overbook: true });
    assert.deepEqual(boxed, [reservation_code]);
  });

  it('holds guests to the restrictions of the calendar', async () => {
    const listing_id = await list('marketplace_a');
    const rule = { start_date: '2027-04-05', end_date: '2027-04-05', min_stay_on_arrival: 5 };
    await act('listings/calendar', { channel_type: 'marketplace_a', listing_id, restrictions: [rule] });
    const said = [409, 'The listing takes no stay of 3 nights from 2027-04-05 on.'];
    assert.deepEqual(await refused('bookings', on('marketplace_a', listing_id)), said);
  });

  it('guests do not find a listing off the shelf, nor does anything arrive of a broken account', async () => {
    const listing_id = await list('marketplace_a');
    await act('listings/shelf_status', { channel_type: 'marketplace_a', listing_id, trigger: 'take_off' });
    assert.equal((await refused('bookings', on('marketplace_a', listing_id)))[0], 400);
    await act('listings/shelf_status', { channel_type: 'marketplace_a', listing_id, trigger: 'publish' });
    const [row] = await service.rows('select max(channel_account_id) as id from core.listings');
    await act(`channel_accounts/${Number(row?.['id'])}/auth_status`, { trigger: 'fail' });
    const said = [400, 'The channel account is exception: nothing of it arrives.'];
    assert.deepEqual(await refused('bookings', on('marketplace_a', listing_id)), said);
    assert.equal(
      (await refused(`channel_accounts/${Number(row?.['id'])}/auth_status`, { trigger: 'authorize' }))[0],
      400,
    );
  });

  it('listings of marketplace C are named by room and rate plan', async () => {
    assert.match(await list('marketplace_c'), /^\d+-\d+$/);
    await assert.rejects(list('marketplace_c', { listing_id: '4711' }), /<room>-<rate plan>/);
  });

  it('the regional marketplace sells for the price that was set and shows its host what is left', async () => {
    const listing_id = await list('regional_marketplace', { commission_percent: 20 });
    const { reservation_code } = await act('bookings', on('regional_marketplace', listing_id, dates));
    const [stay] = await service.rows(
      `select rate, commission from core.stays where stay_code = '${reservation_code}'`,
    );
    assert.deepEqual(stay, { rate: 300_00, commission: 60_00 });
    const day = { start_date: '2027-04-05', end_date: '2027-04-05' };
    const listings = [{ channel_type: 'regional_marketplace', listing_id }];
    const read = await service.v3('POST', '/listings/calendar', { listings, ...day });
    assert.match(JSON.stringify(read), /"price":80[,}]/);
  });

  it('a booking of the booking site stands once it is paid in full, and can be given up before', async () => {
    const listing_id = await list('booking_site');
    const unpaid = (channel_id: string) => on('booking_site', listing_id, { kind: 'unpaid', channel_id });
    const named = { channel_type: 'booking_site', channel_id: 'S1' };
    assert.equal((await act('bookings', unpaid('S1'))).status, 'wait_pay');
    assert.equal((await act('bookings/pay', { ...named, amount: 100, reference: 'P1' })).status, 'wait_pay');
    assert.equal((await act('bookings/pay', { ...named, amount: 100, reference: 'P1' })).counted, false);
    assert.equal((await act('bookings/pay', named)).status, 'accepted');
    assert.equal((await refused('bookings/pay', named))[1], 'Nothing is owed for this booking.');
    assert.equal((await refused('bookings/give_up', named))[0], 400);
    assert.equal((await act('bookings/cancel', named)).status, 'cancelled');
    // Other nights: those of the first may not be open again yet.
    const later = { check_in_date: '2027-05-05', check_out_date: '2027-05-08' };
    await act('bookings', { ...unpaid('S2'), ...later });
    assert.equal((await act('bookings/give_up', { ...named, channel_id: 'S2' })).status, 'cancelled');
    const other = await list('marketplace_a');
    assert.equal((await refused('bookings', on('marketplace_a', other, { kind: 'unpaid' })))[0], 400);
  });

  it('a request is answered in the marketplace’s own app, or over v3, where the answer can fail first; once for all', async () => {
    const listing_id = await list('marketplace_a');
    const ask = async (channel_id: string, check_in_date: string, check_out_date: string) => {
      const wanted = { channel_type: 'marketplace_a', listing_id, channel_id, kind: 'request' };
      return (await act('bookings', { ...wanted, check_in_date, check_out_date })).reservation_code;
    };
    const named = (channel_id: string) => ({ channel_type: 'marketplace_a', channel_id });
    await ask('Q1', '2027-05-03', '2027-05-05');
    assert.equal((await act('bookings/answer', { ...named('Q1'), answer: 'decline' })).status, 'denied');
    assert.equal((await refused('bookings/answer', { ...named('Q1'), answer: 'approve' }))[0], 400);
    assert.equal((await refused('bookings/next_answer', named('Q1')))[0], 400);
    // Other nights: those of the first may not be open again yet.
    const code = await ask('Q2', '2027-05-13', '2027-05-15');
    await act('bookings/next_answer', named('Q2'));
    const approve = async () =>
      (await call(service, 'POST', `/v3/reservations/${code}/approve`, { token: service.token })).json.error_code;
    assert.deepEqual([await approve(), await approve(), await approve()], [502, 200, 400]);
    const late = { ...named('Q3'), listing_id, kind: 'request', answer_minutes: 5, booked_at: '2026-11-01T00:00:00Z' };
    await act('bookings', { ...late, check_in_date: '2027-06-03', check_out_date: '2027-06-05' });
    assert.equal((await refused('bookings/answer', { ...named('Q3'), answer: 'approve' }))[0], 400);
  });

  it('the same channel_id is the same booking, also when its nights are closed by then', async () => {
    const listing_id = await list('marketplace_a');
    const wanted = on('marketplace_a', listing_id, { channel_id: 'SAME' });
    const first = await act('bookings', wanted);
    const second = await act('bookings', wanted);
    assert.deepEqual([second.created, second.reservation_code], [false, first.reservation_code]);
  });

  it('nobody reviews before the stay is over, or beyond the scores of the marketplace', async () => {
    const listing_id = await list('marketplace_c');
    const named = { channel_type: 'marketplace_c', channel_id: 'C1' };
    await act('bookings', on('marketplace_c', listing_id, { channel_id: 'C1' }));
    assert.equal((await refused('reviews', { ...named, score: 9 }))[0], 400);
    const past = { channel_id: 'C2', check_in_date: '2026-02-01', check_out_date: '2026-02-03' };
    await act('bookings', on('marketplace_c', listing_id, past));
    const review = { ...named, channel_id: 'C2' };
    assert.equal((await refused('reviews', { ...review, score: 11 }))[0], 422);
    assert.equal((await act('reviews', { ...review, score: 9, content: 'Good.' })).shown, true);
  });

  it('a review of a stay that was prolonged into the future afterwards is scanned like any other', async () => {
    const listing_id = await list('marketplace_a');
    const named = { channel_type: 'marketplace_a', channel_id: 'LONG' };
    await act('bookings', { ...named, listing_id, check_in_date: '2026-03-01', check_out_date: '2026-03-04' });
    await act('reviews', { ...named, score: 5, content: 'Good.' });
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await act('bookings/alter', { ...named, check_in_date: at(0), check_out_date: at(40) });
    const { resources } = await service.portal('POST', '/portal/reconcile', { resource: 'review' });
    const [stored] = await service.rows('select count(*) as total from core.reviews');
    assert.deepEqual([resources[0].state, resources[0].total], ['done', stored?.['total']]);
  });

  it('what is unknown is 404, what names nothing 422, and a field that does not exist is refused', async () => {
    assert.equal((await refused('bookings/cancel', { reservation_code: '0-NONE' }))[0], 404);
    assert.equal((await refused('bookings/cancel', { channel_type: 'marketplace_a', channel_id: 'NONE' }))[0], 404);
    assert.equal((await refused('bookings/cancel', {}))[0], 422);
    assert.equal((await refused('messages', { conversation_id: 'NONE', content: 'x' }))[0], 404);
    assert.equal((await refused('special_offers/answer', { special_offer_id: 'NONE', answer: 'accept' }))[0], 404);
    assert.equal((await refused('bookings', on('marketplace_a', 'NONE')))[0], 404);
    assert.equal((await refused('channel_accounts', { channel_type: 'marketplace_a', colour: 'red' }))[0], 422);
  });
});
