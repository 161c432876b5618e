import { type Restrictions, restrictions } from '../../contract/listings.ts';
import { weekdays } from '../../contract/priceRules.ts';
import { datesFromTo, dayNumber, type PlainDate } from '../../kernel/dates.ts';
import { type Minor, fromWireAmount } from '../../kernel/money.ts';
import type { ListingRow } from '../../core/database.ts';
import type { SandboxDayRow, SandboxListingRow } from './rows.ts';
import type { ChannelDay, Days } from '../../core/channels/adapter.ts';
import { floorPrice } from '../../core/channels/rules.ts';

/** The channel that shows the host's share after commission, although it receives the guest's price. */
const FLOOR_PRICES = 'regional_marketplace';
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** Returns the days of a listing as its marketplace shows them to the host. */
export function shownCalendar(
  listing: Pick<ListingRow, 'channel_type' | 'currency'>,
  shown: SandboxListingRow,
  days: readonly SandboxDayRow[],
  range: Days,
): ChannelDay[] {
  const sold = soldCalendar(listing, shown, days, range);
  if (listing.channel_type !== FLOOR_PRICES) return sold;
  return sold.map(({ price, ...day }) => ({
    ...day,
    price: price === null ? null : floorPrice(price, shown.commission_percent),
  }));
}

/** Returns the days as guests see them: the value set for a day, or else that of the settings. */
export function soldCalendar(
  listing: Pick<ListingRow, 'currency'>,
  shown: SandboxListingRow,
  days: readonly SandboxDayRow[],
  range: Days,
): ChannelDay[] {
  const settings = JSON.parse(shown.settings) as Record<string, unknown>;
  const set = new Map(days.map((day) => [day.date, day]));
  // Most days have the same restrictions, and parsing each again would cost more than everything else.
  const read = new Map<string | null | undefined, Restrictions>();
  const restrictionsOf = (own: string | null | undefined): Restrictions => {
    const known = read.get(own) ?? shownRestrictions(settings, own);
    read.set(own, known);
    return known;
  };
  return datesFromTo(range.start_date, range.end_date).map((date) => {
    const own = set.get(date);
    return {
      date,
      price: own?.price ?? usualPrice(settings, date, listing.currency),
      inventory: own?.inventory ?? shown.inventory,
      restrictions: restrictionsOf(own?.restrictions),
    };
  });
}

function shownRestrictions(settings: Record<string, unknown>, own: string | null | undefined): Restrictions {
  const set = own == null ? {} : (JSON.parse(own) as Partial<Restrictions>);
  const usual = typeof settings['minimum_stay'] === 'number' ? settings['minimum_stay'] : null;
  return restrictions.parse({ min_stay_on_arrival: usual, ...set });
}

function usualPrice(settings: Record<string, unknown>, date: PlainDate, currency: string): Minor | null {
  const weekday = weekdays[(dayNumber(date) + FIRST_WEEKDAY) % weekdays.length] ?? 'sunday';
  const byDay = (settings['nightly_rate'] ?? {}) as Record<string, unknown>;
  const weekend = weekday === 'friday' || weekday === 'saturday' ? settings['weekend_price'] : 0;
  const price = byDay[weekday] ?? (weekend || settings['base_price']);
  return typeof price === 'number' ? (fromWireAmount(price, currency) ?? null) : null;
}
