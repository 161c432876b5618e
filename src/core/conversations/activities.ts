import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Currency } from '../../kernel/money.ts';
import { inList } from '../../store/queries/inList.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';

type Db = CoreDb | CoreTransaction;

/** The subject of a conversation: a stay, or dates that the guest asked for. */
export interface Activity {
  conversation_id: string;
  activity_type: 'inquiry' | 'reservation';
  reservation_code: string | null;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  listing_id: string;
  property_id: number;
  property_name: string | null;
  property_currency: Currency | null;
  property_zone: string | null;
  number_of_guests: number;
  created_at: Instant;
}

type Conversations = { accountId: AccountId; ids: readonly string[] };

const booked = prepared((db: Db, arg: Conversations) =>
  db
    .selectFrom('reservations as reservation')
    .innerJoin('stays as stay', (join) =>
      join
        .onRef('stay.account_id', '=', 'reservation.account_id')
        .onRef('stay.reservation_code', '=', 'reservation.reservation_code'),
    )
    .leftJoin('properties as property', (join) =>
      join.onRef('property.account_id', '=', 'stay.account_id').onRef('property.id', '=', 'stay.property_id'),
    )
    .where('reservation.account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('reservation.conversation_id'), arg.ids))
    .select([
      'reservation.conversation_id',
      'stay.reservation_code',
      'stay.check_in_date',
      'stay.check_out_date',
      'stay.listing_id',
      'stay.property_id',
      'stay.number_of_guests',
      'stay.created_at',
      'stay.id as number',
      'property.name as property_name',
      'property.currency as property_currency',
      'property.time_zone as property_zone',
    ]),
);

const asked = prepared((db: Db, arg: Conversations) =>
  db
    .selectFrom('inquiries as inquiry')
    .leftJoin('properties as property', (join) =>
      join.onRef('property.account_id', '=', 'inquiry.account_id').onRef('property.id', '=', 'inquiry.property_id'),
    )
    .where('inquiry.account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('inquiry.conversation_id'), arg.ids))
    .select([
      'inquiry.conversation_id',
      'inquiry.check_in_date',
      'inquiry.check_out_date',
      'inquiry.listing_id',
      'inquiry.property_id',
      'inquiry.number_of_guests',
      'inquiry.created_at',
      'inquiry.id as number',
      'property.name as property_name',
      'property.currency as property_currency',
      'property.time_zone as property_zone',
    ]),
);

const byNumber = (one: { number: number }, other: { number: number }) => other.number - one.number;

/**
 * Returns the subjects of these conversations, newest first. A conversation can be about several stays.
 * @param visible properties that the caller may see; null: all
 */
export async function activitiesOf(
  db: Db,
  accountId: AccountId,
  ids: readonly string[],
  visible: readonly number[] | null,
): Promise<Map<string, Activity[]>> {
  const conversations = new Map<string, Activity[]>();
  if (ids.length === 0) return conversations;
  // Sorted here: with an ORDER BY, SQLite scans all stays of the account in that order.
  const stays = (await booked(db, { accountId, ids })).toSorted(byNumber).map(({ number: _, ...row }): Activity => ({
    ...row,
    conversation_id: row.conversation_id ?? '',
    activity_type: 'reservation',
  }));
  const inquiries = (await asked(db, { accountId, ids })).toSorted(byNumber).map(({ number: _, ...row }): Activity => ({
    ...row,
    activity_type: 'inquiry',
    reservation_code: null,
  }));
  for (const one of [...stays, ...inquiries].toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))) {
    if (visible !== null && !visible.includes(one.property_id)) continue;
    const others = conversations.get(one.conversation_id);
    if (others) others.push(one);
    else conversations.set(one.conversation_id, [one]);
  }
  return conversations;
}
