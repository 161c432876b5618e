import type { ReviewStatus } from '../../contract/reviews.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import { inList } from '../../store/inList.ts';
import { insertMany } from '../../store/insertMany.ts';
import { nextIds } from '../../store/sequences.ts';
import type { ReviewRow } from '../conversations/rows.ts';
import type { CoreDb, CoreTransaction, StayRow } from '../database.ts';

export interface ReviewQuestion {
  accountId: AccountId;
  visible: readonly number[] | null;
  reservationCode?: string | undefined;
  propertyId?: number | undefined;
  status?: ReviewStatus | undefined;
  from?: PlainDate | undefined;
  to?: PlainDate | undefined;
  offset: number;
  limit: number;
}

/** A review with what it says of the stay. */
export type ReviewOfStay = ReviewRow &
  Pick<StayRow, 'stay_code' | 'property_id' | 'channel_type' | 'listing_id' | 'check_in_date' | 'check_out_date'>;

/** One page, newest id first, and how many match in all. */
export async function reviewPage(
  db: CoreDb,
  question: ReviewQuestion,
): Promise<{ rows: ReviewOfStay[]; total: number }> {
  const matching = db
    .with(
      (cte) => cte('matching').materialized(),
      () => matchingReviews(db, question),
    )
    .selectFrom('matching');
  const { total } = await matching.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = await matching
    .select('matching.reservation_code')
    .orderBy('matching.id', 'desc')
    .limit(question.limit)
    .offset(question.offset)
    .execute();
  const codes = page.map((row) => row.reservation_code);
  return { rows: codes.length === 0 ? [] : await reviewsOf(db, question.accountId, codes), total };
}

/** By the stays of the window, whose index holds all that is asked of them. */
function matchingReviews(db: CoreDb, question: ReviewQuestion) {
  const { reservationCode, propertyId, status, from, to, visible } = question;
  let query = db
    .selectFrom('stays as stay')
    .innerJoin('reviews as review', (join) =>
      join.onRef('review.account_id', '=', 'stay.account_id').onRef('review.stay_id', '=', 'stay.id'),
    )
    .where('stay.account_id', '=', question.accountId)
    .select(['review.id', 'review.reservation_code']);
  if (reservationCode !== undefined)
    query = query.where('stay.reservation_code', '=', reservationCode as ReservationCode);
  if (from !== undefined) query = query.where('stay.check_out_date', '>=', from);
  if (to !== undefined) query = query.where('stay.check_out_date', '<=', to);
  if (propertyId !== undefined) query = query.where('stay.property_id', '=', propertyId);
  if (visible !== null) query = query.where((where) => inList(where.ref('stay.property_id'), visible));
  if (status === 'reviewed') query = query.where('review.guest_review', 'is not', null);
  if (status === 'pending_guest_review') query = query.where('review.guest_review', 'is', null);
  if (status === 'pending_host_review') query = query.where('review.host_review', 'is', null);
  return query;
}

function reviewsOf(db: CoreDb, accountId: AccountId, codes: readonly ReservationCode[]): Promise<ReviewOfStay[]> {
  return db
    .selectFrom('reviews as review')
    .innerJoin('stays as stay', (join) =>
      join.onRef('stay.account_id', '=', 'review.account_id').onRef('stay.id', '=', 'review.stay_id'),
    )
    .where('review.account_id', '=', accountId)
    .where((where) => inList(where.ref('review.reservation_code'), codes))
    .selectAll('review')
    .select([
      'stay.stay_code',
      'stay.property_id',
      'stay.channel_type',
      'stay.listing_id',
      'stay.check_in_date',
      'stay.check_out_date',
    ])
    .orderBy('review.id', 'desc')
    .execute();
}

/** The review of a reservation, kept as it is until the transaction ends. */
export function lockReview(
  trx: CoreTransaction,
  accountId: AccountId,
  code: ReservationCode,
): Promise<ReviewRow | undefined> {
  return trx
    .selectFrom('reviews')
    .where('account_id', '=', accountId)
    .where('reservation_code', '=', code)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

export async function addReview(trx: CoreTransaction, draft: Omit<ReviewRow, 'id'>): Promise<ReviewRow> {
  const row = { ...draft, id: await nextIds(trx, 'reviews') };
  await insertMany(trx, 'reviews', [row]);
  return row;
}

export async function changeReview(
  trx: CoreTransaction,
  { account_id, reservation_code }: ReviewRow,
  changes: Partial<Pick<ReviewRow, 'host_review' | 'guest_review' | 'host_reply'>>,
): Promise<void> {
  await trx
    .updateTable('reviews')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('reservation_code', '=', reservation_code)
    .execute();
}
