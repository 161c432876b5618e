import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { changeAuthStatus } from '../../src/core/channels/accounts.ts';
import { editChannelSettings, steerNextPush } from '../../src/sandbox/channel/steer.ts';
import { editSettings } from '../../src/sandbox/calendar.ts';
import { listingNamed } from '../../src/sandbox/listing.ts';
import { addDays, datesFromTo } from '../../src/kernel/dates.ts';
import { startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { listOn, type Listed } from '../support/listings.ts';

let core: TestCore;
let other: TestAccount;
let a: Listed;
let b: Listed;
let foreign: Listed;
before(async () => {
  core = await startCore();
  other = await core.addAccount('other');
  const property = (await core.call('createProperty', { title: 'Mill' })).property_id;
  a = await listOn(core, 'marketplace_a', property);
  b = await listOn(core, 'marketplace_b', property);
  const theirs = (await core.call('createProperty', { title: 'Theirs' }, other.token)).property_id;
  foreign = await listOn(core, 'marketplace_a', theirs, {}, other);
});
after(() => core.close());

const edit = (listing: Listed, changes: object) =>
  core.change(core.own.account, (change) =>
    editChannelSettings(change, { account_id: core.own.account.account_id, id: listing.id }, { ...changes }),
  );

describe('prices and rules on marketplace A', () => {
  const read = () => core.call('getMarketplaceARules', { listing_id: a.listing_id });
  const write = (settings: object, listing_id = a.listing_id) =>
    core.request('POST', '/listings/marketplace_a/price_and_rules', { body: { listing_id, settings } });
  const code = async (settings: object) => (await write(settings)).error_code;

  it('stand in data itself and under settings, with the policies to choose from', async () => {
    const { settings, ...direct } = await read();
    assert.deepEqual(settings, direct);
    assert.equal(direct.base_price, 100);
    assert.equal(direct.listing_currency, 'EUR');
    assert.ok(direct.eligible_cancellation_policies.includes(direct.cancellation_policy));
  });

  it('are read from the channel at this moment', async () => {
    await edit(a, { cleaning_fee: 33 });
    assert.equal((await read()).cleaning_fee, 33);
  });

  it('change at once where they are given, all of them, and no event tells of it', async () => {
    const before = await core.events();
    const given = {
      listing_currency: 'EUR',
      base_price: 120.5,
      weekend_price: 150,
      cleaning_fee: 40,
      short_term_cleaning_fee: 20,
      security_deposit: 200,
      pet_fee_obj: { amount: 5, charge_type: 'per_pet', charge_period: 'per_night' },
      extra_guest_fee: 10,
      max_guests: 4,
      early_bird_discount: { discount: 10, days: 60 },
      last_minute_discount: [{ discount: 15, days: 3 }],
      long_term_discount: [
        { discount: 5, days: 7 },
        { discount: 20, days: 28 },
      ],
      check_in_start_time: 'FLEXIBLE',
      check_in_end_time: 26,
      check_out_before: 0,
      instant_booking: false,
      minimum_stay: 2,
      maximum_stay: 30,
      advance_notice: 24,
      preparation_time: 1,
      availability_window: 180,
      cancellation_policy: 'strict',
      non_refundable_price_factor: 0.9,
      new_listing_promotion: true,
      days_of_week_check_in: [0, 6],
      days_of_week_check_out: [1],
      day_of_week_min_nights: [{ day_of_week: 5, min_nights: 3 }],
      seasonal_min_stay: [{ start_date: '2027-07-01', end_date: '2027-08-31', min_nights: 7 }],
      high_rated_guest_discount: true,
      mobile_only_discount: false,
      high_rated_guest_discount_blackout_dates: ['2026-12-24', '2026-12-25'],
      mobile_only_discount_blackout_dates: ['2026-12-31'],
    };
    assert.equal(await code(given), 200);
    const { settings } = await read();
    for (const [name, value] of Object.entries(given)) assert.deepEqual(settings[name], value, name);
    assert.equal(await code({ max_guests: 5 }), 200);
    assert.deepEqual((await read()).settings, { ...settings, max_guests: 5 });
    assert.deepEqual(await core.events(), before);
  });

  it('set what the calendar shows where no price was given for a day', async () => {
    const body = {
      start_date: '2027-01-07',
      end_date: '2027-01-10',
      listings: [{ channel_type: a.channel_type, listing_id: a.listing_id }],
    };
    const [{ calendar }] = (await core.call('listCalendars', body)).listings;
    assert.deepEqual(
      calendar.map((day: { price: number }) => day.price),
      [120.5, 150, 150, 120.5],
    );
  });

  it('keep blackout dates that are left out and clear them by an empty list', async () => {
    assert.equal(await code({ mobile_only_discount_blackout_dates: [] }), 200);
    const { settings } = await read();
    assert.deepEqual(settings.high_rated_guest_discount_blackout_dates, ['2026-12-24', '2026-12-25']);
    assert.deepEqual(settings.mobile_only_discount_blackout_dates, []);
  });

  it('take 30 blackout dates a calendar year, listing and discount, and tell how many are left', async () => {
    const days = (first: string, count: number) => datesFromTo(first, addDays(first, count - 1));
    const name = 'high_rated_guest_discount_blackout_dates';
    const thirty = days('2027-01-01', 30);
    assert.equal(await code({ [name]: [...thirty, '2027-03-01'] }), 422);
    assert.equal(await code({ [name]: [...thirty, ...days('2028-01-01', 30), '2026-12-31', '2027-01-01'] }), 200);
    const { settings } = await read();
    assert.deepEqual(settings[`${name}_quota`], { dates_used_count: 1, dates_available_count: 29 });
    assert.equal(settings.mobile_only_discount_blackout_dates_quota, null, 'the discount is off');
    assert.equal(settings[name].length, 61);
  });

  it('refuse what is out of range or does not go together, and change nothing then', async () => {
    const before = await core.stored();
    for (const [settings, expected] of [
      [{ base_price: 0 }, 422],
      [{ base_price: 10.001 }, 422],
      [{ cleaning_fee: -1 }, 422],
      [{ check_in_start_time: 7 }, 422],
      [{ check_in_start_time: 27 }, 422],
      [{ check_in_end_time: 8 }, 422],
      [{ check_in_end_time: 'LATE' }, 422],
      [{ check_out_before: 24 }, 422],
      [{ check_in_start_time: 20, check_in_end_time: 20 }, 422],
      [{ minimum_stay: 31 }, 422],
      [{ maximum_stay: 1 }, 422],
      [{ days_of_week_check_in: [7] }, 422],
      [{ cancellation_policy: 'whatever' }, 422],
      [{ early_bird_discount: { discount: 100, days: 1 } }, 422],
      [{ instant_booking: 'yes' }, 422],
      [{ high_rated_guest_discount_blackout_dates: ['2027-02-30'] }, 422],
      [{ pet_fee: 1, pet_fee_obj: { amount: 1, charge_type: 'x', charge_period: 'y' } }, 400],
    ] as const) {
      assert.equal(await code(settings), expected, JSON.stringify(settings));
    }
    assert.equal((await core.request('POST', '/listings/marketplace_a/price_and_rules', { body: {} })).error_code, 422);
    assert.equal(await core.stored(), before);
  });

  it('of another operator answer 403, of another channel 404', async () => {
    const ask = async (listing_id: string) =>
      (await core.request('GET', `/listings/marketplace_a/price_and_rules?listing_id=${listing_id}`)).error_code;
    assert.equal(await ask(foreign.listing_id), 403);
    assert.equal(await ask(b.listing_id), 404);
    assert.equal((await write({ base_price: 1 }, foreign.listing_id)).error_code, 403);
    assert.equal((await write({ base_price: 1 }, b.listing_id)).error_code, 404);
    assert.equal((await core.request('GET', '/listings/marketplace_a/price_and_rules')).error_code, 422);
  });

  it('answer 502 when the channel fails or cannot be reached', async () => {
    await core.change(core.own.account, (change) =>
      steerNextPush(change, { account_id: core.own.account.account_id, id: a.id }, 'failed'),
    );
    assert.equal(await code({ base_price: 77 }), 502);
    assert.equal((await read()).base_price, 120.5);
    const move = (trigger: 'fail' | 'recover') =>
      core.change(core.own.account, (change) => changeAuthStatus(change, a.channel_account_id, trigger));
    await move('fail');
    assert.equal(await code({ base_price: 78 }), 502);
    const asked = await core.request('GET', `/listings/marketplace_a/price_and_rules?listing_id=${a.listing_id}`);
    assert.equal(asked.error_code, 502);
    await move('recover');
    assert.equal(await code({ base_price: 79 }), 200);
  });
});

describe('prices and rules on marketplace B', () => {
  const read = () => core.call('getMarketplaceBRules', { listing_id: b.listing_id });
  const write = (settings: object) =>
    core.request('POST', '/listings/marketplace_b/price_and_rules', { body: { listing_id: b.listing_id, settings } });
  const week = { sunday: 70, monday: 71, tuesday: 72, wednesday: 73, thursday: 74, friday: 75, saturday: 76 };

  it('change at once where they are given, all of them, and no event tells of it', async () => {
    const before = await core.events();
    const given = {
      nightly_rate: week,
      security_deposit: 100,
      cleaning_fee: 30,
      extra_guest_fee: 0,
      extra_guest_number: 2,
      max_guests: 6,
      weekly_discount: 99,
      monthly_discount: 0,
      check_in_start_time: 14,
      check_out_before: 10,
      instant_booking: false,
      minimum_stay: 3,
      advance_notice: 48,
      availability_window: 365,
    };
    assert.equal((await write(given)).error_code, 200);
    const { settings, ...direct } = await read();
    assert.deepEqual(settings, direct);
    assert.deepEqual(settings, given);
    assert.deepEqual(await core.events(), before);
  });

  it('base_price wins over nightly_rate', async () => {
    assert.equal((await write({ base_price: 90, nightly_rate: week })).error_code, 200);
    const { base_price, nightly_rate } = await read();
    assert.deepEqual([base_price, new Set(Object.values(nightly_rate))], [90, new Set([90])]);
  });

  it('are a snapshot: an edit on the channel shows after the next change from here', async () => {
    await edit(b, { cleaning_fee: 99 });
    assert.equal((await read()).cleaning_fee, 30);
    await write({ max_guests: 3 });
    assert.equal((await read()).cleaning_fee, 99);
  });

  it('are answered as they were read last: an edit on the marketplace shows once the service has read it again', async () => {
    const { account } = core.own;
    await core.workCalendars();
    const before = await core.events();
    await core.change(account, async (change) => {
      const listing = await listingNamed(change, { channel_type: 'marketplace_b', listing_id: b.listing_id });
      await editSettings(change, listing, { cleaning_fee: 77, base_price: 150 });
    });
    assert.notEqual((await read()).cleaning_fee, 77);
    await core.workCalendars();
    const { cleaning_fee, base_price } = await read();
    assert.deepEqual([cleaning_fee, base_price], [77, 150]);
    assert.deepEqual(await core.events(), before);
  });

  it('are read again once an account that was broken is back', async () => {
    const { account } = core.own;
    const move = (trigger: 'fail' | 'recover') =>
      core.change(account, (change) => changeAuthStatus(change, b.channel_account_id, trigger));
    await move('fail');
    await core.change(account, async (change) => {
      const listing = await listingNamed(change, { channel_type: 'marketplace_b', listing_id: b.listing_id });
      await editSettings(change, listing, { cleaning_fee: 78 });
    });
    await core.workCalendars();
    assert.equal((await read()).cleaning_fee, 77);
    await move('recover');
    await core.workCalendars();
    assert.equal((await read()).cleaning_fee, 78);
  });

  it('refuse what is out of range', async () => {
    for (const settings of [
      { weekly_discount: 100 },
      { monthly_discount: -1 },
      { nightly_rate: { ...week, sunday: undefined } },
      { nightly_rate: { ...week, sunday: 1.234 } },
      { check_out_before: 24 },
      { minimum_stay: 0 },
      { base_price: 'much' },
    ]) {
      assert.equal((await write(settings)).error_code, 422, JSON.stringify(settings));
    }
  });
});
