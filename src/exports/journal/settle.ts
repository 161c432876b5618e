import type { PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import { converted, rateOn } from './convert.ts';
import type { AccountName, Posting } from './entry.ts';
import type { Policy } from './policy.ts';

/** Money that came (above zero) or went, and its account. */
interface Movement {
  readonly amount: Minor;
  readonly currency: Currency;
  readonly date: PlainDate;
  readonly place: {
    readonly account: AccountName;
    /** Currency of the account; null for the currency of the movement. */
    readonly currency: Currency | null;
    readonly propertyId: number | null;
  };
}

/**
 * Returns the postings of money in its account. If the account has another currency, they pass through the conversion
 * account at the stated rate, so each currency adds up on its own.
 */
export function settle(policy: Policy, movement: Movement): { postings: Posting[] } | { problem: string } {
  const { amount, currency, date, place } = movement;
  const { account, propertyId } = place;
  if (place.currency === null || place.currency === currency) {
    return { postings: [{ account, amount, currency, propertyId }] };
  }
  const to = place.currency;
  const rate = rateOn(policy.settings.rates, { from: currency, to, date });
  if (!rate) return { problem: `there is no rate from ${currency} to ${to} on ${date}` };
  const there = converted(amount, rate);
  const conversion = policy.place('conversion');
  const memo = `1 ${currency} = ${rate.rate} ${to} on ${rate.on}`;
  return {
    postings: [
      { account, amount: there, currency: to, propertyId, memo },
      { account: conversion, amount: 0 - there, currency: to, propertyId: null, memo },
      { account: conversion, amount, currency, propertyId: null, memo },
    ],
  };
}
