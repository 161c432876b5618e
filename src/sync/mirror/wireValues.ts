import { instantWithin, msOf, readInstant, type Instant } from '../../kernel/dates.ts';
import { exponentOf, isCurrency, type Minor, toMinor } from '../../kernel/money.ts';

interface WireMoney {
  currency: string;
  amount: number;
}

const HAS_OFFSET = /T[^T]*(?:Z|[+-]\d{2}:\d{2})$/;

/** A moment of the wire as UTC text; null when there is none or it cannot be read. */
export function instantFrom(text: string | null | undefined, zone: string): Instant | null {
  if (text === null || text === undefined) return null;
  if (!HAS_OFFSET.test(text)) return readInstant(text, zone) ?? null;
  const ms = msOf(text);
  return Number.isFinite(ms) ? instantWithin(ms) : null;
}

/**
 * An amount of the wire in minor units, rounded where it has more decimals than its currency; null when
 * there is none or nobody knows the currency.
 */
export function minorFrom(amount: number | null | undefined, currency: string | null | undefined): Minor | null {
  if (amount === null || amount === undefined || !currency || !isCurrency(currency)) return null;
  const exact = toMinor(amount, currency);
  if (exact !== undefined) return exact;
  const rounded = Math.round(amount * 10 ** exponentOf(currency));
  return Number.isSafeInteger(rounded) ? rounded : null;
}

/** The same for money that must be in `currency` to stand in one column with others; else null. */
export function minorIn(money: WireMoney | null | undefined, currency: string | null): Minor | null {
  return money && money.currency === currency ? minorFrom(money.amount, currency) : null;
}

export function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
