import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDays, dateIn } from '../../src/kernel/dates.ts';
import { call, startTestService, type TestService } from '../support/service.ts';

const today = dateIn('Europe/Berlin', Date.now());
const day = (days: number) => addDays(today, days);

describe('the calendar beyond v3', () => {
  let service: TestService;
  let sea: number;
  let hill: number;
  let clerk: string;
  const nights = async (from: number, to = from) => {
    const path = `/availabilities?property_ids=${sea}&start_date=${day(from)}&end_date=${day(to)}`;
    const { properties } = await service.v3('GET', path);
    return properties[0].availabilities.map(({ remarks }: { remarks: string | null }) => remarks);
  };
  const block = (from: number, to: number, more: object = {}) => ({
    property_ids: [sea],
    start_date: day(from),
    end_date: day(to),
    ...more,
  });
  const book = async (property: number, from: number, to: number): Promise<string> => {
    const { reservation_code } = await service.v3('POST', '/reservations', {
      property_id: property,
      check_in_date: day(from),
      check_out_date: day(to),
      guest_name: 'A. Guest',
      rate_amount: 100,
      commission_amount: 0,
      received_amount: 0,
    });
    return reservation_code;
  };
  const move = (code: string, property_id: number, from: number, to: number, token?: string) =>
    call(service, 'POST', `/portal/stays/${code}/move`, {
      body: { property_id, check_in_date: day(from), check_out_date: day(to) },
      ...(token === undefined ? { token: null, headers: { 'stayd-control-secret': service.secret } } : { token }),
    });
  const placeOf = async (code: string) => {
    const { reservations } = await service.v3('GET', `/reservations?reservation_code=${code}`);
    const [{ property_id, check_in_date, check_out_date }] = reservations;
    return [property_id, check_in_date, check_out_date];
  };

  before(async () => {
    service = await startTestService();
    sea = (await service.v3('POST', '/properties', { name: 'Sea House' })).property_id;
    hill = (await service.v3('POST', '/properties', { name: 'Hill House' })).property_id;
    const person = { name: 'Clerk', role: 'staff', property_ids: [hill] };
    const { id } = await service.portal('POST', '/portal/sub_accounts', person);
    const made = await service.portal('POST', '/portal/tokens', { name: 'clerk', scope: 'write', operator_id: id });
    clerk = made.token;
  });
  after(() => service.remove());

  it('keeps the reason of a block, and says it wherever the night is shown', async () => {
    await service.portal('POST', '/portal/blocks', block(3, 4, { reason: 'new boiler' }));
    await service.settled();
    assert.deepEqual(await nights(3, 5), ['new boiler', 'new boiler', null]);
    const mirrored = `select remarks from mirror.availability_days where property_id = ${sea} and available = 0 order by date`;
    assert.deepEqual(
      (await service.rows(mirrored)).map(({ remarks }) => remarks),
      ['new boiler', 'new boiler'],
    );
    // Another reason reaches the mirror although the night stays closed; none leaves the reason as it is.
    await service.portal('POST', '/portal/blocks', block(4, 5, { reason: 'paint' }));
    await service.v3('POST', '/availabilities', block(3, 6, { available: false }));
    await service.settled();
    assert.deepEqual(await nights(3, 6), ['new boiler', 'paint', 'paint', 'Blocked']);
    assert.deepEqual(
      (await service.rows(mirrored)).map(({ remarks }) => remarks),
      ['new boiler', 'paint', 'paint', 'Blocked'],
    );
    await service.v3('POST', '/availabilities', block(3, 6, { available: true }));
    await service.v3('POST', '/availabilities', block(3, 3, { available: false }));
    await service.settled();
    assert.deepEqual(await nights(3, 4), ['Blocked', null], 'an opened night forgets its reason');
  });

  it('blocks nothing for wrong nights, or properties that the caller does not see', async () => {
    const refused = async (body: object, token = service.token) =>
      (await call(service, 'POST', '/portal/blocks', { body, token })).http;
    assert.equal(await refused(block(2, 1)), 422);
    assert.equal(await refused(block(-1, 1)), 422);
    assert.equal(await refused(block(1, 1, { reason: 'x'.repeat(201) })), 422);
    assert.equal(await refused(block(1, 1), clerk), 404);
    assert.equal(await refused(block(1, 1, { connection: 'elsewhere' })), 409);
    await service.settled();
    assert.deepEqual(await nights(1, 2), [null, null]);
  });

  it('moves a stay to another property and other dates at once, or not at all', async () => {
    const code = await book(sea, 10, 13);
    const other = await book(hill, 20, 22);
    assert.equal((await move(code, hill, 21, 24)).http, 409);
    assert.deepEqual(await placeOf(code), [sea, day(10), day(13)]);
    assert.equal((await move(code, hill, 22, 24)).http, 200);
    assert.deepEqual(await placeOf(code), [hill, day(22), day(24)]);
    assert.deepEqual(await placeOf(other), [hill, day(20), day(22)]);
    assert.deepEqual(await nights(10, 12), [null, null, null]);
    assert.equal((await move(code, hill, 24, 24)).http, 422);
    assert.equal((await move(code, sea, 24, 25, clerk)).http, 404);
    assert.equal((await move(await book(sea, 30, 31), hill, 30, 31, clerk)).http, 404);
  });
});
