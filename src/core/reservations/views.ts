import type { Expression } from 'kysely';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import type { Minor } from '../../kernel/money.ts';
import { inList } from '../../store/queries/inList.ts';
import { jsonRows, rowsIn } from '../../store/queries/jsonRows.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import { tagNames, tagsOfStay } from '../reservationTags/ofStays.ts';

type StoredView = Awaited<ReturnType<typeof storedViews>>[number];

/** A stay with all data that its wire form needs. */
export type StayView = ReturnType<typeof viewOf>;

/** Returns the stays with these numbers, in the given order. */
export async function stayViews(db: CoreDb, accountId: AccountId, ids: readonly number[]): Promise<StayView[]> {
  if (ids.length === 0) return [];
  const views = new Map<number, StayView>();
  for (const stored of await storedViews(db, { accountId, ids })) views.set(stored.id, viewOf(stored));
  return ids.map((id) => views.get(id)).filter((view) => view !== undefined);
}

function viewOf(stay: StoredView) {
  const more = {
    guests: rowsIn(stay.guests).toSorted(byId),
    tags: tagNames(rowsIn(stay.tags)),
    id_images: rowsIn(stay.id_images).toSorted(byId),
    guide_images: rowsIn(stay.guide_images).toSorted(byId),
    received: stay.received ?? 0,
  };
  // Extends the row itself, since copying fifty columns for each stay of a page costs noticeable time.
  return Object.assign(stay as Omit<StoredView, keyof typeof more>, more);
}

const byId = (one: { id: number }, other: { id: number }) => one.id - other.id;

/** Stays with their guests, tags, pictures and money, in one statement. */
const storedViews = prepared((db: CoreDb, arg: { accountId: AccountId; ids: readonly number[] }) => {
  const { accountId } = arg;
  return db
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
    .where('stay.account_id', '=', accountId)
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
    .select((of) => {
      const stayId = of.ref('stay.id');
      return [
        of.fn.coalesce('origin.channel_id', 'reservation.channel_id').as('channel_id'),
        jsonRows(
          db,
          db
            .selectFrom('guests')
            .where('account_id', '=', accountId)
            .where('stay_id', '=', stayId)
            .select(['id', 'name', 'phone', 'email', 'id_type', 'id_number', 'gender', 'country', 'is_booker']),
        ).as('guests'),
        jsonRows(db, tagsOfStay(db, accountId, stayId)).as('tags'),
        jsonRows(
          db,
          db
            .selectFrom('guest_images')
            .where('account_id', '=', accountId)
            .where('stay_id', '=', stayId)
            .select(['id', 'url', 'guest_id']),
        ).as('id_images'),
        jsonRows(
          db,
          db
            .selectFrom('checkin_guide_images')
            .where('account_id', '=', accountId)
            .where('stay_id', '=', stayId)
            .select(['id', 'url', 'client_id']),
        ).as('guide_images'),
        receivedSum(db, accountId, of.ref('stay.reservation_code')).as('received'),
      ];
    });
});

/** Returns the amount that a reservation has received so far, less refunds. */
export async function receivedAmount(
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  code: ReservationCode,
): Promise<Minor> {
  const { received } = await receivedSum(db, accountId, code).executeTakeFirstOrThrow();
  return received ?? 0;
}

/** Selects the income of a reservation less its refunds; null without transactions. */
function receivedSum(
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  code: ReservationCode | Expression<ReservationCode>,
) {
  return db
    .selectFrom('transactions as entry')
    .leftJoin('dictionary_items as item', (join) =>
      join
        .onRef('item.account_id', '=', 'entry.account_id')
        .on('item.dictionary', '=', 'expense_items')
        .onRef('item.id', '=', 'entry.item_id'),
    )
    .where('entry.account_id', '=', accountId)
    .where('entry.reservation_code', '=', code)
    .select((of) =>
      of.fn
        .sum<number | null>(
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
    );
}
