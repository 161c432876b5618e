import { UsageError } from '../../../kernel/errors.ts';
import type { PlainDate } from '../../../kernel/dates.ts';
import type { Currency } from '../../../kernel/money.ts';
import { converted, rateOn } from '../../journal/convert.ts';
import type { Journal, Posting } from '../../journal/entry.ts';

/** A posting in the operator's own currency. */
export interface OwnPosting {
  readonly posting: Posting;
  readonly amount: bigint;
  /** The amount in its original currency; null if that is the own one. */
  readonly foreign: { readonly amount: bigint; readonly currency: Currency } | null;
}

/**
 * Converts the postings of a day to the operator's own currency at the stated rates. They still add up to zero: the
 * largest posting in a foreign currency takes the remainder of rounding.
 * @throws UsageError if no rate is stated for the day
 */
export function inOwnCurrency(
  { facts }: Journal,
  date: PlainDate,
  postings: readonly Posting[],
  { balanced = true }: { balanced?: boolean } = {},
): readonly OwnPosting[] {
  const own = postings.map((posting): OwnPosting => {
    const { amount, currency } = posting;
    if (currency === facts.currency) return { posting, amount: BigInt(amount), foreign: null };
    const rate = rateOn(facts.rates, { from: currency, to: facts.currency, date });
    if (!rate) throw noRate(currency, facts.currency, date);
    return { posting, amount: BigInt(converted(amount, rate)), foreign: { amount: BigInt(amount), currency } };
  });
  const left = own.reduce((sum, { amount }) => sum + amount, 0n);
  const foreign = own.filter((one) => one.foreign !== null);
  const [first] = foreign;
  if (!balanced || left === 0n || !first) return own;
  const largest = foreign.reduce((a, b) => (size(b.amount) > size(a.amount) ? b : a), first);
  return own.map((one) => (one === largest ? { ...one, amount: one.amount - left } : one));
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function noRate(from: Currency, to: Currency, date: PlainDate): UsageError {
  return new UsageError(
    `these books hold ${from} on ${date}, and no rate to ${to} is stated for that day`,
    `exports.books.<connection>.rates takes one: { on: "${date}", from: ${from}, to: ${to}, rate: "…" }; it holds from that day on`,
  );
}
