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

/** Returns a moment of the wire as UTC text; null if there is none or it cannot be read. */
export function instantFrom(text: string | null | undefined, zone: string): Instant | null {
  if (text === null || text === undefined) return null;
  if (!HAS_OFFSET.test(text)) return readInstant(text, zone) ?? null;
  const ms = msOf(text);
  return Number.isFinite(ms) ? instantWithin(ms) : null;
}

/**
 * Returns an amount of the wire in minor units, rounded where it has more decimals than its currency; null if there is
 * no amount or its currency is unknown.
 */
export function minorFrom(amount: number | null | undefined, currency: string | null | undefined): Minor | null {
  if (amount === null || amount === undefined || !currency || !isCurrency(currency)) return null;
  const exact = toMinor(amount, currency);
  if (exact !== undefined) return exact;
  const rounded = Math.round(amount * 10 ** exponentOf(currency));
  return Number.isSafeInteger(rounded) ? rounded : null;
}

/** Like `minorFrom`, for money that must be in `currency` to share a column with others; else null. */
export function minorIn(money: WireMoney | null | undefined, currency: string | null): Minor | null {
  return money && money.currency === currency ? minorFrom(money.amount, currency) : null;
}

/** Returns 1 or 0; null if unknown. */
export function flag(value: boolean): 0 | 1;
export function flag(value: boolean | null): 0 | 1 | null;
export function flag(value: boolean | null): 0 | 1 | null {
  if (value === null) return null;
  return value ? 1 : 0;
}

/**
 * Returns a date of the wire, which some write with the time of midnight behind it; null if there is none or it does
 * not exist.
 */
export function plainDateFrom(text: string | null | undefined): PlainDate | null {
  if (text === null || text === undefined) return null;
  const date = text.slice(0, 10);
  return isPlainDate(date) && !/^\d/.test(text.slice(10)) ? date : null;
}

/** Returns the operator’s date of a moment of the wire, whatever its offset. */
export function operatorDate(text: string | null | undefined, zone: string): PlainDate | null {
  const at = instantFrom(text, zone);
  return at === null ? null : dateIn(zone, msOf(at));
}

/** Returns a list as the JSON text that columns hold; null if its content is unknown. */
export function listText(list: readonly unknown[] | null | undefined): string | null {
  return list ? JSON.stringify(list) : null;
}

/** Returns the known values among these. */
export function knownOf<Value>(values: readonly (Value | null | undefined)[] | null | undefined): Value[] | null {
  return values ? values.filter((value): value is Value => value !== null && value !== undefined) : null;
}
