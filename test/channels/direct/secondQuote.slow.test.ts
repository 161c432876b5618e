import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { quoteOf } from '../../../src/channels/direct/quotes/quote.ts';
import { naiveQuote } from './support/naiveQuote.ts';
import { cases } from './support/plans.ts';

const RUNS = 10_000;

test(`${RUNS} random plans and stays cost the same by a second, naive quote`, () => {
  const seen = { quoted: 0, refused: new Map<string, number>() };
  fc.assert(
    fc.property(cases, ({ written, plan, asked }) => {
      const naive = naiveQuote(written, {
        from: asked.check_in_date,
        to: asked.check_out_date,
        adults: asked.adults,
        children: asked.children,
        pets: asked.pets,
        today: asked.booked_on,
        chosen: asked.optional_fees ?? [],
      });
      const answer = quoteOf(plan, asked);
      const reasons = 'refused' in answer ? answer.refused.map(({ reason }) => reason) : [];
      assert.deepEqual(new Set(reasons), naive.reasons);
      for (const reason of reasons) seen.refused.set(reason, (seen.refused.get(reason) ?? 0) + 1);
      if ('refused' in answer) return;
      seen.quoted += 1;
      const { quote } = answer;
      assert.deepEqual(
        [quote.accommodation, quote.fees, quote.total, quote.first_payment, quote.balance_due_date],
        [Number(naive.accommodation), Number(naive.fees), Number(naive.total), Number(naive.first), naive.due],
      );
      const amounts = (lines: typeof quote.lines) =>
        Object.fromEntries(lines.filter(({ kind }) => kind === 'tax').map(({ name, amount }) => [name, amount]));
      const levied = (taxes: ReadonlyMap<string, bigint>) =>
        Object.fromEntries(
          [...taxes].filter(([, amount]) => amount !== 0n).map(([name, amount]) => [name, Number(amount)]),
        );
      assert.deepEqual(amounts(quote.lines), levied(naive.added));
      assert.deepEqual(amounts(quote.included_taxes), levied(naive.included));
    }),
    { numRuns: RUNS },
  );
  assert.ok(seen.quoted > RUNS / 10, `only ${seen.quoted} had a price`);
  for (const reason of [
    'dates',
    'min_stay',
    'max_stay',
    'arrival_day',
    'departure_day',
    'lead_time',
    'too_far',
    'guests',
    'pets',
  ]) {
    assert.ok((seen.refused.get(reason) ?? 0) > 20, `${reason} came up too rarely`);
  }
});
