import { daysBetween } from '../../../kernel/dates.ts';
import { type Minor, splitByWeights } from '../../../kernel/money.ts';
import type { StayFacts, StayKind } from '../rows/sideValues.ts';
import type { Reading } from '../rows/resource.ts';
import { currencyOf, type Stay } from './stays.ts';
import { minorFrom, minorIn, operatorDate, plainDateFrom } from '../wireValues.ts';

const ACCOMMODATION = 'ACCOMMODATION';
/** The channel's commission, and amounts collected for others: no part of the price. */
const BESIDE_THE_PRICE: ReadonlySet<string> = new Set(['HOST_SERVICE_FEE', 'TAX']);
/** A tag, or the name of a source, by which operators mark a stay as not let: `owner`, `Owner stay`, `owner's use`. */
const OWNER = /^owner(?:['’]?s)?(?:[ _-]?(?:stays?|use|bookings?))?$/i;

/** Returns the figures of a stay that reports need. */
export function stayFacts(stay: Stay, { zone }: Pick<Reading, 'zone'>): StayFacts {
  const rate = minorIn(stay.rates?.rate, currencyOf(stay));
  const items = itemsOf(stay, rate);
  const booked_date = operatorDate(stay.booked_at, zone);
  const check_in_date = plainDateFrom(stay.check_in_date);
  return {
    kind: kindOf(stay, rate),
    channel: stay.custom_channel?.name ?? stay.channel_type,
    booked_date,
    cancelled_date: operatorDate(stay.cancelled_at, zone),
    lead_days: booked_date && check_in_date ? daysBetween(booked_date, check_in_date) : null,
    rental_minor: rate === null ? null : (items.get(ACCOMMODATION) ?? 0),
    items,
  };
}

function kindOf(stay: Stay, rate: Minor | null): StayKind {
  if ([...(stay.tags ?? []), stay.custom_channel?.name ?? ''].some((name) => OWNER.test(name.trim()))) return 'owner';
  return rate === 0 ? 'unpaid' : 'paid';
}

/**
 * Returns the price by its lines. Lines of a whole reservation are shared out: each stay has its part of every line.
 */
function itemsOf(stay: Stay, rate: Minor | null): Map<string, Minor> {
  if (rate === null || rate === 0) return new Map();
  const lines = lineSums(stay);
  const amounts = lines && [...lines.values()];
  const total = amounts?.reduce((sum, amount) => sum + amount, 0) ?? 0;
  if (lines && total === rate) return lines;
  if (!lines || !amounts || rate < 0 || total <= 0 || amounts.some((amount) => amount < 0)) {
    return new Map([[ACCOMMODATION, rate]]);
  }
  const parts = splitByWeights(rate, amounts);
  return new Map([...lines.keys()].map((type, index) => [type, parts[index] ?? 0]));
}

/** Returns amounts by kind of line; undefined if there is none, or if one is not in the currency of the stay. */
function lineSums(stay: Stay): Map<string, Minor> | undefined {
  const currency = currencyOf(stay);
  const sums = new Map<string, Minor>();
  for (const line of stay.rates?.details ?? []) {
    if (line.type !== null && BESIDE_THE_PRICE.has(line.type)) continue;
    const amount = line.currency === currency ? minorFrom(line.amount, currency) : null;
    if (amount === null || line.type === null) return undefined;
    if (amount !== 0) sums.set(line.type, (sums.get(line.type) ?? 0) + amount);
  }
  return sums.size > 0 ? sums : undefined;
}
