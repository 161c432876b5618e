import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { prune } from '../../src/automations/plans/prune.ts';
import { momentOf } from '../../src/kernel/quietHours.ts';
import { cancel } from '../../src/sandbox/change.ts';
import { putOnMarketplace } from '../../src/sandbox/listing.ts';
import { addDays } from '../../src/kernel/dates.ts';
import { CONNECTION } from '../sim/daemon.ts';
import { type Booked, type House, openHouse, START } from './support/house.ts';
import { recipe } from './support/recipes.ts';

const MINUTE = 60_000;

describe('rounds over the nights of a house', () => {
  let house: House;
  before(async () => {
    house = await openHouse({ rules: '' });
  });
  after(() => house.close());
  const today = () => new Date(START + house.time.elapsed()).toISOString().slice(0, 10);
  /** The next round of a rule, at a time of the next day. */
  const round = async (time: string) => {
    house.time.skipTo(Date.parse(momentOf(addDays(today(), 1), time, 'Europe/Berlin')) - START - 5_000);
    await house.pass(1.5 * MINUTE);
  };
  const nights = async (inDays: number, count: number) => {
    const range = { start_date: addDays(today(), inDays), end_date: addDays(today(), inDays + count - 1) };
    const { data } = await house.host('POST', '/listings/calendar', { ...house.listing, ...range });
    return data.listings[0].calendar as {
      date: string;
      price: number;
      restrictions: { min_stay_on_arrival: number };
    }[];
  };
  const prices = async (inDays: number, count: number) => (await nights(inDays, count)).map(({ price }) => price);
  const minStays = async (inDays: number, count: number) =>
    (await nights(inDays, count)).map(({ restrictions }) => restrictions.min_stay_on_arrival);
  const cancelled = ({ channel_id }: Booked) =>
    house.change((change) => cancel(change, { channel_type: house.listing.channel_type, channel_id }));
  const spoilFirst = (path: string, faults: object) => {
    let asked = 0;
    house.spoils = (_method, one) => (one === path && (asked += 1) === 1 ? faults : undefined);
    return () => asked;
  };
  const asIt = () =>
    recipe('prices-by-demand').replace('days_ahead: 120', 'days_ahead: 20').replace('floor: 60', 'floor: 10');

  it('prices-by-demand takes its per cents off once, day after day, and again under another name', async () => {
    await house.use(asIt());
    await round('06:10');
    const expected = [68, 68, 68, 77, 77, 77, 77, 77, 90, 90];
    assert.deepEqual(await prices(0, 10), expected);
    await round('06:10');
    await round('06:10');
    assert.deepEqual(await prices(0, 10), expected);
    await house.use(asIt().replace('name: prices-by-demand', 'name: prices-again'));
    await round('06:10');
    assert.deepEqual(await prices(0, 10), expected);
  });

  it('an answer that is cut off, or a process that ends, makes no discount of a discount', async () => {
    await house.use(asIt());
    const asked = spoilFirst('/v3/listings/prices', { cut: 100 });
    await round('06:10');
    assert.equal(asked(), 1, 'it had been heard');
    assert.deepEqual(await prices(0, 10), [68, 68, 68, 77, 77, 77, 77, 77, 90, 90]);
    const again = spoilFirst('/v3/listings/prices', { proxyPage: 100 });
    await round('06:10');
    assert.equal(again(), 2, 'it had not');
    assert.deepEqual(await prices(0, 10), [68, 68, 68, 77, 77, 77, 77, 77, 90, 90]);
    house.spoils = undefined;
    for (const crash of [9]) {
      house.crashIn = crash;
      await round('06:10');
      await house.pass(MINUTE);
      house.crashIn = 0;
      assert.deepEqual(await prices(0, 10), [68, 68, 68, 77, 77, 77, 77, 77, 90, 90], `${crash}`);
    }
  });

  it('a full week costs more, until it is none any more; what somebody has priced by hand is left to them', async () => {
    await house.use(asIt());
    const stays = [await house.book({ inDays: 9, nights: 6 }), await house.book({ inDays: 16, nights: 6 })];
    await house.pass(MINUTE);
    await round('06:10');
    assert.deepEqual(await prices(14, 1), [99], 'one night between two stays: 6 of 7 are taken');
    const byHand = addDays(today(), 5);
    await house.host('POST', '/listings/prices', {
      ...house.listing,
      prices: [{ start_date: byHand, end_date: byHand, price: 200 }],
    });
    for (const one of stays) await cancelled(one);
    await house.pass(MINUTE);
    await round('06:10');
    assert.deepEqual(await prices(13, 1), [90]);
    assert.deepEqual(await prices(3, 3), [77, 200, 77]);
  });

  it('gap-min-stay asks for no more nights than a gap has, and takes that back', async () => {
    await house.host('POST', '/listings/restrictions', {
      ...house.listing,
      restrictions: [{ start_date: today(), end_date: addDays(today(), 100), min_stay_on_arrival: 5 }],
    });
    await house.use(recipe('gap-min-stay'));
    const first = await house.book({ inDays: 30, nights: 3 });
    const next = await house.book({ inDays: 36, nights: 3 });
    await house.pass(MINUTE);
    const asked = spoilFirst('/v3/listings/restrictions', { cut: 100 });
    await round('06:20');
    house.spoils = undefined;
    assert.equal(asked(), 1);
    assert.deepEqual(await minStays(31, 5), [5, 3, 2, 2, 5]);
    await cancelled(next);
    await house.pass(MINUTE);
    await round('06:20');
    assert.deepEqual(await minStays(30, 5), [5, 5, 5, 5, 5]);
    await cancelled(first);
  });

  it('last-minute-min-stay lets shorter stays in as a night comes near; a rule in test sets nothing', async () => {
    const rule = recipe('last-minute-min-stay');
    await house.use(rule.replace('state: live', 'state: test'));
    await round('06:30');
    assert.deepEqual(await minStays(3, 2), [5, 5]);
    await house.reaches('last-minute-min-stay', 'tested');
    await house.use(rule);
    await round('06:30');
    assert.deepEqual(await minStays(2, 4), [1, 1, 2, 2]);
    assert.deepEqual(await minStays(14, 2), [2, 5]);
  });

  it('a gap whose answer was cut off is made cheaper once; read-only listings are left alone', async () => {
    const channel_account_id = await house.change(async (change) => {
      const { id } = await change.trx.selectFrom('channel_accounts').select('id').executeTakeFirstOrThrow();
      return id;
    });
    const closed = await house.change((change) =>
      putOnMarketplace(change, {
        channel_account_id,
        property_id: house.property_id,
        title: 'Closed',
        base_price: 90,
        readonly: true,
      }),
    );
    await house.ends(house.daemon.daemon.reconcile(CONNECTION));
    await house.use(recipe('gap-nights'));
    const stays = [await house.book({ inDays: 26, nights: 2 }), await house.book({ inDays: 30, nights: 2 })];
    await house.pass(MINUTE);
    const asked = spoilFirst('/v3/listings/prices', { cut: 100 });
    await round('06:00');
    house.spoils = undefined;
    assert.equal(asked(), 1);
    assert.deepEqual(await prices(27, 2), [72, 72]);
    for (const one of stays) await cancelled(one);
    await house.pass(MINUTE);
    await round('06:00');
    assert.deepEqual(await prices(26, 2), [90, 90], 'set back to what it was');
    await house.use(asIt().replace('prices-by-demand', 'with-a-closed-one'));
    await round('06:10');
    const results = await house.daemon.store.db
      .selectFrom('automation_plans')
      .select('result')
      .where('rule', 'in', ['gap-nights', 'with-a-closed-one'])
      .execute();
    const written = JSON.stringify(results);
    assert.ok(written.includes(house.listing.listing_id) && !written.includes(closed.listing_id));
  });

  it('go round on the weekdays alone that a rule asks for', async () => {
    const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const inDays = (days: number) => names[new Date(addDays(today(), days)).getUTCDay()];
    await house.use(asIt().replace('do:', `if: { weekday: [${inDays(2)}] }\ndo:`));
    const posted = spoilFirst('/v3/listings/prices', {});
    const before = await prices(0, 20);
    await round('06:10');
    assert.deepEqual([posted(), await prices(0, 19)], [0, before.slice(1)], inDays(0));
    await round('06:10');
    assert.deepEqual([posted(), (await prices(0, 3))[0] === 68], [1, true], inDays(0));
    house.spoils = undefined;
  });

  it('what a night was before is kept as long as the night is to come', async () => {
    await house.use(asIt());
    await round('06:10');
    await house.use('');
    const { db } = house.daemon.store;
    const plansThere = async () => {
      const rows = await db
        .selectFrom('automation_plans')
        .select(['plan_id', 'result'])
        .where('action', '=', 'price')
        .where('result', 'is not', null)
        .execute();
      return rows.map(({ plan_id, result }) => {
        const { prices } = JSON.parse(result ?? '') as { prices: { date: string }[] };
        return { plan_id, isAhead: prices.some(({ date }) => date >= today()) };
      });
    };
    house.time.skipTo(house.time.elapsed() + 3 * 24 * 60 * MINUTE);
    await house.pass(5_000);
    const before = await plansThere();
    const pruning = {
      store: house.daemon.store,
      connection: CONNECTION,
      clock: house.time.newProcess(),
      signal: new AbortController().signal,
    };
    await prune(pruning, 1);
    assert.deepEqual(
      await plansThere(),
      before.filter(({ isAhead }) => isAhead),
    );
    const counts = [true, false].map((ahead) => before.filter(({ isAhead }) => isAhead === ahead).length);
    assert.ok(
      counts.every((count) => count > 0),
      counts.join(),
    );
  });
});
