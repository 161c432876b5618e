import {
  dateIn,
  type Instant,
  instantWithin,
  isPlainDate,
  msOf,
  type PlainDate,
  readInstant,
} from '../../kernel/dates.ts';
import { exponentOf, isCurrency, type Minor, toMinor } from '../../kernel/money.ts';

interface WireMoney {
  currency: string | null;
  amount: number | null;
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

/** 1 or 0; null where nobody says. */
export function flag(value: boolean): 0 | 1;
export function flag(value: boolean | null): 0 | 1 | null;
export function flag(value: boolean | null): 0 | 1 | null {
  if (value === null) return null;
  return value ? 1 : 0;
}

/** A date of the wire, which some write with the time of midnight behind it; null when there is none or it does not exist. */
export function plainDateFrom(text: string | null | undefined): PlainDate | null {
  if (text === null || text === undefined) return null;
  const date = text.slice(0, 10);
  return isPlainDate(date) && !/^\d/.test(text.slice(10)) ? date : null;
}

/** The operator’s date of a moment of the wire, whatever offset it is written with. */
export function operatorDate(text: string | null | undefined, zone: string): PlainDate | null {
  const at = instantFrom(text, zone);
  return at === null ? null : dateIn(zone, msOf(at));
}

/** A list as the JSON text that columns hold; null where nobody says what is in it. */
export function listText(list: readonly unknown[] | null | undefined): string | null {
  return list ? JSON.stringify(list) : null;
}

/** The known ones among these. */
export function knownOf<Value>(values: readonly (Value | null | undefined)[] | null | undefined): Value[] | null {
  return values ? values.filter((value): value is Value => value !== null && value !== undefined) : null;
}
