import fc from 'fast-check';
import {
  planOfWritten,
  type RatePlan,
  ratePlan,
  type WrittenPlan,
} from '../../../../src/channels/direct/plans/plan.ts';
import type { Asked } from '../../../../src/channels/direct/quotes/quote.ts';
import { weekdays } from '../../../../src/contract/priceRules.ts';
import { addDays } from '../../../../src/kernel/dates.ts';
import { exponentOf } from '../../../../src/kernel/money.ts';

/** A random plan in both forms, and a stay. */
export interface Case {
  written: WrittenPlan;
  plan: RatePlan;
  asked: Asked;
}

const FIRST_DAY = '2027-01-01';
const day = fc.integer({ min: 0, max: 1_200 }).map((days) => addDays(FIRST_DAY, days));
const dayOfYear = fc.integer({ min: 0, max: 365 }).map((days) => addDays('2028-01-01', days).slice(5));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const daySet = fc.subarray([...weekdays], { minLength: 1 });
const percent = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 1_000_000 }).map((parts) => parts / 10_000),
);
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

function amountOf(currency: string): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: 60_000 }).map((minor) => minor / 10 ** exponentOf(currency));
}

const limits = {
  min_nights: maybe(fc.integer({ min: 1, max: 6 })),
  max_nights: rarely(fc.integer({ min: 6, max: 60 })),
  arrival_days: rarely(daySet),
  departure_days: rarely(daySet),
};

function seasonOf(amount: fc.Arbitrary<number>) {
  const span = fc.oneof(
    fc.record({ from: dayOfYear, to: dayOfYear }),
    fc.record({ from: day, nights: fc.integer({ min: 0, max: 90 }) }).map(({ from, nights }) => ({
      from,
      to: addDays(from, nights),
    })),
  );
  return fc
    .record({ span, price: maybe(amount), weekend_price: maybe(amount), ...limits })
    .map(({ span: { from, to }, ...rest }) => ({ name: `${from} to ${to}`, from, to, ...rest }));
}

const feeNames = ['Cleaning', 'Linen', 'Dog', 'Parking'];

function feesOf(amount: fc.Arbitrary<number>) {
  const fee = fc.record({
    amount,
    per: fc.constantFrom('stay', 'night', 'guest', 'guest_night', 'pet', 'pet_night'),
    taxable: fc.boolean(),
    optional: fc.boolean(),
  });
  return fc
    .array(fee, { maxLength: feeNames.length })
    .map((fees) => fees.map((one, index) => ({ name: feeNames[index] ?? '', ...one })));
}

function taxOf(amount: fc.Arbitrary<number>, bases: readonly string[]) {
  return fc.oneof(
    fc.record({
      percent,
      of: maybe(fc.subarray([...bases], { minLength: 1 })),
      max_amount: rarely(amount),
      included: fc.boolean(),
    }),
    fc.record({
      amount,
      per: maybe(fc.constantFrom('stay', 'night', 'guest', 'guest_night')),
      max_nights: maybe(fc.integer({ min: 1, max: 10 })),
      exempt_below_age: maybe(fc.integer({ min: 1, max: 18 })),
      max_amount: rarely(amount),
      included: fc.boolean(),
    }),
  );
}

const writtenPlans: fc.Arbitrary<object> = fc.constantFrom('EUR', 'JPY', 'KWD').chain((currency) => {
  const amount = amountOf(currency);
  return feesOf(amount).chain((fees) => {
    const bases = ['accommodation', 'fees', ...fees.filter((fee) => fee.taxable).map((fee) => fee.name)];
    return fc
      .record({
        currency: fc.constant(currency),
        base_price: amount,
        weekend: maybe(fc.record({ price: amount, nights: maybe(daySet) })),
        seasons: fc.array(seasonOf(amount), { maxLength: 5 }),
        stay: fc.record({
          ...limits,
          lead_days: fc.constantFrom(0, 0, 1, 3),
          ahead_days: fc.constantFrom(400, 540, 1_000),
        }),
        guests: fc.record({
          most: fc.integer({ min: 2, max: 9 }),
          included: maybe(fc.integer({ min: 1, max: 9 })),
          extra_price: amount,
          infants_below_age: fc.constantFrom(0, 2, 4),
          pets: fc.constantFrom(0, 2, 3),
        }),
        discounts: fc.uniqueArray(fc.record({ from_nights: fc.integer({ min: 2, max: 30 }), percent }), {
          maxLength: 3,
          selector: (one) => one.from_nights,
        }),
        fees: fc.constant(fees),
        taxes: fc
          .array(taxOf(amount, bases), { maxLength: 4 })
          .map((taxes) => taxes.map((tax, index) => ({ name: `Tax ${index}`, ...tax }))),
        payment: fc.record({ at_booking_percent: percent, balance_days: fc.integer({ min: 0, max: 60 }) }),
        cancellation: fc.constantFrom('flexible', 'moderate', 'strict'),
      })
      .map((plan) => ({
        ...plan,
        guests: { ...plan.guests, included: plan.guests.included && Math.min(plan.guests.included, plan.guests.most) },
      }));
  });
});

const stays = fc.record({
  booked_on: day,
  ahead: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: -3, max: 600 })),
  nights: fc.oneof(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 0, max: 62 })),
  adults: fc.integer({ min: 1, max: 6 }),
  children: fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 4 }),
  pets: fc.constantFrom(0, 0, 0, 1, 2, 3),
  chosen: fc.subarray(feeNames),
});

/** Random plans and stays. Seasons that a plan would be refused for are left out of it. */
export const cases: fc.Arbitrary<Case> = fc.record({ given: writtenPlans, stay: stays }).map(({ given, stay }) => {
  const whole = ratePlan.parse(withoutUndefined(given));
  const seasons: WrittenPlan['seasons'] = [];
  for (const season of whole.seasons) {
    const isSound = 'plan' in planOfWritten({ ...whole, seasons: [...seasons, season] });
    if (isSound) seasons.push(season);
  }
  const written = { ...whole, seasons };
  const read = planOfWritten(written);
  if ('mistakes' in read) throw new Error(JSON.stringify(read.mistakes));
  const { booked_on, ahead, nights, chosen, ...party } = stay;
  const check_in_date = addDays(booked_on, ahead);
  const optional = written.fees.filter((fee) => fee.optional).map((fee) => fee.name);
  const asked: Asked = {
    ...party,
    check_in_date,
    check_out_date: addDays(check_in_date, nights),
    booked_on,
    optional_fees: chosen.filter((name) => optional.includes(name)),
  };
  return { written, plan: read.plan, asked };
});

/** As it comes out of a file: keys without a value are not there. */
function withoutUndefined(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
