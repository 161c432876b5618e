import type { Restrictions } from '../contract/listings.ts';
import { CALENDAR_YEARS_AHEAD } from '../contract/listings.ts';
import { daysBetween } from '../kernel/dates.ts';
import { invalid } from '../kernel/errors.ts';
import type { CalendarUpdate, Days, Settings } from '../core/channels/adapter.ts';
import { editChannelCalendar, editChannelSettings } from './channel/steer.ts';
import { readRulesAgain } from '../core/channels/snapshot.ts';
import type { Change } from '../core/context.ts';
import type { ListingRow } from '../core/database.ts';
import { requireAmount } from '../core/reservations/require.ts';

const MOST_DAYS = (CALENDAR_YEARS_AHEAD + 1) * 366;

/** Changes that a host makes on the marketplace's own page. Prices are in major units, and both days are included. */
interface CalendarEdits {
  prices?: readonly (Days & { price: number })[] | undefined;
  inventories?: readonly (Days & { inventory: number })[] | undefined;
  restrictions?: readonly (Days & { [Rule in keyof Restrictions]?: Restrictions[Rule] | undefined })[] | undefined;
}

/** Edits a calendar directly on the marketplace. No event announces it. @returns the number of named days */
export async function editCalendar(change: Change, listing: ListingRow, edits: CalendarEdits): Promise<number> {
  const { prices = [], inventories = [], restrictions = [] } = edits;
  const updates: CalendarUpdate[] = [
    {
      kind: 'prices',
      ranges: prices.map(({ price, ...days }) => ({
        ...days,
        price: requireAmount('price', price, listing.currency),
      })),
    },
    { kind: 'inventory', ranges: inventories },
    {
      kind: 'restrictions',
      ranges: restrictions.map(({ start_date, end_date, ...rules }) => ({
        start_date,
        end_date,
        restrictions: givenOf(rules),
      })),
    },
  ];
  const days = updates.flatMap(({ ranges }) => ranges.map(lengthOf)).reduce((sum, length) => sum + length, 0);
  if (days === 0) throw invalid('prices', 'or inventories, or restrictions is required');
  if (days > MOST_DAYS) throw invalid('prices', `name more than ${MOST_DAYS} days with the other changes`);
  for (const update of updates) if (update.ranges.length > 0) await editChannelCalendar(change, listing, update);
  return days;
}

/**
 * Changes prices and rules directly on the marketplace. No event announces it, but the service soon reads them again.
 */
export async function editSettings(change: Change, listing: ListingRow, settings: Settings): Promise<void> {
  await editChannelSettings(change, listing, settings);
  await readRulesAgain(change, [listing]);
}

function lengthOf({ start_date, end_date }: Days): number {
  const length = daysBetween(start_date, end_date) + 1;
  if (length < 1) throw invalid('end_date', 'must not be before start_date');
  return length;
}

function givenOf(rules: Record<string, unknown>): Partial<Restrictions> {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as Partial<Restrictions>;
}
