import { alterChannelReservation, cancelChannelReservation } from '../../core/channels/reservations/changes.ts';
import { type ChannelIdentity, receiveChannelReservation } from '../../core/channels/reservations/receive.ts';
import type { Change } from '../../core/context.ts';
import type { PropertyRow } from '../../core/database.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import type { FeedEntry, FeedStep } from './decide.ts';
import type { FeedRow } from './rows.ts';
import { sourceHabits } from './sources.ts';

/** The type of channel that reservations of feeds have. */
const FEED_CHANNEL = 'ical';

/** Returns the name under which the reservation of an event is known. */
export function identityOf(feedId: number, entry: number): ChannelIdentity {
  return { channel_type: FEED_CHANNEL, channel_id: `feed-${feedId}-${entry}` };
}

/** Does one step. @returns the code of the reservation that stands for the entry afterwards */
export async function perform(
  change: Change,
  of: Drafting,
  { do: what, entry }: FeedStep,
): Promise<ReservationCode | null> {
  const identity = identityOf(of.feed.id, entry.entry);
  if (what === 'cancel') {
    await cancelChannelReservation(change, identity);
    return null;
  }
  const dates = { check_in_date: entry.start, check_out_date: entry.end };
  if (what === 'alter') await alterChannelReservation(change, identity, [{ room: 0, ...dates }]);
  // What is known already stays as it is, and says its code.
  const { reservation_code } = await receiveChannelReservation(change, draftOf(change.now, of, entry));
  return reservation_code;
}

interface Drafting {
  readonly feed: FeedRow;
  readonly property: PropertyRow;
  /** Names of guests, by the digests that entries bear. */
  readonly names: ReadonlyMap<string, string>;
}

/** A reservation without price, since feeds have none. */
function draftOf(now: number, { feed, property, names }: Drafting, entry: FeedEntry) {
  const name = sourceHabits[feed.source].name;
  const digits = entry.phoneLast4 === null ? '' : ` (…${entry.phoneLast4})`;
  return {
    ...identityOf(feed.id, entry.entry),
    kind: 'instant' as const,
    rooms: [
      {
        property_id: feed.property_id,
        listing_id: `feed-${feed.id}`,
        check_in_date: entry.start,
        check_out_date: entry.end,
        lines: [],
        number_of_guests: 1,
      },
    ] as const,
    guest: { name: names.get(entry.guest ?? '') ?? `${feed.name}${digits}`, phone: null },
    currency: property.currency,
    booked_at: instantOf(now),
    remarks: [name, entry.reference, entry.phoneLast4 === null ? null : `telephone ends in ${entry.phoneLast4}`]
      .filter((part) => part !== null)
      .join(', '),
  };
}
