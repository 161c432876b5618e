import type { PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import { converted, rateOn } from './convert.ts';
import type { AccountName, Posting } from './entry.ts';
import type { Policy } from './policy.ts';

/** Money that came (above zero) or went, and the account it lies in. */
export interface Movement {
  readonly amount: Minor;
  readonly currency: Currency;
  readonly date: PlainDate;
  readonly place: {
    readonly account: AccountName;
    /** In which the account is kept; null: in that of the movement. */
    readonly currency: Currency | null;
    readonly propertyId: number | null;
  };
}

/**
 * The postings of money in its account. Where the account is kept in another currency they go through the conversion
 * account at the stated rate, so that each currency adds up for itself.
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
