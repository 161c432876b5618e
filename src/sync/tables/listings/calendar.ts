import type { z } from 'zod';
import type { CallOptions, Client } from '../../../client/client.ts';
import type { Known } from '../../../client/known.ts';
import type { calendarDay } from '../../../contract/listings.ts';
import type { PlainDate } from '../../../kernel/dates.ts';
import type { DateRange } from '../rows/dateHints.ts';
import type { CalendarDaysTable } from './tables.ts';
import type { DaysEnd } from './availability.ts';
import { flag, plainDateFrom } from '../wireValues.ts';

/** The name of the resource in events, dirty keys and the feed. */
export const CALENDAR = 'calendar';

/**
 * The days around today in which most nights are sold and prices move. No day further back is read: a day can be in the
 * past here, but not yet where the listing is.
 */
export const NEAR_CALENDAR = { back: 1, ahead: 14 };

interface ListingName {
  channel_type: string;
  listing_id: string;
}

/** Returns the name of a listing in events, dirty keys and tables: `<channel_type>/<listing_id>`. */
export function listingKey({ channel_type, listing_id }: ListingName): string {
  return `${channel_type}/${listing_id}`;
}

/** Parses a key of {@link listingKey}; only the first slash separates. */
export function listingName(key: string): ListingName {
  const slash = key.indexOf('/');
  return { channel_type: key.slice(0, slash), listing_id: key.slice(slash + 1) };
}

/** The stored values of a day. */
export type DayValues = Omit<CalendarDaysTable, 'connection' | 'listing' | 'date' | 'channel_type' | 'listing_id'>;

export interface CalendarDay {
  date: PlainDate;
  values: DayValues;
}

export interface ListingDays {
  /** The key of its listing. */
  listing: string;
  days: readonly CalendarDay[];
}

/** The content of one answer: the days of some listings, within a range of dates. */
export interface CalendarsAnswer {
  number: number;
  range: DateRange;
  calendars: readonly ListingDays[];
  end?: DaysEnd<string>;
}

/** Reads the days of up to 100 listings, given by their keys. */
export async function readCalendars(
  client: Client,
  keys: readonly string[],
  range: DateRange,
  options: CallOptions,
): Promise<ListingDays[]> {
  const input = { start_date: range.from, end_date: range.to, listings: keys.map(listingName) };
  const { data } = await client.call('listCalendars', input, options);
  return data.listings.flatMap(({ channel_type, listing_id, calendar }) => {
    // A listing without its days is left out, whatever else the answer says.
    if (channel_type === null || listing_id === null || calendar === null) return [];
    return [{ listing: listingKey({ channel_type, listing_id }), days: calendar.flatMap((day) => dayOf(day, range)) }];
  });
}

type WireDay = Known<z.output<typeof calendarDay>>;

/** Skips a day outside the requested range. */
function dayOf(day: WireDay, range: DateRange): CalendarDay[] {
  const date = plainDateFrom(day.date);
  return date === null || date < range.from || date > range.to ? [] : [{ date, values: valuesOf(day) }];
}

function valuesOf({ price, inventory, restrictions }: WireDay): DayValues {
  return {
    price: price === null ? null : String(price),
    inventory,
    closed_on_arrival: flag(restrictions?.closed_on_arrival ?? null),
    closed_on_departure: flag(restrictions?.closed_on_departure ?? null),
    min_stay_on_arrival: restrictions?.min_stay_on_arrival ?? null,
    max_stay_on_arrival: restrictions?.max_stay_on_arrival ?? null,
    min_stay_through: restrictions?.min_stay_through ?? null,
    max_stay_through: restrictions?.max_stay_through ?? null,
    exact_stay_on_arrival: restrictions?.exact_stay_on_arrival ?? null,
    min_advance_reservation: restrictions?.min_advance_reservation ?? null,
    max_advance_reservation: restrictions?.max_advance_reservation ?? null,
  };
}
