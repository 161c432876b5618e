import type { ExpressionBuilder } from 'kysely';
import type { ReviewStatus } from '../../contract/reviews.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { Range } from '../../store/queries/paging.ts';
import { prepared, preparedByArguments, preparedTotal } from '../../store/queries/prepared.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { ReviewRow } from '../conversations/rows.ts';
import type { CoreDatabase, CoreDb, CoreTransaction, StayRow } from '../database.ts';

interface ReviewQuestion extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
  reservationCode?: string | undefined;
  propertyId?: number | undefined;
  status?: ReviewStatus | undefined;
  from?: PlainDate | undefined;
  to?: PlainDate | undefined;
}

/** A review with data of its stay. */
export type ReviewOfStay = ReviewRow &
  Pick<StayRow, 'stay_code' | 'property_id' | 'channel_type' | 'listing_id' | 'check_in_date' | 'check_out_date'>;

/** Returns one page, newest id first, and the number of all matches. */
export async function reviewPage(
  db: CoreDb,
  question: ReviewQuestion,
): Promise<{ rows: ReviewOfStay[]; keys: number[]; total: number }> {
  const { status, total: known, ...rest } = question;
  const { offset: _, limit: __, before: ___, ...filters } = rest;
  const queries = queriesOf[status ?? 'any'];
  const total = known ?? (await queries.count(db, filters));
  const page = await queries.page(db, rest);
  const codes = page.map((row) => row.reservation_code);
  const rows = codes.length === 0 ? [] : await reviewsOf(db, { accountId: question.accountId, codes });
  return { rows, keys: page.map((row) => row.id), total };
}

type Page = Omit<ReviewQuestion, 'status' | 'total'>;
type Filters = Omit<Page, keyof Range>;

const queriesOf = {
  any: makeQueries(undefined),
  reviewed: makeQueries('reviewed'),
  pending_guest_review: makeQueries('pending_guest_review'),
  pending_host_review: makeQueries('pending_host_review'),
} satisfies Record<ReviewStatus | 'any', unknown>;

function makeQueries(status: ReviewStatus | undefined) {
  return {
    page: preparedByArguments((db: CoreDb, arg: Page) => {
      const { before } = arg;
      const all = matchingReviews(db, arg, status);
      const query = before === undefined ? all : all.where((of) => of(unindexedId(of), '<', before));
      return query.orderBy(unindexedId, 'desc').limit(arg.limit).offset(arg.offset);
    }),
    count: preparedTotal((db: CoreDb, arg: Filters) =>
      db
        .selectFrom(matchingReviews(db, arg, status).as('matching'))
        .select((of) => of.fn.countAll<number>().as('total')),
    ),
  };
}

type Reviews = ExpressionBuilder<CoreDatabase & { review: ReviewRow }, 'review'>;

/** SQLite would otherwise go through all reviews by id for those of a window. */
const unindexedId = (of: Reviews) => of('review.id', '+', of.lit(0));

/** Selects by the stays of the window, whose index covers every column that is needed. */
function matchingReviews(db: CoreDb, question: Filters, status: ReviewStatus | undefined) {
  const { reservationCode, propertyId, from, to, visible } = question;
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
  if (visible != null) query = query.where((where) => inList(where.ref('stay.property_id'), visible));
  if (status === 'reviewed') query = query.where('review.guest_review', 'is not', null);
  if (status === 'pending_guest_review') query = query.where('review.guest_review', 'is', null);
  if (status === 'pending_host_review') query = query.where('review.host_review', 'is', null);
  return query;
}

const reviewsOf = prepared((db: CoreDb, arg: { accountId: AccountId; codes: readonly ReservationCode[] }) =>
  db
    .selectFrom('reviews as review')
    .innerJoin('stays as stay', (join) =>
      join.onRef('stay.account_id', '=', 'review.account_id').onRef('stay.id', '=', 'review.stay_id'),
    )
    .where('review.account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('review.reservation_code'), arg.codes))
    .selectAll('review')
    .select([
      'stay.stay_code',
      'stay.property_id',
      'stay.channel_type',
      'stay.listing_id',
      'stay.check_in_date',
      'stay.check_out_date',
    ])
    .orderBy('review.id', 'desc'),
);

/** Returns the review of a reservation, locked until the transaction ends. */
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
