import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { changeAuthStatus } from '../../src/core/channels/accounts.ts';
import { changeShelfStatus } from '../../src/core/channels/listings.ts';
import { editChannelCalendar, steerNextPush } from '../../src/sandbox/channel/steer.ts';
import { startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { listOn, type Listed } from '../support/listings.ts';

describe('listings', () => {
  let core: TestCore;
  let other: TestAccount;
  let property: number;
  let second: number;
  let a: Listed;
  let foreign: Listed;

  before(async () => {
    core = await startCore();
    other = await core.addAccount('other');
    property = (await core.call('createProperty', { title: 'Mill' })).property_id;
    second = (await core.call('createProperty', { title: 'Barn' })).property_id;
    a = await listOn(core, 'marketplace_a', property, { ratio: 110, metadata: { rooms: 2 } });
    const theirs = (await core.call('createProperty', { title: 'Theirs' }, other.token)).property_id;
    foreign = await listOn(core, 'marketplace_a', theirs, {}, other);
  });
  after(() => core.close());

  const post = (path: string, body: unknown, token?: string) =>
    core.request('POST', path, { body, ...(token !== undefined && { token }) });
  const code = async (path: string, body: unknown, token?: string) => (await post(path, body, token)).error_code;
  const name = ({ channel_type, listing_id }: Listed) => ({ channel_type, listing_id });

  async function calendar(listing: Listed, start_date: string, end_date = start_date) {
    const answer = await core.call('listCalendars', { start_date, end_date, listings: [name(listing)] });
    return answer.listings[0].calendar;
  }

  /** What is told from here on, once the worker has done its work. */
  async function told(work: () => Promise<unknown>) {
    const before = (await core.events()).length;
    await work();
    await core.workCalendars();
    return (await core.events()).slice(before);
  }

  const calendarEvents = async (work: () => Promise<unknown>) =>
    (await told(work)).filter((event) => event['event'] === 'listing_calendar_updated');

  describe('lists', () => {
    it('channel accounts have what is described, by id and channel, and none of the booking site', async () => {
      await listOn(core, 'booking_site', second);
      const { channel_accounts, total } = await core.call('listChannelAccounts');
      assert.equal(total, 1);
      assert.deepEqual(Object.keys(channel_accounts[0]), [
        'id',
        'channel_type',
        'username',
        'origin_account_id',
        'auth_status',
        'created_at',
      ]);
      assert.equal(channel_accounts[0].auth_status, 'active');
      assert.equal((await core.call('listChannelAccounts', { id: a.channel_account_id })).total, 1);
      assert.equal((await core.call('listChannelAccounts', { id: foreign.channel_account_id })).total, 0);
      assert.equal((await core.call('listChannelAccounts', { channel_type: 'marketplace_b' })).total, 0);
    });

    it('listings have what is described, newest first, by account, name and channel', async () => {
      const b = await listOn(core, 'marketplace_b', second, { title: 'Barn on B' });
      const { listings } = await core.call('listListings');
      assert.deepEqual(
        listings.map((one: { id: number }) => one.id),
        listings.map((one: { id: number }) => one.id).toSorted((x: number, y: number) => y - x),
      );
      const [own] = (await core.call('listListings', { listing_id: a.listing_id })).listings;
      assert.deepEqual([own.metadata, own.inventory, own.shelf_status], [{ rooms: 2 }, 1, 'on']);
      assert.match(own.origin_account_id, /^origin/);
      assert.equal((await core.call('listListings', { channel_account_id: b.channel_account_id })).total, 1);
      assert.equal((await core.call('listListings', { channel_type: 'marketplace_a' })).total, 1);
      assert.equal((await core.call('listListings', { listing_id: foreign.listing_id })).total, 0);
      assert.deepEqual((await core.call('listListings', { offset: 50 })).listings, []);
    });

    it('a property names its listings, without deleted ones', async () => {
      const gone = await listOn(core, 'marketplace_c', property, { listing_id: '7-12' });
      const channels = async () => (await core.call('listProperties', { id: property })).properties[0].channels;
      assert.deepEqual(
        (await channels()).map((one: Listed) => one.listing_id),
        [a.listing_id, '7-12'],
      );
      await core.change(core.own.account, (change) => changeShelfStatus(change, gone.id, 'delete'));
      assert.deepEqual(await channels(), [{ ...name(a), currency: 'EUR' }]);
    });

    it('a sub-account sees what belongs to its properties', async () => {
      const token = await core.addSubAccount(core.own.account, [property]);
      const { listings } = await core.call('listListings', {}, token);
      assert.ok(listings.length > 0);
      assert.deepEqual(
        listings.filter((one: Listed) => !['marketplace_a', 'marketplace_c'].includes(one.channel_type)),
        [],
      );
      assert.deepEqual(
        (await core.call('listChannelAccounts', {}, token)).channel_accounts.map((one: Listed) => one.channel_type),
        ['marketplace_c', 'marketplace_a'],
      );
      const barn = await listOn(core, 'marketplace_b', second);
      const body = { start_date: '2027-01-01', end_date: '2027-01-02', listings: [name(barn)] };
      assert.equal(await code('/listings/calendar', body, token), 404);
    });

    it('pricing ratios are of exactly one property or room type, -1 where prices are readonly', async () => {
      const house = (await core.call('createProperty', { title: 'House' })).property_id;
      const one = await listOn(core, 'marketplace_a', house, { ratio: 110, title: 'One' });
      const two = await listOn(core, 'marketplace_b', house, { readonly: true, title: 'Two' });
      assert.deepEqual(await core.call('getPricingRatios', { property_id: house }), {
        link_type: 'property',
        link_id: house,
        channels: [
          { ...name(one), listing_title: 'One', ratio: 110, readonly: false },
          { ...name(two), listing_title: 'Two', ratio: -1, readonly: true },
        ],
      });
      const ask = async (query: string) => (await core.request('GET', `/pricing_ratios${query}`)).error_code;
      assert.equal(await ask(''), 400);
      assert.equal(await ask(`?property_id=${house}&room_type_id=1`), 400);
      assert.equal(await ask('?property_id=99999'), 404);
      assert.equal(await ask('?room_type_id=99999'), 404);
      const twin = (await core.call('createProperty', { title: 'Twin house' })).property_id;
      const three = await listOn(core, 'marketplace_a', twin, { title: 'Three' });
      const { room_type_id } = await core.call('createRoomType', { name: 'Houses', property_ids: [house, twin] });
      const ratios = async (token?: string) => {
        const { channels, ...link } = await core.call('getPricingRatios', { room_type_id }, token);
        assert.deepEqual(link, { link_type: 'room_type', link_id: room_type_id });
        return channels.map((one: Listed) => one.listing_id);
      };
      assert.deepEqual(await ratios(), [one.listing_id, two.listing_id, three.listing_id]);
      assert.deepEqual(await ratios(await core.addSubAccount(core.own.account, [twin])), [three.listing_id]);
      const [type] = (await core.call('listRoomTypes', { id: room_type_id })).room_types;
      assert.deepEqual(
        type.channels,
        [one, two, three].map((each) => ({ ...name(each), currency: 'EUR' })),
        'a room type is listed where its properties are',
      );
      const stranger = await core.addAccount('stranger of ratios');
      const foreign = await core.call('createRoomType', { name: 'Foreign' }, stranger.token);
      assert.equal(await ask(`?room_type_id=${foreign.room_type_id}`), 403);
      const none = await core.addSubAccount(core.own.account, []);
      const answer = await core.request('GET', `/pricing_ratios?room_type_id=${room_type_id}`, { token: none });
      assert.equal(answer.error_code, 404);
    });
  });

  describe('calendars', () => {
    it('are read with a read-only token, every day with price, inventory and restrictions', async () => {
      const body = { start_date: '2027-02-01', end_date: '2027-02-02', listings: [name(a)] };
      const answer = await post('/listings/calendar', body, core.own.readToken);
      assert.equal(answer.error_code, 200);
      assert.deepEqual(answer.data.listings[0].calendar[0], {
        date: '2027-02-01',
        price: 100,
        inventory: 1,
        restrictions: {
          closed_on_arrival: false,
          closed_on_departure: false,
          min_stay_on_arrival: 1,
          max_stay_on_arrival: null,
          min_stay_through: null,
          max_stay_through: null,
          exact_stay_on_arrival: null,
          min_advance_reservation: null,
          max_advance_reservation: null,
        },
      });
      assert.equal(await code('/listings/prices', {}, core.own.readToken), 401);
    });

    it('of one listing by its name alone are the same as in a list of one; a list is what counts', async () => {
      const days = { start_date: '2027-02-01', end_date: '2027-02-02' };
      const listed = await post('/listings/calendar', { ...days, listings: [name(a)] });
      const alone = await post('/listings/calendar', { ...days, ...name(a) });
      assert.deepEqual(alone.data, listed.data);
      const both = await post('/listings/calendar', { ...days, listing_id: 'nobody', listings: [name(a)] });
      assert.deepEqual(both.data, listed.data);
      const wrong: [body: object, code: number, field: string][] = [
        [{}, 422, 'listings'],
        [{ channel_type: 'marketplace_a' }, 422, 'listing_id'],
        [{ listing_id: name(a).listing_id }, 422, 'channel_type'],
      ];
      for (const [body, code, field] of wrong) {
        const { error_code, error_msg } = await post('/listings/calendar', { ...days, ...body });
        assert.deepEqual([error_code, error_msg.split(':')[0]], [code, field]);
      }
    });

    it('of 100 listings and 366 days at most', async () => {
      const days = (end_date: string) => ({ start_date: '2027-01-01', end_date, listings: [name(a)] });
      assert.equal(await code('/listings/calendar', days('2028-01-01')), 200);
      assert.equal(await code('/listings/calendar', days('2028-01-02')), 422);
      assert.equal(await code('/listings/calendar', days('2026-12-31')), 422);
      const many = { ...days('2027-01-01'), listings: Array.from({ length: 101 }, () => name(a)) };
      assert.equal(await code('/listings/calendar', many), 422);
    });

    it('of another operator answer 403, of nobody 404', async () => {
      const days = { start_date: '2027-01-01', end_date: '2027-01-01' };
      assert.equal(await code('/listings/calendar', { ...days, listings: [name(foreign)] }), 403);
      const nobodys = { channel_type: 'marketplace_a', listing_id: 'nobody' };
      assert.equal(await code('/listings/calendar', { ...days, listings: [name(a), nobodys] }), 404);
      assert.equal(
        await code('/listings/inventories', { ...name(foreign), inventories: [{ ...days, inventory: 1 }] }),
        403,
      );
      const wrongChannel = { ...name(a), channel_type: 'marketplace_b' };
      assert.equal(await code('/listings/calendar', { ...days, listings: [wrongChannel] }), 404);
    });
  });

  describe('prices', () => {
    const range = { start_date: '2027-05-01', end_date: '2027-05-03' };

    it('answer at once, reach the channel by the worker, and are told once that is clean', async () => {
      const prices = [
        { ...range, price: 120.5 },
        { start_date: '2027-05-03', end_date: '2027-05-03', amount: 99 },
      ];
      const events = await calendarEvents(async () => {
        await core.call('updatePrices', { ...name(a), prices });
        assert.equal((await calendar(a, '2027-05-01'))[0].price, 100, 'nothing is pushed in the request');
      });
      assert.deepEqual(
        (await calendar(a, '2027-05-01', '2027-05-03')).map((day: { price: number }) => day.price),
        [120.5, 120.5, 99],
      );
      assert.deepEqual(events, [
        { event: 'listing_calendar_updated', ...name(a), ...range },
        { event: 'listing_calendar_updated', ...name(a), start_date: '2027-05-03', end_date: '2027-05-03' },
      ]);
    });

    it('of many listings come as entries, amount and price being one field', async () => {
      const b = await listOn(core, 'marketplace_b', second);
      const entries = [
        { ...name(a), ...range, currency: 'EUR', amount: 210 },
        { ...name(b), ...range, price: 190 },
      ];
      await core.clock.advance(5_000);
      assert.equal((await calendarEvents(() => core.call('updatePrices', { entries }))).length, 2);
      assert.equal((await calendar(a, '2027-05-02'))[0].price, 210);
      assert.equal((await calendar(b, '2027-05-02'))[0].price, 190);
      const both = { ...name(a), ...range, amount: 1, price: 2 };
      assert.equal(await code('/listings/prices', { entries: [both] }), 400);
    });

    it('are refused when readonly, in another currency, past, too far, too fine, or in two forms', async () => {
      const fixed = await listOn(core, 'marketplace_a', second, { readonly: true });
      const one = (over: object) =>
        code('/listings/prices', { ...name(a), prices: [{ ...range, price: 10, ...over }] });
      const entry = { ...name(a), ...range, amount: 10 };
      assert.equal(await code('/listings/prices', { ...name(fixed), prices: [{ ...range, price: 10 }] }), 422);
      assert.equal(await code('/listings/prices', { entries: [{ ...entry, currency: 'USD' }] }), 422);
      assert.equal(await code('/listings/prices', { entries: [entry], prices: [{ ...range, price: 1 }] }), 400);
      assert.equal(await code('/listings/prices', { entries: [{ ...entry, ...name(foreign) }] }), 403);
      assert.equal(await code('/listings/prices', name(a)), 422);
      assert.equal(await one({ start_date: '2026-11-19' }), 422);
      assert.equal(await one({ end_date: '2029-11-21' }), 422);
      assert.equal(await one({ end_date: '2027-04-30' }), 422);
      assert.equal(await one({ price: 10.001 }), 422);
      assert.equal(await one({ price: 0 }), 422);
      assert.equal(await one({ price: undefined }), 422);
    });

    it('of a request with a readonly listing among others: the others are pushed, and the skipped one is named', async () => {
      const fixed = await listOn(core, 'marketplace_a', second, { readonly: true });
      const entry = { ...range, amount: 77 };
      const body = {
        entries: [
          { ...name(fixed), ...entry },
          { ...name(a), ...entry },
        ],
      };
      const { error_code, data } = await core.request('POST', '/listings/prices', { body });
      assert.deepEqual([error_code, data], [200, { skipped: [{ ...name(fixed), reason: 'readonly' }] }]);
      await core.workCalendars();
      assert.equal((await calendar(a, '2027-05-01'))[0].price, 77);
      assert.notEqual((await calendar(fixed, '2027-05-01'))[0].price, 77);
      assert.equal(await code('/listings/prices', { entries: body.entries.slice(0, 1) }), 422, 'none is left to push');
    });

    it('of the regional marketplace read back as the floor price', async () => {
      const r = await listOn(core, 'regional_marketplace', second, { commission_percent: 10 });
      await core.call('updatePrices', { ...name(r), prices: [{ ...range, price: 200 }] });
      await core.workCalendars();
      assert.equal((await calendar(r, '2027-05-01'))[0].price, 180);
    });
  });

  describe('the push', () => {
    const range = { start_date: '2027-06-01', end_date: '2027-06-02' };
    const price = (value: number) => core.call('updatePrices', { ...name(a), prices: [{ ...range, price: value }] });
    const steer = (outcome: 'warning' | 'failed') =>
      core.change(core.own.account, (change) =>
        steerNextPush(change, { account_id: core.own.account.account_id, id: a.id }, outcome),
      );

    it('that fails or ends with a warning is not told', async () => {
      await steer('failed');
      assert.deepEqual(await calendarEvents(() => price(31)), []);
      assert.equal((await calendar(a, '2027-06-01'))[0].price, 100);
      await steer('warning');
      assert.deepEqual(await calendarEvents(() => price(32)), []);
      assert.equal((await calendarEvents(() => price(33))).length, 1);
      const outcomes = await core.core.store.db
        .selectFrom('calendar_tasks')
        .where('subject_id', '=', a.id)
        .where('subject', '=', 'listing')
        .select('outcome')
        .orderBy('id', 'desc')
        .limit(3)
        .execute();
      assert.deepEqual(
        outcomes.map((row) => row.outcome),
        ['clean', 'warning', 'failed'],
      );
    });

    it('of one channel, listing and range is told once in 5 seconds, the rest never', async () => {
      await core.clock.advance(5_000);
      assert.equal((await calendarEvents(() => price(41))).length, 1);
      await core.clock.advance(4_999);
      assert.equal((await calendarEvents(() => price(42))).length, 0);
      const longer = { ...range, end_date: '2027-06-03' };
      const another = () => core.call('updatePrices', { ...name(a), prices: [{ ...longer, price: 1 }] });
      assert.equal((await calendarEvents(another)).length, 1, 'another range is told');
      await core.clock.advance(1);
      assert.equal((await calendarEvents(async () => {})).length, 0, 'what was dropped does not come later');
      assert.equal((await calendarEvents(() => price(43))).length, 1);
    });

    it('fails while the channel account is not active, and the inventory follows once it is', async () => {
      const move = (trigger: 'disconnect' | 'connect' | 'authorize') =>
        core.change(core.own.account, (change) => changeAuthStatus(change, a.channel_account_id, trigger));
      await move('disconnect');
      const block = { property_ids: [property], available: false, dates: ['2027-06-20'] };
      assert.deepEqual(await calendarEvents(() => core.call('updateAvailabilities', block)), []);
      assert.equal((await calendar(a, '2027-06-20'))[0].inventory, 1);
      await move('connect');
      await move('authorize');
      await core.workCalendars();
      assert.equal((await calendar(a, '2027-06-20'))[0].inventory, 0);
    });

    it('cut off by a crash is made again, in its order', async () => {
      await core.clock.advance(5_000);
      await price(51);
      await price(52);
      const { store } = core.core;
      await store.db
        .updateTable('calendar_tasks')
        .set({ leased_until: core.clock.now() + 60_000 })
        .where('outcome', 'is', null)
        .execute();
      await core.workCalendars();
      assert.equal((await calendar(a, '2027-06-01'))[0].price, 43, 'somebody else may be at it');
      await core.clock.advance(60_000);
      await core.workCalendars();
      assert.equal((await calendar(a, '2027-06-01'))[0].price, 52);
    });

    it('is written with the request or not at all', async () => {
      const before = await core.stored();
      const bad = {
        ...name(a),
        prices: [
          { ...range, price: 5 },
          { ...range, price: -1 },
        ],
      };
      assert.equal(await code('/listings/prices', bad), 422);
      assert.equal(await core.stored(), before);
    });

    it('to a deleted listing is refused', async () => {
      const gone = await listOn(core, 'marketplace_a', second);
      await core.change(core.own.account, (change) => changeShelfStatus(change, gone.id, 'delete'));
      assert.equal(await code('/listings/prices', { ...name(gone), prices: [{ ...range, price: 5 }] }), 400);
    });

    it('is not needed for an edit on the channel itself, which nobody is told of', async () => {
      const own = { account_id: core.own.account.account_id, id: a.id };
      const edit = () =>
        core.change(core.own.account, (change) =>
          editChannelCalendar(change, own, { kind: 'prices', ranges: [{ ...range, price: 7_700 }] }),
        );
      assert.deepEqual(await told(edit), []);
      assert.equal((await calendar(a, '2027-06-02'))[0].price, 77);
    });
  });

  describe('inventories', () => {
    it('leave the master calendar alone, whose later changes overwrite them', async () => {
      const day = { start_date: '2027-07-01', end_date: '2027-07-01' };
      const set = () => core.call('updateInventories', { ...name(a), inventories: [{ ...day, inventory: 0 }] });
      assert.equal((await calendarEvents(set)).length, 1);
      assert.equal((await calendar(a, '2027-07-01'))[0].inventory, 0);
      const asked = { property_ids: String(property), ...day };
      const free = async () => (await core.call('listAvailabilities', asked)).properties[0].availabilities[0].available;
      assert.equal(await free(), true);
      await core.call('updateAvailabilities', { property_ids: [property], available: false, ...day });
      await core.call('updateAvailabilities', { property_ids: [property], available: true, ...day });
      await core.workCalendars();
      assert.equal((await calendar(a, '2027-07-01'))[0].inventory, 1);
    });
  });

  describe('restrictions', () => {
    const day = { start_date: '2027-08-01', end_date: '2027-08-02' };
    const send = (given: object) =>
      code('/listings/restrictions', { ...name(a), restrictions: [{ ...day, ...given }] });

    it('change what is given, null taking one away, and are never told', async () => {
      const set = (given: object) => () =>
        core.call('updateRestrictions', { ...name(a), restrictions: [{ ...day, ...given }] });
      const first = { closed_on_arrival: true, min_stay_through: 3, max_advance_reservation: '90D0H' };
      assert.deepEqual(await told(set(first)), []);
      assert.deepEqual(await told(set({ min_stay_through: null, exact_stay_on_arrival: 7 })), []);
      const { restrictions } = (await calendar(a, '2027-08-02'))[0];
      assert.deepEqual(
        [
          restrictions.closed_on_arrival,
          restrictions.min_stay_through,
          restrictions.exact_stay_on_arrival,
          restrictions.max_advance_reservation,
        ],
        [true, null, 7, '90D0H'],
      );
    });

    it('must name one, be whole numbers from 1, written as days and hours, and not cross', async () => {
      for (const bad of [
        {},
        { min_stay_on_arrival: 0 },
        { max_stay_through: 1.5 },
        { closed_on_arrival: 'yes' },
        { min_advance_reservation: '3 days' },
        { min_stay_on_arrival: 5, max_stay_on_arrival: 4 },
        { min_stay_through: 5, max_stay_through: 4 },
      ]) {
        assert.equal(await send(bad), 422, JSON.stringify(bad));
      }
    });
  });
});
