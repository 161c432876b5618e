import type { Minor } from '../../kernel/money.ts';

/** One line of a price, in minor units of the reservation's currency; never negative. */
export interface RateLine {
  /** ACCOMMODATION, CLEANING_FEE, EXTRA_GUEST_FEE, PET_FEE, HOST_SERVICE_FEE, TAX, OTHER; more may come. */
  type: string;
  description: string;
  amount: Minor;
}

/** The channel's share, and lines stated in addition to the rate. Neither is a part of the rate. */
const COMMISSION = 'HOST_SERVICE_FEE';
const BESIDE: ReadonlySet<string> = new Set([COMMISSION, 'TAX']);

/** Returns the rate (accommodation and the guest's fees) and the commission (the channel's share). */
export function ratesOf(lines: readonly RateLine[]): { rate: Minor; commission: Minor } {
  return {
    rate: sumOf(lines.filter((line) => !BESIDE.has(line.type)).map((line) => line.amount)),
    commission: sumOf(lines.filter((line) => line.type === COMMISSION).map((line) => line.amount)),
  };
}

export function sumOf(amounts: readonly Minor[]): Minor {
  return amounts.reduce((total, amount) => total + amount, 0);
}
