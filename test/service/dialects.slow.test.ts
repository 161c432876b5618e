import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../support/port.ts';
import { call, startTestService, type TestService, until } from '../support/service.ts';

describe('a core that speaks another dialect, and a mirror that understands it', () => {
  let core: TestService;
  let mirror: TestService;

  before(async () => {
    const port = await freePort();
    core = await startTestService({ STAYD_CORE_DIALECT: 'hostex', STAYD_OUTBOUND_ALLOW: `127.0.0.1:${port}` });
    mirror = await startTestService({
      STAYD_PORT: String(port),
      STAYD_ROLES: 'receive,work,schedule',
      STAYD_UPSTREAM_URL: `${core.url}/v3`,
      STAYD_UPSTREAM_TOKEN: core.token,
      STAYD_UPSTREAM_PROFILE: 'hostex',
      STAYD_UPSTREAM_TIME_ZONE: 'Europe/Berlin',
      STAYD_UPSTREAM_TRUST_FIRST_SECRET: 'true',
    });
    await until(async () => {
      const { connections } = await mirror.portal('GET', '/portal/status');
      return connections.upstream.caught_up_age !== null;
    }, 'the first read');
  });
  after(async () => {
    await mirror.remove();
    await core.remove();
  });

  const ask = (path: string) =>
    call(core, 'GET', path, { token: null, headers: { 'Hostex-Access-Token': core.token } });
  const sandbox = (path: string, body: object) => core.portal('POST', `/portal/sandbox/${path}`, body);
  const arrives = async (service: TestService, code: string): Promise<Record<string, unknown>> => {
    let rows: Record<string, unknown>[] = [];
    await until(async () => {
      rows = await service.rows(
        `select channel_type, property_id, cancellation_policy_category from mirror.stays where reservation_code = '${code}'`,
      );
      return rows.length === 1;
    }, 'the booking in the mirror');
    return rows[0] ?? {};
  };

  it('channels, fields, headers and events: its words outside, ours in both mirrors', async () => {
    const { property_id } = await core.v3('POST', '/properties', { title: 'Mill' });
    const { channel_account_id } = await sandbox('channel_accounts', { channel_type: 'marketplace_c' });
    const { listing_id } = await sandbox('listings', { channel_account_id, property_id, base_price: 100 });
    const booked = await sandbox('bookings', {
      channel_type: 'marketplace_c',
      listing_id,
      check_in_date: '2027-03-05',
      check_out_date: '2027-03-08',
      guest: { name: 'Ada Guest' },
    });

    const { json: list } = await ask('/v3/properties?offset=0&limit=20');
    assert.deepEqual(
      list.data.properties.map(({ title, name, channels }: any) => [title, name, channels[0].channel_type]),
      [['Mill', undefined, 'booking.com']],
    );
    const { json: bookings } = await ask('/v3/reservations?channel_type=booking.com&offset=0&limit=20');
    assert.deepEqual(
      bookings.data.reservations.map(({ channel_type, remarks, note }: any) => [channel_type, remarks, note]),
      [['booking.com', null, undefined]],
    );
    for (const service of [core, mirror]) {
      assert.equal((await arrives(service, booked.reservation_code))['channel_type'], 'marketplace_c');
      const [change] = await service.rows(
        `select seen_by from mirror.changes where key = '${booked.reservation_code}' order by seq limit 1`,
      );
      assert.equal(change?.['seen_by'], 'event');
    }
    const isThere = async () => (await mirror.rows('select 1 from mirror.property_listings')).length === 1;
    await until(isThere, 'the property that the booking names');
    assert.deepEqual(await mirror.rows('select name from mirror.properties'), [{ name: 'Mill' }]);
    const listed = await mirror.rows('select listing from mirror.property_listings');
    assert.deepEqual(listed, [{ listing: `marketplace_c/${listing_id}` }]);
  });

  it('a direct booking is direct in both mirrors, so that books know its policy', async () => {
    const { property_id } = await core.v3('POST', '/properties', { title: 'Barn' });
    const { reservation } = await core.v3('POST', '/reservations', {
      property_id,
      check_in_date: '2027-03-05',
      check_out_date: '2027-03-08',
      guest_name: 'Ada',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
      remarks: 'Late.',
    });
    const code = reservation.reservation_code;
    const { json } = await ask(`/v3/reservations?reservation_code=${code}&offset=0&limit=20`);
    assert.deepEqual(
      json.data.reservations.map(({ channel_type, remarks }: any) => [channel_type, remarks]),
      [['hostex_direct', 'Late.']],
    );
    for (const service of [core, mirror]) assert.equal((await arrives(service, code))['channel_type'], 'direct');
  });

  it('both mirrors are right: verify finds nothing, no row is quarantined, the account goes by what is known of it', async () => {
    const { property_id } = await core.v3('POST', '/properties', { title: 'Loft' });
    const { channel_account_id } = await sandbox('channel_accounts', { channel_type: 'marketplace_a' });
    const { listing_id } = await sandbox('listings', { channel_account_id, property_id, base_price: 90 });
    const stay = {
      channel_type: 'marketplace_a',
      listing_id,
      check_in_date: '2027-04-05',
      check_out_date: '2027-04-08',
    };
    const booked = await sandbox('bookings', { ...stay, guest: { name: 'Ada Guest' } });
    const [conversation] = (await core.v3('GET', '/conversations?offset=0&limit=20')).conversations;
    await core.v3('POST', `/conversations/${conversation.id}`, { message: 'The key is in the box.' });
    await core.v3('POST', '/knowledge_bases', { title: 'Parking', contents: [{ text: 'Behind the house.' }] });
    await core.v3('POST', '/tasks', { type: 'cleaning', expected_date: '2027-04-08', currency: 'EUR', property_id });
    await arrives(mirror, booked.reservation_code);
    await core.settled();
    for (const [service, connection] of [
      [core, 'local'],
      [mirror, 'upstream'],
    ] as const) {
      await service.portal('POST', '/portal/reconcile', { connection });
      const { clean, resources } = await service.portal('POST', '/portal/verify', { connection });
      assert.ok(clean, JSON.stringify(resources));
      assert.deepEqual(await service.rows('select resource, key from mirror.quarantine'), []);
      const tables = ['messages', 'tasks', 'knowledge_bases', 'calendar_days', 'listings'];
      for (const table of tables) {
        assert.ok((await service.rows(`select 1 from mirror.${table}`)).length > 0, `${table} of ${connection}`);
      }
    }
    const [known] = await mirror.rows('select account_id, time_zone from mirror.accounts');
    assert.deepEqual(known, { account_id: 'upstream', time_zone: 'Europe/Berlin' });
    const [own] = await core.rows('select a.account_id = b.account_id as same from mirror.accounts a, core.accounts b');
    assert.deepEqual(own, { same: 1 });
  });
});

describe('a core that speaks the public dialect', () => {
  let core: TestService;
  before(async () => {
    core = await startTestService({ STAYD_CORE_DIALECT: 'hostex', STAYD_ROLES: 'core' });
  });
  after(() => core.remove());

  const ask = async (method: string, path: string, body?: unknown) =>
    (await call(core, method, path, { token: null, headers: { 'hostex-access-token': core.token }, body })).json;

  it('leaves out what it does not have: fields, totals, an account, the secret of a webhook, cursors', async () => {
    const made = await ask('POST', '/v3/properties', { title: 'Mill' });
    assert.equal(made.error_code, 200);
    const { data } = await ask('GET', '/v3/properties?offset=0&limit=20&cursor=start');
    assert.deepEqual(Object.keys(data), ['properties', 'total']);
    assert.deepEqual(
      ['name', 'title', 'status', 'time_zone'].map((field) => field in data.properties[0]),
      [false, true, false, false],
    );
    assert.deepEqual(Object.keys((await ask('GET', '/v3/reservations?offset=0&limit=20')).data), ['reservations']);
    assert.equal((await ask('GET', '/v3/accounts/me')).error_code, 404);
    const registered = await ask('POST', '/v3/webhooks', { url: 'https://hooks.example/x' });
    assert.deepEqual([registered.error_code, registered.data], [200, undefined]);
    const tooLong = await ask('PATCH', '/v3/reservations/5-X', { remarks: 'x'.repeat(501) });
    assert.deepEqual([tooLong.error_code, tooLong.error_msg], [422, 'remarks: must have at most 500 characters']);
    const { webhooks } = (await ask('GET', '/v3/webhooks')).data;
    assert.equal(webhooks[0].url, 'https://hooks.example/x');
  });
});
