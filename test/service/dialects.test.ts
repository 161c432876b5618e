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
    assert.deepEqual(await mirror.rows('select name from mirror.properties'), [{ name: 'Mill' }]);
    const listed = await mirror.rows('select listing from mirror.property_listings');
    assert.deepEqual(listed, [{ listing: `marketplace_c/${listing_id}` }]);
  });
});
