import { addDays, daysBetween, nightsOf, type PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { type NightPrice, readPrices } from '../calendar/prices.ts';
import { readClosed, readNights } from '../calendar/query.ts';

/** One night of a quote. */
export interface QuoteNight {
  date: PlainDate;
  /** Null: no channel has told one. */
  price: Minor | null;
  /** What holds it: a stay or a block, with its reason; undefined: it is free. */
  takenBy: { kind: 'stay' | 'block'; text: string | null } | undefined;
}

/** What a booking of some nights would cost, as far as it is known, and if it can be made. */
export interface Quote {
  nights: QuoteNight[];
  currency: Currency;
  /** Null: the price of a night is not known. */
  total: Minor | null;
  isFree: boolean;
  /** Nights, at least, of a stay that arrives then; null: no rule. */
  minimum: number | null;
  /** Ids of the other properties that are free on all these nights. */
  free: number[];
}

interface Asked {
  connection: string;
  property: number;
  from: PlainDate;
  to: PlainDate;
  /** The currency of the account. */
  currency: Currency;
  /** All properties that the person sees. */
  properties: readonly number[];
}

/** Reads the price and the state of each night, and which other properties are free on all of them. */
export async function readQuote(db: MirrorDb, asked: Asked): Promise<Quote> {
  const { connection, property, from, to, currency, properties } = asked;
  const dates = nightsOf(from, to);
  const taken = await readNights(db, { connection, dates, properties });
  const closed = await readClosed(db, { connection, from, end: to, properties });
  const window = { connection, from, end: to, properties: [property], currency };
  const prices: ReadonlyMap<PlainDate, NightPrice> = (await readPrices(db, window)).get(property) ?? new Map();
  const stayAt = new Set(taken.flatMap((night) => (night.property_id === property ? [night.night] : [])));
  const blockAt = new Map(closed.flatMap((day) => (day.property_id === property ? [[day.date, day.remarks]] : [])));
  const holderOf = (date: PlainDate): QuoteNight['takenBy'] => {
    if (stayAt.has(date)) return { kind: 'stay', text: null };
    return blockAt.has(date) ? { kind: 'block', text: blockAt.get(date) ?? null } : undefined;
  };
  const nights = dates.map((date) => ({ date, price: prices.get(date)?.price ?? null, takenBy: holderOf(date) }));
  const busy = new Set([...taken, ...closed].map((row) => row.property_id));
  return {
    nights,
    currency: [...prices.values()][0]?.currency ?? currency,
    total: sum(nights.map(({ price }) => price)),
    isFree: nights.every(({ takenBy }) => takenBy === undefined),
    minimum: prices.get(from)?.minimum ?? null,
    free: properties.filter((id) => id !== property && !busy.has(id)),
  };
}

/** Returns the day of leaving that the rules of the property permit: after one night, or after its minimum stay. */
export async function readShortest(db: MirrorDb, asked: Omit<Asked, 'to' | 'properties'>): Promise<PlainDate> {
  const { from, property, ...account } = asked;
  const prices = await readPrices(db, { ...account, from, end: addDays(from, 1), properties: [property] });
  return addDays(from, prices.get(property)?.get(from)?.minimum ?? 1);
}

function sum(prices: readonly (Minor | null)[]): Minor | null {
  let total = 0;
  for (const price of prices) {
    if (price === null) return null;
    total += price;
  }
  return total;
}

/** Returns the number of nights between two dates. */
export function nightCount({ from, to }: { from: PlainDate; to: PlainDate }): number {
  return daysBetween(from, to);
}

/** Reads the operator's own sources of direct bookings, by name. */
export const readSources: (db: MirrorDb, of: { connection: string }) => Promise<{ id: number; name: string | null }[]> =
  preparedByArguments((db: MirrorDb, { connection }: { connection: string }) =>
    db
      .selectFrom('custom_channels')
      .where('connection', '=', connection)
      .where('deleted_at', 'is', null)
      .select(['id', 'name'])
      .orderBy('name')
      .orderBy('id'),
  );
