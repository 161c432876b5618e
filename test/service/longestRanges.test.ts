import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDays, dateIn, LAST_DATE } from '../../src/kernel/dates.ts';
import { loopDelayOf } from '../support/loopDelay.ts';
import { call, startTestService, type TestService } from '../support/service.ts';

const MOST_MS = 50;
/** The service goes by the machine's clock. */
const soon = (days: number) => addDays(dateIn('UTC', Date.now()), days);

describe('the longest ranges that callers of the portal and the mirror can name', () => {
  let service: TestService;
  let named: { channel_type: string; listing_id: string };
  let code: string;
  before(async () => {
    service = await startTestService();
    const { property_id } = await service.v3('POST', '/properties', { title: 'Mill' });
    const act = (path: string, body: object) => service.portal('POST', `/portal/sandbox/${path}`, body);
    const { channel_account_id } = await act('channel_accounts', { channel_type: 'marketplace_a' });
    const { listing_id } = await act('listings', { channel_account_id, property_id, base_price: 100 });
    named = { channel_type: 'marketplace_a', listing_id };
    const booked = await act('bookings', { ...named, check_in_date: soon(10), check_out_date: soon(13) });
    code = booked.reservation_code;
    await service.settled();
  });
  after(() => service.remove());

  const all = { start_date: '2030-01-01', end_date: LAST_DATE };
  const stay = { check_in_date: '2030-01-01', check_out_date: LAST_DATE };

  /** `refused`: what the refusal begins with; left out: it is answered. */
  const rows: [name: string, method: string, path: () => string, body: () => object | undefined, refused?: RegExp][] = [
    [
      'closing a month',
      'POST',
      () => '/portal/exports/close',
      () => ({ period: '9999-12' }),
      /9999-12 cannot be closed/,
    ],
    ['closing no month', 'POST', () => '/portal/exports/close', () => ({ period: '10000-1' }), /period/],
    [
      'opening a month',
      'POST',
      () => '/portal/exports/reopen',
      () => ({ period: '9999-12', reason: 'x' }),
      /9999-12 is open/,
    ],
    ['a run of an export', 'POST', () => '/portal/exports/run', () => ({ job: 'jsonl', from: '1970', to: '9999' })],
    [
      'a calendar',
      'POST',
      () => '/portal/sandbox/listings/calendar',
      () => ({ ...named, prices: [{ ...all, price: 9 }] }),
      /prices/,
    ],
    ['a booking', 'POST', () => '/portal/sandbox/bookings', () => ({ ...named, ...stay }), /check_out_date/],
    [
      'an alteration',
      'POST',
      () => '/portal/sandbox/bookings/alter',
      () => ({ reservation_code: code, ...stay }),
      /check_out_date/,
    ],
    ['an inquiry', 'POST', () => '/portal/sandbox/inquiries', () => ({ ...named, ...stay }), /check_out_date/],
    [
      'a moment',
      'POST',
      () => '/portal/sandbox/bookings/cancel',
      () => ({ reservation_code: code, cancelled_at: '9999-12-31T23:59:59-05:00' }),
      /cancelled_at/,
    ],
    [
      'the end of a subscription',
      'PUT',
      () => '/portal/accounts/demo',
      () => ({ expires_at: '9999-12-31T23:59:59-05:00' }),
      /expires_at/,
    ],
    ['what is due', 'GET', () => '/mirror/reports/occupancy?from=0100&to=9999', () => undefined],
    ['arrivals', 'GET', () => '/mirror/reports/arrivals?from=9999', () => undefined],
    ['a report without end', 'GET', () => '/mirror/reports/arrivals?to=10000-01-01', () => undefined, /to/],
    ['a statement', 'GET', () => '/mirror/statements/nobody/9999-12', () => undefined, /owner|booked|nobody|books/],
    ['a calendar as it was', 'GET', () => '/mirror/availability/1?from=9999-12-31', () => undefined, /never known/],
    ['a calendar of all time', 'GET', () => '/mirror/availability/1', () => undefined],
    [
      'the history of the future',
      'GET',
      () => '/mirror/reservation?as_of=9999-12-31T23:59:59Z',
      () => undefined,
      /as_of/,
    ],
    ['a dry run since the beginning', 'GET', () => '/portal/automations/test?since=0100-01-01', () => undefined],
  ];

  for (const [name, method, path, body, refused] of rows) {
    it(`${name}: ${refused ? 'refused at once, naming what is wrong' : 'answered while others are let in'}`, async () => {
      const delay = await loopDelayOf(MOST_MS, async () => {
        const { http, text } = await call(service, method, path(), { body: body() });
        const said = `${http} ${text.slice(0, 500)}`;
        assert.ok(http < 500 && !text.includes('failed: '), said);
        if (refused) assert.match(text.trim().split('\n').at(-1) ?? '', refused, said);
        if (refused) assert.ok(http === 422 || http === 404 || text.includes('"error"'), said);
        else assert.ok(http === 200 && !text.includes('"error":{'), said);
      });
      assert.ok(delay < MOST_MS, `nothing else was answered for ${delay.toFixed(1)} ms`);
    });
  }
});
