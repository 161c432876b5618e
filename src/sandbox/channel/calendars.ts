import { restrictionNames, type Restrictions } from '../../contract/listings.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Core } from '../../core/context.ts';
import type { CoreTransaction, ListingRow } from '../../core/database.ts';
import type { SandboxDayRow, SandboxListingRow } from './rows.ts';
import type {
  CalendarUpdate,
  CalendarAdapter,
  ChannelListing,
  Days,
  PushResult,
  Settings,
} from '../../core/channels/adapter.ts';
import { lastWords } from '../../core/channels/reservations/lastWords.ts';
import { shownCalendar } from './shownCalendar.ts';
import { writtenSettings } from './settings.ts';
import { changeShown, lockShown, shownDays, shownListings, writeDays } from './table.ts';

/** Listings on simulated marketplaces, in tables of their own. They can be made to fail. */
export function sandboxCalendars({ store }: Pick<Core, 'store'>): CalendarAdapter {
  return {
    async readCalendars(listings, range) {
      const [first] = listings;
      if (!first) return new Map();
      const ids = listings.map(({ id }) => id);
      const shown = byListing(await shownListings(store.db, first.account_id, ids));
      const days = groupByListing(await shownDays(store.db, first.account_id, ids, range));
      return new Map(
        listings.flatMap((listing) => {
          const own = shown.get(listing.id);
          return own ? [[listing.id, shownCalendar(listing, own, days.get(listing.id) ?? [], range)] as const] : [];
        }),
      );
    },
    push: (listing, update) =>
      store.transaction(async (trx) => {
        const result = await outcomeOf(trx, listing);
        if (result.outcome !== 'failed') await writeUpdate(trx, listing, update);
        return result;
      }),
    async readSettings(listing) {
      const [shown] = await shownListings(store.db, listing.account_id, [listing.id]);
      return settingsOf(shown);
    },
    writeSettings: (listing, changes) =>
      store
        .transaction(async (trx) => {
          const { outcome, problem } = await outcomeOf(trx, listing);
          if (outcome === 'failed') return { failed: problem };
          const settings = writtenSettings(settingsOf(await lockShown(trx, listing)), changes);
          await changeShown(trx, listing, { settings: JSON.stringify(settings) });
          return { settings };
        })
        .then((result): Settings => {
          if ('settings' in result) return result.settings;
          throw new ApiError(502, `The channel failed: ${result.failed}.`);
        }),
  };
}

/** Changes days on the marketplace as its own page would. No event announces the change. */
export async function writeUpdate(
  trx: CoreTransaction,
  listing: Pick<ListingRow, 'account_id' | 'id'>,
  update: CalendarUpdate,
): Promise<void> {
  const bare = (date: PlainDate): SandboxDayRow => ({
    account_id: listing.account_id,
    listing: listing.id,
    date,
    price: null,
    inventory: null,
    restrictions: null,
  });
  switch (update.kind) {
    case 'prices': {
      const rows = [...lastWords(update.ranges)].map(([date, { price }]) => ({ ...bare(date), price }));
      return writeDays(trx, rows, 'price');
    }
    case 'inventory': {
      const rows = [...lastWords(update.ranges)].map(([date, { inventory }]) => ({ ...bare(date), inventory }));
      return writeDays(trx, rows, 'inventory');
    }
    case 'restrictions': {
      const set = await setRestrictions(trx, listing, update.ranges);
      const rows = [...restrictionsByDay(update.ranges)].map(([date, given]) => {
        const merged = { ...(JSON.parse(set.get(date) ?? '{}') as Partial<Restrictions>), ...given };
        return { ...bare(date), restrictions: JSON.stringify(merged) };
      });
      return writeDays(trx, rows, 'restrictions');
    }
  }
}

/** Returns the restrictions of each day. A range decides only the restrictions that it names. */
function restrictionsByDay(
  ranges: readonly (Days & { restrictions: Partial<Restrictions> })[],
): Map<PlainDate, Partial<Restrictions>> {
  const days = new Map<PlainDate, Partial<Restrictions>>();
  for (const rule of restrictionNames) {
    const naming = ranges.filter(({ restrictions }) => restrictions[rule] !== undefined);
    for (const [date, { restrictions }] of lastWords(naming)) {
      const given = days.get(date) ?? {};
      days.set(date, Object.assign(given, { [rule]: restrictions[rule] }));
    }
  }
  return days;
}

async function setRestrictions(
  trx: CoreTransaction,
  listing: Pick<ListingRow, 'account_id' | 'id'>,
  ranges: readonly Days[],
): Promise<Map<PlainDate, string>> {
  const span = {
    start_date: ranges.map((range) => range.start_date).toSorted()[0] ?? '',
    end_date:
      ranges
        .map((range) => range.end_date)
        .toSorted()
        .at(-1) ?? '',
  };
  const days = await shownDays(trx, listing.account_id, [listing.id], span);
  return new Map(days.flatMap((day) => (day.restrictions === null ? [] : [[day.date, day.restrictions] as const])));
}

/** Returns the outcome that was set for this request. A set outcome ends one request. */
async function outcomeOf(trx: CoreTransaction, listing: ChannelListing): Promise<PushResult> {
  const shown = await lockShown(trx, listing);
  if (!shown) return { outcome: 'failed', problem: 'the channel does not know the listing' };
  if (shown.next_outcome === null) return { outcome: 'clean', problem: null };
  await changeShown(trx, listing, { next_outcome: null });
  const problem = shown.next_outcome === 'failed' ? 'the channel refused it' : 'the channel took a part of it';
  return { outcome: shown.next_outcome, problem };
}

function settingsOf(shown: SandboxListingRow | undefined): Settings {
  if (!shown) throw new ApiError(502, 'The channel does not know the listing.');
  return JSON.parse(shown.settings) as Settings;
}

function byListing(rows: readonly SandboxListingRow[]): Map<number, SandboxListingRow> {
  return new Map(rows.map((row) => [row.listing, row]));
}

function groupByListing(rows: readonly SandboxDayRow[]): Map<number, SandboxDayRow[]> {
  const groups = new Map<number, SandboxDayRow[]>();
  for (const row of rows) {
    const group = groups.get(row.listing);
    if (group) group.push(row);
    else groups.set(row.listing, [row]);
  }
  return groups;
}
