import type { ExpressionBuilder } from 'kysely';
import type { ReviewStatus } from '../../contract/reviews.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { Range } from '../../store/queries/paging.ts';
import { prepared, preparedKept, preparedTotal } from '../../store/queries/prepared.ts';
import { unindexed } from '../../store/queries/unindexed.ts';
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
  const page = (await fullPage(db, queries.newest, rest, total)) ?? (await sortedPage(db, queries.sorted, rest));
  const ids = page.map((row) => row.id);
  const rows = ids.length === 0 ? [] : await reviewsOf(db, { accountId: question.accountId, ids });
  return { rows, keys: ids, total };
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
    /** The window's reviews, sorted. SQLite would otherwise go through all reviews by id. */
    sorted: preparedKept((db: CoreDb, arg: Page) => {
      const { before } = arg;
      const id = (of: Reviews) => of('review.id', '+', of.lit(0));
      const all = matchingReviews(db, arg, status);
      const query = before === undefined ? all : all.where((of) => of(id(of), '<', before));
      return query.orderBy(id, 'desc').limit(arg.limit).offset(arg.offset);
    }),
    /** The reviews of the window among the newest, in the order of their ids. */
    newest: preparedKept((db: CoreDb, arg: Page & { after: number }) => {
      const { before } = arg;
      const all = matchingReviews(db, arg, status, true).where('review.id', '>', arg.after);
      const query = before === undefined ? all : all.where('review.id', '<', before);
      return query.orderBy('review.id', 'desc').limit(arg.limit).offset(arg.offset);
    }),
    count: preparedTotal((db: CoreDb, arg: Filters) =>
      db
        .selectFrom(matchingReviews(db, arg, status).as('matching'))
        .select((of) => of.fn.countAll<number>().as('total')),
    ),
  };
}

type Queries = ReturnType<typeof makeQueries>;

/** Number of matches below which reviews are always sorted. */
const WORTH_A_SCAN = 200;

/**
 * Returns the page if it is full with what the newest reviews hold: a window usually covers these, and then nothing needs
 * to be sorted. No more reviews are looked at than there are to sort. Undefined otherwise.
 */
async function fullPage(db: CoreDb, newest: Queries['newest'], question: Page, matching: number) {
  if (matching < WORTH_A_SCAN) return undefined;
  const { accountId, limit, before } = question;
  const [last] = before === undefined ? await lastReview(db, { accountId }) : [];
  const after = (before ?? last?.id ?? 0) - matching;
  const page = await newest(db, { ...question, after });
  return page.length === limit ? page : undefined;
}

/** Reviews that are sorted at once and kept. */
const BLOCK = 1_000;

/** Returns the page out of a block that is sorted once, until a review or a stay changes. */
async function sortedPage(db: CoreDb, sorted: Queries['sorted'], question: Page) {
  const { limit, offset } = question;
  const first = Math.floor(offset / BLOCK) * BLOCK;
  const block = await sorted(db, { ...question, offset: first, limit: BLOCK + limit });
  return block.slice(offset - first, offset - first + limit);
}

const lastReview = prepared((db: CoreDb, arg: { accountId: AccountId }) =>
  db
    .selectFrom('reviews')
    .where('account_id', '=', arg.accountId)
    .select('id')
    .orderBy('id', 'desc')
    .limit((of) => of.lit(1)),
);

type Reviews = ExpressionBuilder<CoreDatabase & { review: ReviewRow; stay: StayRow }, 'review' | 'stay'>;

/**
 * Selects by the stays of the window, whose index covers every column that is needed.
 * @param byReview true: goes from each review to its stay instead
 */
function matchingReviews(db: CoreDb, question: Filters, status: ReviewStatus | undefined, byReview = false) {
  const { reservationCode, propertyId, from, to, visible } = question;
  const date = (of: Reviews) => (byReview ? unindexed(of.ref('stay.check_out_date')) : of.ref('stay.check_out_date'));
  let query = db
    .selectFrom('stays as stay')
    .innerJoin('reviews as review', (join) =>
      join.onRef('review.account_id', '=', 'stay.account_id').onRef('review.stay_id', '=', 'stay.id'),
    )
    .where(byReview ? 'review.account_id' : 'stay.account_id', '=', question.accountId)
    .select('review.id');
  if (reservationCode !== undefined)
    query = query.where('stay.reservation_code', '=', reservationCode as ReservationCode);
  if (from !== undefined) query = query.where((of) => of(date(of), '>=', from));
  if (to !== undefined) query = query.where((of) => of(date(of), '<=', to));
  if (propertyId !== undefined) query = query.where('stay.property_id', '=', propertyId);
  if (visible != null) query = query.where((where) => inList(where.ref('stay.property_id'), visible));
  if (status === 'reviewed') query = query.where('review.guest_review', 'is not', null);
  if (status === 'pending_guest_review') query = query.where('review.guest_review', 'is', null);
  if (status === 'pending_host_review') query = query.where('review.host_review', 'is', null);
  return query;
}

const reviewsOf = prepared((db: CoreDb, arg: { accountId: AccountId; ids: readonly number[] }) =>
  db
    .selectFrom('reviews as review')
    .innerJoin('stays as stay', (join) =>
      join.onRef('stay.account_id', '=', 'review.account_id').onRef('stay.id', '=', 'review.stay_id'),
    )
    .where('review.account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('review.id'), arg.ids))
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
