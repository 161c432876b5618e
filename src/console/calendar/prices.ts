import type { PlainDate } from '../../kernel/dates.ts';
import { type Currency, isCurrency, type Minor, toMinor } from '../../kernel/money.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { ofProperties } from '../properties.ts';

/** Price and minimum stay of one night of a listing. */
export interface NightPrice {
  listing: string;
  date: PlainDate;
  /** In minor units; null: the channel has none. */
  price: Minor | null;
  currency: Currency;
  /** Nights, at least, of a stay that begins then; null: no rule. */
  minimum: number | null;
}

interface Window {
  connection: string;
  from: PlainDate;
  /** The day after the last night. */
  end: PlainDate;
  properties: readonly number[];
}

/**
 * Reads price and minimum stay of each night, by property: those of its first listing that has a price in the window.
 * @param window with the currency of listings that name none
 */
export async function readPrices(
  db: MirrorDb,
  window: Window & { currency: Currency },
): Promise<Map<number, Map<PlainDate, NightPrice>>> {
  const found = new Map<number, Map<PlainDate, NightPrice>>();
  for (const [id, nights] of await readListingNights(db, window)) {
    const first = nights.find(({ price }) => price !== null)?.listing ?? nights[0]?.listing;
    const own = nights.filter(({ listing }) => listing === first);
    found.set(id, new Map(own.map((night) => [night.date, night])));
  }
  return found;
}

/** Reads price and minimum stay of each night of every listing, by property, in the order of listings and dates. */
export async function readListingNights(
  db: MirrorDb,
  { currency: own, ...window }: Window & { currency: Currency },
): Promise<Map<number, NightPrice[]>> {
  const found = new Map<number, NightPrice[]>();
  for (const { property_id, listing, date, price, ...rules } of await readDays(db, window)) {
    const currency = rules.currency ?? own;
    const night = {
      listing,
      date,
      price: price === null ? null : inMinor(price, currency),
      currency,
      minimum: Math.max(rules.min_stay_on_arrival ?? 0, rules.min_stay_through ?? 0) || null,
    };
    const known = found.get(property_id);
    if (known) known.push(night);
    else found.set(property_id, [night]);
  }
  return found;
}

function inMinor(price: string, currency: Currency): Minor | null {
  return isCurrency(currency) ? (toMinor(price, currency) ?? null) : null;
}

const readDays = preparedByArguments((db: MirrorDb, { connection, from, end, properties }: Window) =>
  db
    .selectFrom('property_listings')
    .innerJoin('calendar_days', (join) =>
      join
        .onRef('calendar_days.connection', '=', 'property_listings.connection')
        .onRef('calendar_days.listing', '=', 'property_listings.listing'),
    )
    .where('property_listings.connection', '=', connection)
    .where((where) => ofProperties(where.ref('property_listings.property_id'), properties))
    .where('calendar_days.date', '>=', from)
    .where('calendar_days.date', '<', end)
    .select([
      'property_listings.property_id',
      'property_listings.listing',
      'property_listings.currency',
      'calendar_days.date',
      'calendar_days.price',
      'calendar_days.min_stay_on_arrival',
      'calendar_days.min_stay_through',
    ])
    .orderBy('property_listings.listing')
    .orderBy('calendar_days.date'),
);

/** One listing of a property. */
export interface Listing {
  listing: string;
  channel_type: string;
  listing_id: string;
  title: string | null;
  currency: Currency | null;
}

/** Reads the listings of a property, as far as they are mirrored. */
export const readListings: (db: MirrorDb, of: { connection: string; property: number }) => Promise<Listing[]> =
  preparedByArguments((db: MirrorDb, { connection, property }: { connection: string; property: number }) =>
    db
      .selectFrom('property_listings')
      .innerJoin('listings', (join) =>
        join
          .onRef('listings.connection', '=', 'property_listings.connection')
          .onRef('listings.listing', '=', 'property_listings.listing'),
      )
      .where('property_listings.connection', '=', connection)
      .where('property_listings.property_id', '=', property)
      .where('listings.deleted_at', 'is', null)
      .select([
        'listings.listing',
        'listings.channel_type',
        'listings.listing_id',
        'listings.title',
        'property_listings.currency',
      ])
      .orderBy('listings.listing'),
  );
