import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import type { Minor } from '../../kernel/money.ts';
import { inList } from '../../store/queries/inList.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { CoreDb, Flag, GuestRow } from '../database.ts';
import { tagNamesOfStays } from '../reservationTags/ofStays.ts';

/** A stay with all data that its wire form needs. */
export type StayView = Awaited<ReturnType<typeof stayRows>>[number] & {
  guests: GuestRow[];
  images: Awaited<ReturnType<typeof imageRows>>;
  received: Minor;
  tags: string[];
};

/** Returns the stays with these numbers, in the given order. */
export async function stayViews(db: CoreDb, accountId: AccountId, ids: readonly number[]): Promise<StayView[]> {
  if (ids.length === 0) return [];
  const stays = await stayRows(db, { accountId, ids });
  const guests = byStay(await guestRows(db, { accountId, ids }));
  const tags = await tagNamesOfStays(db, accountId, ids);
  const images = byStay(await imageRows(db, { accountId, ids }));
  const codes = [...new Set(stays.map((stay) => stay.reservation_code))];
  const received = await receivedAmounts(db, accountId, codes);
  const views = new Map<number, StayView>();
  for (const stay of stays) {
    const more = {
      guests: guests.get(stay.id) ?? [],
      images: images.get(stay.id) ?? [],
      received: received.get(stay.reservation_code) ?? 0,
      tags: tags.get(stay.id) ?? [],
    };
    // Extends the row itself, since copying fifty columns for each stay of a page costs noticeable time.
    views.set(stay.id, Object.assign(stay, more));
  }
  return ids.map((id) => views.get(id)).filter((view) => view !== undefined);
}

/** Returns the amounts that reservations have received so far, less refunds. */
export async function receivedAmounts(
  db: CoreDb,
  accountId: AccountId,
  codes: readonly ReservationCode[],
): Promise<Map<ReservationCode | null, Minor>> {
  const sums = await receivedSums(db, { accountId, codes });
  return new Map(sums.map((row) => [row.reservation_code, row.received]));
}

function byStay<Row extends { stay_id: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const others = groups.get(row.stay_id);
    if (others) others.push(row);
    else groups.set(row.stay_id, [row]);
  }
  return groups;
}

const stayRows = prepared((db: CoreDb, arg: { accountId: AccountId; ids: readonly number[] }) =>
  db
    .selectFrom('stays as stay')
    .innerJoin('reservations as reservation', (join) =>
      join
        .onRef('reservation.account_id', '=', 'stay.account_id')
        .onRef('reservation.reservation_code', '=', 'stay.reservation_code'),
    )
    .leftJoin('channel_reservations as origin', (join) =>
      join
        .onRef('origin.account_id', '=', 'stay.account_id')
        .onRef('origin.reservation_code', '=', 'stay.reservation_code'),
    )
    .leftJoin('custom_channels as source', (join) =>
      join
        .onRef('source.account_id', '=', 'reservation.account_id')
        .onRef('source.id', '=', 'reservation.custom_channel_id'),
    )
    .leftJoin('deposits as held', (join) =>
      join.onRef('held.account_id', '=', 'stay.account_id').onRef('held.stay_id', '=', 'stay.id'),
    )
    .where('stay.account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('stay.id'), arg.ids))
    .selectAll('stay')
    .select([
      'reservation.currency',
      'reservation.total_rate',
      'reservation.total_commission',
      'reservation.tax',
      'reservation.conversation_id',
      'reservation.custom_channel_id',
      'source.name as custom_channel_name',
      'held.amount as deposit_amount',
      'held.paid_amount',
      'held.deducted_amount',
      'held.pending_refund_amount',
      'held.refunded_amount',
      'held.currency as deposit_currency',
      'held.status as deposit_status',
    ])
    .select((of) => of.fn.coalesce('origin.channel_id', 'reservation.channel_id').as('channel_id')),
);

/** Pictures of both kinds. `person` is the guest on record, or the one that the guide knows. */
const imageRows = prepared((db: CoreDb, arg: { accountId: AccountId; ids: readonly number[] }) =>
  db
    .selectFrom('guest_images')
    .where('account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('stay_id'), arg.ids))
    .select((of) => ['stay_id', 'id', 'url', of.ref('guest_id').$castTo<number | null>().as('person')])
    .select((of) => of.lit(0).$castTo<Flag>().as('of_guide'))
    .unionAll((all) =>
      all
        .selectFrom('checkin_guide_images')
        .where('account_id', '=', arg.accountId)
        .where((where) => inList(where.ref('stay_id'), arg.ids))
        .select(['stay_id', 'id', 'url', 'client_id as person'])
        .select((of) => of.lit(1).$castTo<Flag>().as('of_guide')),
    )
    .orderBy('id'),
);

const guestRows = prepared((db: CoreDb, arg: { accountId: AccountId; ids: readonly number[] }) =>
  db
    .selectFrom('guests')
    .where('account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('stay_id'), arg.ids))
    .selectAll()
    .orderBy('id'),
);

/** Income less refunds, per reservation. */
const receivedSums = prepared((db: CoreDb, arg: { accountId: AccountId; codes: readonly ReservationCode[] }) =>
  db
    .selectFrom('transactions as entry')
    .leftJoin('dictionary_items as item', (join) =>
      join
        .onRef('item.account_id', '=', 'entry.account_id')
        .on('item.dictionary', '=', 'expense_items')
        .onRef('item.id', '=', 'entry.item_id'),
    )
    .where('entry.account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('entry.reservation_code'), arg.codes))
    .groupBy('entry.reservation_code')
    .select((of) => [
      'entry.reservation_code',
      of.fn
        .sum<number>(
          of
            .case()
            .when('entry.direction', '=', 'income')
            .then(of.ref('entry.amount'))
            .when('item.refund', '=', 1)
            .then(of.neg(of.ref('entry.amount')))
            .else(of.lit(0))
            .end(),
        )
        .as('received'),
    ]),
);
