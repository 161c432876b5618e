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
  void list;
  void refused;
  void newToken;
});
