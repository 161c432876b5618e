import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Facts } from '../../src/automations/facts/facts.ts';
import { failingCondition } from '../../src/automations/rules/conditions.ts';
import { momentOf } from '../../src/kernel/quietHours.ts';
import { addDays } from '../../src/kernel/dates.ts';
import { type Booked, type House, openHouse, START } from './support/house.ts';
import { recipe } from './support/recipes.ts';

const MINUTE = 60_000;

describe('nights next to a stay', () => {
  let house: House;
  before(async () => {
    house = await openHouse({ rules: '' });
  });
  after(() => house.close());
  const today = () => new Date(START + house.time.elapsed()).toISOString().slice(0, 10);
  /** Sleeps until shortly before a moment where the house is, and lets it come. */
  const comes = async (date: string, time: string) => {
    house.time.skipTo(Date.parse(momentOf(date, time, 'Europe/Berlin')) - START - 5_000);
    await house.pass(MINUTE);
  };
  const block = (date: string, available: boolean) =>
    house.host('POST', '/availabilities', {
      property_ids: [house.property_id],
      available,
      start_date: date,
      end_date: date,
    });
  const endOf = async (rule: string, { reservation_code }: Booked) => {
    const plan = (await house.plans()).find((one) => one.rule === rule && one.stay_code === reservation_code);
    return [plan?.state, plan?.reason].filter(Boolean).join(' ');
  };

  it('early-check-in is offered after a free night alone, late-check-out before one', async () => {
    await house.use(`${recipe('early-check-in')}---\n${recipe('late-check-out')}`);
    const first = today();
    const alone = await house.book({ inDays: 3, nights: 2 });
    const next = await house.book({ inDays: 5, nights: 2, guest: 'Grace Hopper' });
    for (const one of [alone, next]) await house.reaches('early-check-in', 'planned', one.reservation_code);
    await comes(addDays(first, 2), '18:00');
    assert.match(
      (await house.said(alone.conversation_id)).join('|'),
      /^Hello Ada, the night before you come is free[^|]+$/,
    );
    await comes(addDays(first, 4), '18:00');
    assert.equal(await endOf('early-check-in', next), 'skipped condition');
    assert.equal(await endOf('late-check-out', alone), 'skipped condition');
    await comes(addDays(first, 6), '18:00');
    assert.match((await house.said(next.conversation_id)).join('|'), /^Hello Grace, nobody moves in after you[^|]+$/);
    assert.equal((await house.said(alone.conversation_id)).length, 1);
  });

  it('the calendar is read just before: what the mirror does not know yet counts', async () => {
    await house.use(recipe('early-check-in'));
    const first = today();
    const taken = await house.book({ inDays: 5, nights: 1 });
    const free = await house.book({ inDays: 9, nights: 1 });
    for (const one of [taken, free]) await house.reaches('early-check-in', 'planned', one.reservation_code);
    await block(addDays(first, 8), false);
    await house.pass(10_000);
    house.core.spoilDeliveries({ drop: 1, double: 0, reorder: 0, delay_ms: 0 });
    await block(addDays(first, 4), false);
    await block(addDays(first, 8), true);
    await comes(addDays(first, 4), '18:00');
    await comes(addDays(first, 8), '18:00');
    house.core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
    assert.equal(await endOf('early-check-in', taken), 'skipped condition');
    assert.equal(await endOf('early-check-in', free), 'sent');
    const { rows } = await house.automations.test({ since: `${first}T00:00:00.000Z`, limit: 100 });
    assert.ok(
      rows.some(({ would }) => would === 'act') && rows.some(({ because }) => because.includes('night_before_free')),
    );
  });

  it('what nobody says is neither free nor taken', () => {
    const facts = { nextNights: { before: null, after: null } } as unknown as Facts;
    for (const name of ['night_before_free', 'night_after_free'] as const) {
      for (const wanted of [true, false]) {
        assert.equal(failingCondition({ [name]: wanted }, facts), name);
        assert.equal(failingCondition({ [name]: wanted }, {} as Facts), name);
      }
    }
  });
});
