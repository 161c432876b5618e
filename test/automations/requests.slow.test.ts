import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { judgeNights, type OtherStay } from '../../src/automations/perform/requestedNights.ts';
import type { NightState } from '../../src/automations/perform/nights.ts';
import { book, type WantedRoom } from '../../src/sandbox/book.ts';
import { putOnMarketplace } from '../../src/sandbox/listing.ts';
import { giveUp } from '../../src/sandbox/change.ts';
import { addDays, nightsOf } from '../../src/kernel/dates.ts';
import { type House, openHouse, START } from './support/house.ts';
import { recipe } from './support/recipes.ts';

const MINUTE = 60_000;
const approve = recipe('approve-requests').replace('15 minutes', '1 minute');
const decline = recipe('decline-one-night').replace('15 minutes', '1 minute');

describe('requests that rules answer', () => {
  let house: House;
  let asked: string[] = [];
  before(async () => {
    house = await openHouse({ rules: '' });
  });
  beforeEach(() => {
    asked = [];
    house.spoils = (method, path) => {
      if (method === 'POST' && /\/(approve|decline)$/.test(path)) asked.push(path);
      return undefined;
    };
  });
  after(() => house.close());
  let made = 0;
  const day = (inDays: number) => addDays(new Date(START + house.time.elapsed()).toISOString().slice(0, 10), inDays);
  const request = async (room: Partial<WantedRoom> & { nights?: number } = {}, more: readonly WantedRoom[] = []) => {
    made += 1;
    const { nights = 3, ...rest } = room;
    const channel_id = `RQ${made}`;
    const first = {
      listing_id: house.listing.listing_id,
      check_in_date: day(10 + 20 * made),
      check_out_date: day(10 + 20 * made + nights),
      number_of_guests: 2,
      number_of_pets: 0,
      overbook: true,
      ...rest,
    };
    const { reservation_code: code } = await house.change((change) =>
      book(change, {
        kind: 'request',
        channel_type: house.listing.channel_type,
        channel_id,
        rooms: [first, ...more],
        guest: { name: 'Ada Guest' },
        answer_minutes: 24 * 60,
      }),
    );
    return { code, first, named: { channel_type: house.listing.channel_type, channel_id } };
  };
  const statusOf = async (code: string) =>
    (await house.host('GET', `/reservations?reservation_code=${code}`)).data.reservations[0].status;
  const ends = async (code: string) => {
    const rows = await house.daemon.store.db
      .selectFrom('automation_plans')
      .select(['state', 'reason'])
      .where('reservation_code', '=', code)
      .orderBy('plan_id')
      .execute();
    return rows.map(({ state, reason }) => [state, reason].filter(Boolean).join(' '));
  };

  it('approve-requests approves what fits, once, and leaves the rest to a person; decline-one-night declines', async () => {
    await house.use(`${approve}---\n${decline}`);
    const [fits, many, short] = [await request(), await request({ number_of_guests: 5 }), await request({ nights: 1 })];
    await house.pass(3 * MINUTE);
    assert.deepEqual(await Promise.all([fits, many, short].map(({ code }) => statusOf(code))), [
      'accepted',
      'wait_accept',
      'denied',
    ]);
    assert.equal(asked.length, 2);
    await house.pass(10 * MINUTE);
    assert.equal(asked.length, 2, 'once');
    assert.deepEqual(await ends(fits.code), ['sent']);
  });

  it('a rule in test answers nothing, and one that was armed later has nothing to do with it', async () => {
    await house.use('');
    const early = await request();
    await house.pass(2 * MINUTE);
    await house.use(approve.replace('name: approve-requests', 'name: tried').replace('state: live', 'state: test'));
    const { code } = await request();
    await house.reaches('tried', 'tested', code);
    assert.deepEqual([await statusOf(early.code), await statusOf(code)], ['wait_accept', 'wait_accept']);
    assert.deepEqual(asked, []);
    assert.deepEqual(await ends(early.code), []);
    const { rows } = await house.automations.test({ since: '2026-11-20T00:00:00.000Z', limit: 100 });
    assert.ok(rows.some(({ about, would, text }) => about === code && would === 'act' && text === 'approve'));
    await house.pass(2 * MINUTE);
  });

  it('a request that was withdrawn a moment before is not answered, though the mirror does not know yet', async () => {
    await house.use(approve.replace('1 minute', '2 minutes'));
    const { code, named } = await request();
    await house.reaches('approve-requests', 'planned', code);
    await house.pass(MINUTE);
    house.core.spoilDeliveries({ drop: 1, double: 0, reorder: 0, delay_ms: 0 });
    await house.change((change) => giveUp(change, named));
    await house.pass(2 * MINUTE);
    house.core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
    assert.deepEqual([await ends(code), asked], [['skipped stay_status'], []]);
  });

  it('nights that another stay has by now are not approved', async () => {
    await house.use(approve.replace('1 minute', '2 minutes'));
    const other = await house.book({ inDays: 5, nights: 2 });
    const { code, first } = await request();
    await house.reaches('approve-requests', 'planned', code);
    await house.change((change) =>
      change.trx
        .updateTable('stays')
        .set({ check_in_date: addDays(first.check_in_date, 1), check_out_date: addDays(first.check_out_date, 1) })
        .where('reservation_code', '=', other.reservation_code as never)
        .execute(),
    );
    await house.pass(3 * MINUTE);
    assert.deepEqual([await ends(code), asked], [['skipped nights_taken'], []]);
    await house.change((change) =>
      change.trx
        .updateTable('stays')
        .set({ check_in_date: day(5), check_out_date: day(7) })
        .where('reservation_code', '=', other.reservation_code as never)
        .execute(),
    );
  });

  it('an answer that is cut off has been heard: it is found, and not given again', async () => {
    await house.use(approve);
    const { spoils } = house;
    house.spoils = (method, path) => {
      spoils?.(method, path);
      return path.endsWith('/approve') ? { cut: 100 } : undefined;
    };
    const { code } = await request();
    await house.reaches('approve-requests', 'sent', code);
    assert.deepEqual([await statusOf(code), asked.length], ['accepted', 1]);
    assert.ok((await house.log()).some(({ what }) => what === 'found'));
  });

  it('one of which nobody knows is never given again, by no rule: a person decides', async () => {
    await house.use(`${approve}---\n${approve.replace('approve-requests', 'too').replace('1 minute', '4 minutes')}`);
    const { spoils } = house;
    house.spoils = (method, path) => {
      spoils?.(method, path);
      return path.endsWith('/approve') ? { proxyPage: 100 } : undefined;
    };
    const { code } = await request();
    await house.reaches('approve-requests', 'unknown', code);
    await house.pass(10 * MINUTE);
    assert.deepEqual([(await ends(code)).toSorted(), asked.length], [['skipped has_answer', 'unknown uncertain'], 1]);
    house.spoils = spoils;
    const [waiting] = (await house.automations.pending({ limit: 9 })) as { plan_id: string }[];
    await house.automations.approve(waiting?.plan_id ?? '');
    await house.reaches('approve-requests', 'sent', code);
    assert.equal(await statusOf(code), 'accepted');
  });

  it('a change of the feed will do as well, and the request is answered once however often it changes', async () => {
    await house.use(approve.replace('when: 1 minute after booking', 'when: { change: reservation }\nwait: 1 minute'));
    const { code } = await request();
    await house.pass(3 * MINUTE);
    await house.host('POST', `/reservations/${code}/tags`, { tag_name: 'seen' });
    await house.pass(3 * MINUTE);
    assert.deepEqual([await statusOf(code), asked.length], ['accepted', 1]);
    assert.equal((await ends(code)).filter((one) => one === 'sent').length, 1);
  });

  it('a booking of several rooms waits for a person', async () => {
    await house.use(approve);
    const { data } = await house.host('POST', '/properties', { name: 'Beside' });
    const account = await house.change((change) =>
      change.trx.selectFrom('channel_accounts').select('id').executeTakeFirstOrThrow(),
    );
    const { listing_id } = await house.change((change) =>
      putOnMarketplace(change, {
        channel_account_id: account.id,
        property_id: data.property_id,
        title: 'B',
        base_price: 90,
      }),
    );
    const beside = {
      listing_id,
      check_in_date: day(300),
      check_out_date: day(303),
      number_of_guests: 2,
      overbook: true,
    };
    const { code } = await request({ check_in_date: day(300), check_out_date: day(303) }, [
      { ...beside, number_of_pets: 0 },
    ]);
    await house.until(async () => (await ends(code)).includes('awaiting_approval several_rooms'), 'a plan that waits');
    await house.pass(3 * MINUTE);
    assert.deepEqual(
      [await ends(code), asked],
      [['awaiting_approval several_rooms', 'awaiting_approval several_rooms'], []],
    );
  });
});

describe('whether the nights of a request are free', () => {
  const wanted = { property_id: 1, check_in_date: '2027-03-10', check_out_date: '2027-03-13' };
  const nights = nightsOf(wanted.check_in_date, wanted.check_out_date);
  const states = fc.constantFrom<NightState | undefined>('free', 'stay', 'closed', 'unknown', undefined);
  const date = fc.option(fc.integer({ min: -6, max: 8 }).map((days) => addDays('2027-03-10', days)));
  const status = fc.constantFrom('accepted', 'wait_pay', 'wait_accept', 'cancelled', 'denied', 'somehow', null);
  const others = fc.array(fc.record({ status, check_in_date: date, check_out_date: date }), { maxLength: 3 });
  const calendarOf = (given: readonly (NightState | undefined)[]) =>
    new Map(nights.flatMap((night, at) => (given[at] === undefined ? [] : [[night, given[at]] as const])));

  it('is said of nights that are all known, and that nobody else has', () => {
    fc.assert(
      fc.property(fc.tuple(states, states, states), others, (given, stays: OtherStay[]) => {
        const verdict = judgeNights(wanted, calendarOf(given), stays);
        const mayOverlap = stays.some(
          ({ status: state, check_in_date: from, check_out_date: to }) =>
            (state === null || state === 'accepted' || state === 'wait_pay') &&
            (from === null || from < wanted.check_out_date) &&
            (to === null || to > wanted.check_in_date),
        );
        const isKnown = given.every((one) => one === 'free' || one === 'stay');
        assert.equal(verdict === 'free', isKnown && !mayOverlap);
        if (given.includes('closed')) assert.equal(verdict, 'taken');
      }),
    );
  });
});
