import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { momentOf } from '../../src/kernel/quietHours.ts';
import { inquire } from '../../src/sandbox/write.ts';
import { addDays } from '../../src/kernel/dates.ts';
import { FAIR_CONDITIONS, type NetworkFaults } from '../sim/network.ts';
import { type House, openHouse, START } from './support/house.ts';
import { recipe } from './support/recipes.ts';

const MINUTE = 60_000;
const BAD_CONDITIONS: NetworkFaults = {
  ...FAIR_CONDITIONS,
  latencyMs: 400,
  slow: 5,
  refused: 8,
  cut: 15,
  proxyPage: 8,
  oddCode: 8,
  limited: 3,
};
const DAYS = 4;
const soon = (name: string) =>
  recipe(name).replace('wait: 10 minutes', 'wait: 1 minute\ncancel_if_host_replied: false');
const RULES = [
  soon('preapprove-inquiries'),
  soon('offer-for-a-week').replace('at_least: 7', 'at_least: 1'),
  recipe('prices-by-demand').replace('days_ahead: 120', 'days_ahead: 20').replace('floor: 60', 'floor: 10'),
  recipe('last-minute-min-stay'),
].join('---\n');

/** Price and minimum stay of the next nights, from what they are without any rule: 90, and none. */
const EXPECTED = [
  ...Array.from({ length: 3 }, () => [68, 1]),
  [77, 1],
  ...Array.from({ length: 4 }, () => [77, 2]),
  ...Array.from({ length: 2 }, () => [90, 2]),
];

const today = (house: House) => new Date(START + house.time.elapsed()).toISOString().slice(0, 10);

async function asks(house: House, inDays: number): Promise<string> {
  const first = addDays(today(house), inDays);
  const dates = { check_in_date: first, check_out_date: addDays(first, 3) };
  const { conversation_id } = await house.change((change) =>
    inquire(change, {
      ...house.listing,
      ...dates,
      number_of_guests: 2,
      guest: { name: 'Ada Guest' },
      message: 'Is it free?',
    }),
  );
  return conversation_id;
}

async function sleepUntil(house: House, date: string, time: string, ms: number): Promise<void> {
  house.time.skipTo(Date.parse(momentOf(date, time, 'Europe/Berlin')) - START - 5_000);
  await house.pass(ms);
}

describe('with time-outs, cut answers, 502s, 429s and ends of the process', () => {
  for (const seed of [1, 2]) {
    it(`prices are right day after day, and no dates are offered twice (seed ${seed})`, async () => {
      const house = await openHouse({ rules: RULES, seed });
      try {
        const conversations: string[] = [];
        for (let day = 0; day < DAYS; day += 1) {
          house.conditions = BAD_CONDITIONS;
          for (const guest of [0, 1, 2]) {
            const conversation = await asks(house, 30 + 10 * guest + 40 * day);
            conversations.push(conversation);
            await house.pass(5_000);
            house.crashIn = 1 + ((guest * 7 + day * 5 + seed) % 11);
            await house.write(conversation, 'Hello?');
            await house.pass(MINUTE);
          }
          house.crashIn = 0;
          await house.pass(3 * MINUTE);
          house.crashIn = 3 + ((day * 5 + seed * 3) % 17);
          await sleepUntil(house, addDays(today(house), 1), '06:10', 10 * MINUTE);
          house.crashIn = 0;
          await sleepUntil(house, today(house), '06:30', 8 * MINUTE);
          house.conditions = { ...FAIR_CONDITIONS };
          await house.pass(6 * MINUTE);
          const range = { start_date: today(house), end_date: addDays(today(house), 9) };
          const { data } = await house.host('POST', '/listings/calendar', { ...house.listing, ...range });
          const nights = data.listings[0].calendar as {
            price: number;
            restrictions: { min_stay_on_arrival: number };
          }[];
          assert.deepEqual(
            nights.map(({ price, restrictions }) => [price, restrictions.min_stay_on_arrival]),
            EXPECTED,
          );
        }
        const made = await Promise.all(
          conversations.map(async (one) => {
            const { data } = await house.host('GET', `/conversations/${one}/special_offers`);
            return (data.special_offers as unknown[]).length;
          }),
        );
        assert.ok(
          made.every((count) => count <= 1),
          made.join(),
        );
        assert.ok(made.filter((count) => count === 1).length >= conversations.length / 2, made.join());
      } finally {
        await house.close();
      }
    });
  }
});
