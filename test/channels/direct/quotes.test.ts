import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { type RatePlan, planOfWritten, ratePlan } from '../../../src/channels/direct/plans/plan.ts';
import { readPlanFile } from '../../../src/channels/direct/plans/planFile.ts';
import { type Asked, type Quote, quoteOf, refundOf } from '../../../src/channels/direct/quotes/quote.ts';
import { addDays, daysBetween } from '../../../src/kernel/dates.ts';
import { cases } from './support/plans.ts';

const RUNS = { numRuns: 300 };

const usual = {
  currency: 'EUR',
  base_price: 100,
  guests: { most: 4, pets: 1 },
  cancellation: 'moderate',
};

function planFrom(more: object): RatePlan {
  const read = planOfWritten(ratePlan.parse({ ...usual, ...more }));
  if ('mistakes' in read) throw new Error(JSON.stringify(read.mistakes));
  return read.plan;
}

/** A stay of two adults that is booked on New Year. */
function stay(check_in_date: string, nights: number, more: Partial<Asked> = {}): Asked {
  const check_out_date = addDays(check_in_date, nights);
  return { check_in_date, check_out_date, adults: 2, children: [], pets: 0, booked_on: '2027-01-01', ...more };
}

function quoted(plan: RatePlan, asked: Asked): Quote {
  const answer = quoteOf(plan, asked);
  assert.ok('quote' in answer, JSON.stringify(answer));
  return answer.quote;
}

function refusedFor(plan: RatePlan, asked: Asked): Record<string, string> {
  const answer = quoteOf(plan, asked);
  return 'refused' in answer ? Object.fromEntries(answer.refused.map(({ reason, says }) => [reason, says])) : {};
}

const short = ({ lines }: Quote) => lines.map(({ kind, name, quantity, amount }) => [kind, name, quantity, amount]);

test('nights cost the base, the weekend or the season, each on a line with its count', () => {
  const plan = planFrom({
    weekend: { price: 130 },
    seasons: [
      { name: 'Summer', from: '06-15', to: '09-15', price: 180, weekend_price: 200 },
      { name: 'Fair', from: '2027-07-05', to: '2027-07-07', price: 300 },
    ],
  });
  // 2027-06-11 is a Friday.
  assert.deepEqual(short(quoted(plan, stay('2027-06-11', 5))), [
    ['weekend', 'Weekend nights', 2, 26_000],
    ['night', 'Nights', 2, 20_000],
    ['season', 'Summer', 1, 18_000],
  ]);
  // A season of one year comes before one of every year.
  assert.deepEqual(short(quoted(plan, stay('2027-07-03', 4))), [
    ['season_weekend', 'Summer', 1, 20_000],
    ['season', 'Summer', 1, 18_000],
    ['season', 'Fair', 2, 60_000],
  ]);
  assert.deepEqual(short(quoted(plan, stay('2028-07-05', 1, { booked_on: '2028-06-30' }))), [
    ['season', 'Summer', 1, 18_000],
  ]);
});

test('the example is a plan, and the page on rates shows it as it is', () => {
  const text = readFileSync('config/rates/example.yaml', 'utf8');
  const read = readPlanFile(text);
  assert.ok('written' in read, JSON.stringify(read));
  assert.deepEqual(read.properties, [1]);
  assert.ok(readFileSync('docs/direct.md', 'utf8').includes(`\`\`\`yaml\n${text.trimEnd()}\n\`\`\``));
});

test('a season of every year goes over New Year, and over 29 February', () => {
  const seasons = [{ name: 'Winter', from: '12-20', to: '02-29', price: 50 }];
  const plan = planFrom({ seasons });
  for (const [night, price] of [
    ['2027-12-19', 10_000],
    ['2027-12-20', 5_000],
    ['2027-12-31', 5_000],
    ['2028-01-01', 5_000],
    ['2028-02-29', 5_000],
    ['2028-03-01', 10_000],
  ] as const) {
    assert.equal(quoted(plan, stay(night, 1, { booked_on: '2027-10-01' })).total, price, night);
  }
  assert.equal(quoted(plan, stay('2027-02-28', 1)).total, 5_000);
});

test('guests beyond those in the price, infants, pets and fees are counted each in its own way', () => {
  const plan = planFrom({
    guests: { most: 5, included: 2, extra_price: 10, infants_below_age: 2, pets: 2 },
    fees: [
      { name: 'Cleaning', amount: 60 },
      { name: 'Linen', amount: 8, per: 'guest' },
      { name: 'Dog', amount: 5, per: 'pet_night' },
      { name: 'Breakfast', amount: 12, per: 'guest_night', optional: true },
    ],
  });
  const asked = stay('2027-03-01', 3, { children: [1, 9], pets: 1 });
  assert.deepEqual(short(quoted(plan, asked)), [
    ['night', 'Nights', 3, 30_000],
    ['extra_guest', 'Further guests', 3, 3_000],
    ['fee', 'Cleaning', 1, 6_000],
    ['fee', 'Linen', 3, 2_400],
    ['fee', 'Dog', 3, 1_500],
  ]);
  assert.deepEqual(short(quoted(plan, { ...asked, optional_fees: ['Breakfast'] })).at(-1), [
    'optional_fee',
    'Breakfast',
    9,
    10_800,
  ]);
  assert.match(refusedFor(plan, { ...asked, optional_fees: ['Sauna'] })['optional_fee'] ?? '', /there are Breakfast/);
});

test('a week has its discount, and a month the larger one in its place', () => {
  const discounts = [
    { from_nights: 28, percent: 25 },
    { from_nights: 7, percent: 10 },
  ];
  const plan = planFrom({ discounts, base_price: 33.33 });
  assert.equal(quoted(plan, stay('2027-03-01', 6)).total, 19_998);
  // 10 % of 233.31 are 23.331.
  assert.equal(quoted(plan, stay('2027-03-01', 7)).total, 23_331 - 2_333);
  assert.equal(quoted(plan, stay('2027-03-01', 28)).total, 93_324 - 23_331);
});

test('taxes: of what they are of, not of each other, with caps and exemptions; the included ones are shown', () => {
  const plan = planFrom({
    fees: [
      { name: 'Cleaning', amount: 60 },
      { name: 'Deposit for keys', amount: 10, taxable: false },
    ],
    taxes: [
      { name: 'VAT', percent: 7, included: true },
      { name: 'City tax', percent: 5, of: ['accommodation'] },
      { name: 'Visitors', amount: 2.5, exempt_below_age: 16, max_nights: 4 },
      { name: 'Bed tax', amount: 20, per: 'night', max_amount: 70 },
    ],
  });
  const quote = quoted(plan, stay('2027-03-01', 5, { children: [15, 16] }));
  assert.deepEqual(
    quote.lines.filter(({ kind }) => kind === 'tax').map(({ name, amount, quantity }) => [name, amount, quantity]),
    [
      // 5 % of 500 / 1.07.
      ['City tax', 2_336, 1],
      ['Visitors', 3_000, 12],
      ['Bed tax', 7_000, 5],
    ],
  );
  // 560 of the prices are taxable: 560 - 560 / 1.07.
  assert.deepEqual(
    quote.included_taxes.map(({ name, amount }) => [name, amount]),
    [['VAT', 3_664]],
  );
  assert.equal(quote.total, 50_000 + 7_000 + 2_336 + 3_000 + 7_000);
});

test('a part is due at the booking, or all of it when check-in is near; the security deposit is apart', () => {
  const plan = planFrom({ security_deposit: 250, payment: { at_booking_percent: 30, balance_days: 30 } });
  const early = quoted(plan, stay('2027-03-01', 3));
  assert.deepEqual(
    [early.total, early.first_payment, early.balance, early.balance_due_date, early.deposit],
    [30_000, 9_000, 21_000, '2027-01-30', 25_000],
  );
  const near = quoted(plan, stay('2027-01-31', 3));
  assert.deepEqual([near.first_payment, near.balance, near.balance_due_date], [30_000, 0, null]);
});

test('a cancellation gives back by the steps as they were when the quote was made', () => {
  const { cancellation } = quoted(planFrom({}), stay('2027-03-15', 3));
  assert.deepEqual(
    cancellation.steps.map(({ until }) => until),
    ['2027-03-01', '2027-03-12'],
  );
  assert.deepEqual(refundOf(cancellation, 10_001, '2027-03-01'), { refund: 10_001, kept: 0 });
  assert.deepEqual(refundOf(cancellation, 10_001, '2027-03-02'), { refund: 5_001, kept: 5_000 });
  assert.deepEqual(refundOf(cancellation, 10_001, '2027-03-13'), { refund: 0, kept: 10_001 });
});

test('every reason against a stay is said, with what would be possible', () => {
  const plan = planFrom({
    stay: {
      min_nights: 2,
      max_nights: 14,
      arrival_days: ['saturday'],
      departure_days: ['saturday'],
      lead_days: 2,
      ahead_days: 300,
    },
    seasons: [{ name: 'Summer', from: '07-01', to: '08-31', min_nights: 7 }],
  });
  assert.deepEqual(refusedFor(plan, stay('2027-06-26', 7)), {}, 'Saturday to Saturday');
  const says = refusedFor(plan, stay('2027-06-30', 2, { adults: 5, pets: 2 }));
  assert.deepEqual(says, {
    // One night of the season asks for the season's length.
    min_stay: 'A stay on these dates has at least 7 nights.',
    arrival_day: 'Guests can come on Saturday, and 2027-06-30 is a Wednesday.',
    departure_day: 'Guests can leave on Saturday, and 2027-07-02 is a Friday.',
    guests: 'There is room for 4 guests.',
    pets: 'At most 1 pet can come.',
  });
  assert.deepEqual(refusedFor(plan, stay('2027-01-02', 14)), {
    lead_time: 'The first possible check-in is 2027-01-03: 2 days after the booking.',
  });
  assert.match(refusedFor(plan, stay('2027-10-30', 14))['too_far'] ?? '', /last possible check-in is 2027-10-28/);
  assert.match(refusedFor(plan, stay('2027-01-09', 21))['max_stay'] ?? '', /at most 14 nights/);
  assert.deepEqual(Object.keys(refusedFor(plan, stay('2026-12-26', 7))), ['dates']);
  assert.deepEqual(Object.keys(refusedFor(plan, stay('2027-02-06', 0))), ['dates']);
});

test('an amount that could not be counted exactly is refused, not rounded', () => {
  const plan = planFrom({
    currency: 'KWD',
    base_price: 1_000_000_000,
    guests: { most: 99, included: 1, extra_price: 1_000_000_000 },
  });
  assert.deepEqual(Object.keys(refusedFor(plan, stay('2027-01-01', 730, { adults: 99 }))), ['too_large']);
});

test('of every quote the lines add up, only discounts are negative, and both payments make the price', () => {
  fc.assert(
    fc.property(cases, ({ plan, asked }) => {
      const answer = quoteOf(plan, asked);
      if ('refused' in answer) return assert.ok(answer.refused.length > 0);
      const { quote } = answer;
      const sum = (of: readonly { amount: number }[]) => of.reduce((total, { amount }) => total + amount, 0);
      assert.equal(sum(quote.lines), quote.total);
      assert.equal(quote.accommodation + quote.fees + quote.taxes, quote.total);
      assert.equal(quote.first_payment + quote.balance, quote.total);
      for (const line of [...quote.lines, ...quote.included_taxes]) {
        assert.ok(Number.isSafeInteger(line.amount));
        assert.ok(line.kind === 'discount' ? line.amount < 0 : line.amount >= 0, line.kind);
        if (line.unit !== null) assert.equal(line.unit * line.quantity, line.amount);
      }
      const nights = quote.lines.filter(({ kind }) => /^(night|weekend|season)/.test(kind));
      assert.equal(
        nights.reduce((count, { quantity }) => count + quantity, 0),
        daysBetween(asked.check_in_date, asked.check_out_date),
      );
      assert.deepEqual(quoteOf(plan, asked), answer, 'the same again');
    }),
    RUNS,
  );
});

test('a stay that is cut in two costs as much on its nights, and guests never make it cheaper', () => {
  fc.assert(
    fc.property(cases, fc.nat(), ({ plan, asked }, cut) => {
      const free = { min_nights: null, max_nights: null, arrival_days: null, departure_days: null };
      const open: RatePlan = {
        ...plan,
        stay: { ...free, lead_days: 0, ahead_days: 1_095 },
        seasons: plan.seasons.map((season) => ({ ...season, ...free })),
        guests: { ...plan.guests, most: 99, pets: 9 },
        discounts: [],
      };
      const whole = quoteOf(open, asked);
      if ('refused' in whole) return;
      const nights = daysBetween(asked.check_in_date, asked.check_out_date);
      const middle = addDays(asked.check_in_date, cut % (nights + 1));
      const parts = [
        { ...asked, check_out_date: middle },
        { ...asked, check_in_date: middle },
      ].filter((part) => part.check_in_date < part.check_out_date);
      const halves = parts.map((part) => quoted(open, part).accommodation);
      assert.equal(
        halves.reduce((sum, one) => sum + one, 0),
        whole.quote.accommodation,
      );
      const more = [
        { ...asked, adults: asked.adults + 1 },
        { ...asked, children: [...asked.children, 17] },
        { ...asked, pets: asked.pets + 1 },
      ];
      for (const party of more) assert.ok(quoted(open, party).total >= whole.quote.total);
    }),
    RUNS,
  );
});

test('what is given back and what is kept make what was paid, and later is never better for the guest', () => {
  const steps = fc.uniqueArray(fc.integer({ min: 0, max: 90 }), { maxLength: 5 }).chain((days) =>
    fc
      .array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: days.length, maxLength: days.length })
      .map((parts) => {
        const falling = parts.toSorted((a, b) => b - a).map((one) => one / 10_000);
        return days
          .toSorted((a, b) => b - a)
          .map((days_before, index) => ({ days_before, refund_percent: falling[index] ?? 0 }));
      }),
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 5_000_000 }), (custom, paid) => {
      const { cancellation } = quoted(planFrom({ cancellation: { steps: custom } }), stay('2027-06-15', 2));
      let before = paid;
      for (let days = 100; days >= 0; days -= 1) {
        const { refund, kept } = refundOf(cancellation, paid, addDays('2027-06-15', -days));
        assert.equal(refund + kept, paid);
        assert.ok(refund >= 0 && refund <= before);
        before = refund;
      }
    }),
    RUNS,
  );
});
