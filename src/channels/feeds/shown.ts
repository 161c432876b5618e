import type { Core } from '../../core/context.ts';
import type { CoreDb, CoreTransaction, PropertyRow } from '../../core/database.ts';
import { stretchesOf } from '../../core/channels/cascade.ts';
import { openLockCode } from '../../core/reservations/lockCode.ts';
import { addDays, addYears, dateIn, readInstant } from '../../kernel/dates.ts';
import { AVAILABILITY_YEARS } from '../../contract/availabilities.ts';
import type { FeedRow } from './rows.ts';
import { bookersOf, closingEntries, entriesOf, handBlocks, staysHolding } from './table.ts';
import { stretchesToTell } from './stretchesToTell.ts';
import { type ShownEvent, uidSuffix } from './told.ts';

/** Days back that calendars show, so that a stay does not vanish from a phone while it ends. */
const DAYS_BACK = 1;

/**
 * Returns what the calendar of a feed shows: every night of the unit that is closed, except what came from this very
 * feed, and what the feed closes by itself with more weight than others ({@link stretchesToTell}). Nights that another
 * feed closes keep that feed's own UIDs, so that whoever sent them out recognises them.
 */
export async function eventsToShow(
  { core, db, now }: { core: Pick<Core, 'sealer'>; db: CoreDb | CoreTransaction; now: number },
  feed: FeedRow,
  property: Pick<PropertyRow, 'id' | 'time_zone' | 'check_in_time' | 'check_out_time'>,
): Promise<ShownEvent[]> {
  const today = dateIn(property.time_zone, now);
  const window = {
    accountId: feed.account_id,
    propertyId: property.id,
    from: addDays(today, -DAYS_BACK),
    to: addYears(today, AVAILABILITY_YEARS.ahead),
  };
  const entries = await entriesOf(db, feed);
  const own = new Set(entries.map((entry) => entry.reservation_code));
  const stays = (await staysHolding(db, window)).filter((stay) => !own.has(stay.reservation_code));
  const suffix = uidSuffix(feed.account_id);
  const details = await detailsOf({ core, db }, feed, stays);
  const shown: ShownEvent[] = stays.map((stay) => ({
    uid: `${stay.stay_code}${suffix}`,
    start: stay.check_in_date,
    end: stay.check_out_date,
    ...details(stay),
    ...(showsOf(feed).has('times') && timesOf(property, stay)),
  }));
  const blocks = stretchesOf(await handBlocks(db, window)).map(({ start_date, end_date }) => ({
    uid: `block-${property.id}-${start_date}${suffix}`,
    start: start_date,
    end: addDays(end_date, 1),
    summary: CLOSED,
  }));
  const others = (await closingEntries(db, { ...feed, property_id: property.id }))
    .filter((entry) => entry.end_date > window.from && entry.start_date <= window.to)
    .flatMap((entry) =>
      stretchesToTell(entry, entries).map(({ start, end }) => {
        const name = `feed-${entry.feed_id}-${entry.entry}${start === entry.start_date ? '' : `-${start}`}${suffix}`;
        return { uid: start === entry.start_date && entry.uid !== '' ? entry.uid : name, start, end, summary: CLOSED };
      }),
    );
  return withoutTwins([...shown, ...blocks, ...others], suffix);
}

const CLOSED = 'Not available';
const RESERVED = 'Reserved';

/** What a private calendar can show of a stay; a marketplace sees none of it. */
export const privateDetails = ['name', 'phone', 'guests', 'times', 'code'] as const;
export type PrivateDetail = (typeof privateDetails)[number];

/** Returns what the owner of a private calendar chose to see. */
export function showsOf({ audience, shows }: Pick<FeedRow, 'audience' | 'shows'>): ReadonlySet<PrivateDetail> {
  if (audience === 'channel') return new Set();
  const chosen: unknown = JSON.parse(shows);
  return new Set(privateDetails.filter((detail) => Array.isArray(chosen) && chosen.includes(detail)));
}

type HeldStay = Awaited<ReturnType<typeof staysHolding>>[number];

async function detailsOf(
  { core, db }: { core: Pick<Core, 'sealer'>; db: CoreDb | CoreTransaction },
  feed: FeedRow,
  stays: readonly HeldStay[],
): Promise<(stay: HeldStay) => Pick<ShownEvent, 'summary' | 'description'>> {
  const shows = showsOf(feed);
  if (feed.audience === 'channel') return () => ({ summary: RESERVED });
  const bookers = new Map(
    (
      await bookersOf(
        db,
        feed.account_id,
        stays.map(({ id }) => id),
      )
    ).map((guest) => [guest.stay_id, guest]),
  );
  return (stay) => {
    const booker = bookers.get(stay.id);
    const digits = booker?.phone?.replaceAll(/\D/g, '').slice(-4) ?? '';
    const code = shows.has('code') ? openLockCode(core.sealer, stay) : null;
    const lines = [
      shows.has('guests') ? `Guests: ${stay.number_of_guests}` : '',
      shows.has('phone') && digits !== '' ? `Phone (last 4 digits): ${digits}` : '',
      code === null ? '' : `Code: ${code}`,
    ].filter((line) => line !== '');
    const summary = shows.has('name') && booker?.name ? booker.name : RESERVED;
    return { summary, ...(lines.length > 0 && { description: lines.join('\n') }) };
  };
}

/** The hours of a unit that does not say its own. */
const CHECK_IN = '15:00';
const CHECK_OUT = '11:00';

function timesOf(
  { time_zone, check_in_time, check_out_time }: Pick<PropertyRow, 'time_zone' | 'check_in_time' | 'check_out_time'>,
  { check_in_date, check_out_date }: Pick<HeldStay, 'check_in_date' | 'check_out_date'>,
): Pick<ShownEvent, 'times'> {
  const start = readInstant(`${check_in_date}T${check_in_time ?? CHECK_IN}`, time_zone);
  const end = readInstant(`${check_out_date}T${check_out_time ?? CHECK_OUT}`, time_zone);
  return start !== undefined && end !== undefined ? { times: { start, end } } : {};
}

/** Gives UIDs of our own to events whose UID stands twice, as it does in feeds that repeat one. */
function withoutTwins(events: readonly ShownEvent[], suffix: string): ShownEvent[] {
  const seen = new Set<string>();
  return events.map((event) => {
    const uid = seen.has(event.uid) ? `twin-${event.start}-${seen.size}${suffix}` : event.uid;
    seen.add(uid);
    return { ...event, uid };
  });
}
