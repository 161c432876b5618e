import { REVIEW_DAYS } from '../../contract/reviews.ts';
import { addDays, dateIn, instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import { postToChannel } from '../channels/posts/queue.ts';
import type { Change, Handler } from '../context.ts';
import type { StayRow } from '../database.ts';
import { goneResource, maySee } from '../ownership.ts';
import { findReservationByAnyCode, lockReservation, staysOf } from '../reservations/lookup.ts';
import { zoneOf } from '../reservations/zone.ts';
import type { StoredPart } from './present.ts';
import { presentReview } from './present.ts';
import { type HostWords, requireNews, takesReviews, wordsOf } from './rules.ts';
import { reviewPage } from './table.ts';
import { findReview, type ReviewChanges, writeReview } from './write.ts';

export const listReviews: Handler<'listReviews'> = async (input, { account, db, now, visible }) => {
  const { account_id: accountId, time_zone } = account;
  const { rows, total } = await reviewPage(db, {
    accountId,
    visible,
    reservationCode: input.reservation_code,
    propertyId: input.property_id,
    ...(input.reservation_code === undefined ? windowOf(input, dateIn(time_zone, now)) : datesOf(input)),
    status: input.review_status ?? (input.reservation_code === undefined ? 'reviewed' : undefined),
    offset: input.offset,
    limit: input.limit,
  });
  return { reviews: rows.map((row) => presentReview(row, time_zone)), total };
};

interface Dates {
  start_check_out_date?: string | undefined;
  end_check_out_date?: string | undefined;
}

function datesOf({ start_check_out_date: from, end_check_out_date: to }: Dates) {
  return { from, to };
}

/** The window of check-outs; a side left out is as far from the other as a window can be, but not after today. */
function windowOf({ start_check_out_date: start, end_check_out_date: end }: Dates, today: string) {
  if (start === undefined) return { from: addDays(end ?? today, -REVIEW_DAYS), to: end ?? today };
  const furthest = addDays(start, REVIEW_DAYS);
  return { from: start, to: end ?? (furthest < today ? furthest : today) };
}

export const createReview: Handler<'createReview'> = async (input, context) => {
  const { reservation_code: code, ...body } = input;
  await context.change(async (change) => {
    const stay = await requireReviewed(change, code, (propertyId) => maySee(context, propertyId));
    if (!takesReviews(stay.channel_type)) throw new ApiError(400, `There are no reviews on ${stay.channel_type}.`);
    const today = dateIn(await zoneOf(change, stay), change.now);
    if (stay.status !== 'accepted' || stay.check_out_date > today) {
      throw new ApiError(400, 'Only a stay that has ended can be reviewed.');
    }
    const known = await findReview(change, stay.reservation_code);
    const words = wordsOf(body, stay.channel_type);
    requireNews(words, known ?? { host_review: null, guest_review: null, host_reply: null });
    await writeReview(change, stay, known, storedWords(words, instantOf(change.now)));
    await tellChannel(change, stay, words);
    change.audit('createReview', stay.reservation_code);
  });
};

/** The first stay of the reservation that a code means. @throws ApiError 404 when the caller has none */
async function requireReviewed(
  change: Change,
  code: string,
  isVisible: (propertyId: number) => boolean,
): Promise<StayRow> {
  const { account_id } = change.account;
  const found = await findReservationByAnyCode(change.trx, account_id, code);
  if (!found || !found.property_ids.some(isVisible)) throw goneResource();
  await lockReservation(change.trx, account_id, found.reservation_code as ReservationCode);
  const [stay] = await staysOf(change.trx, account_id, found.reservation_code);
  if (!stay) throw goneResource();
  return stay;
}

function storedWords({ review, reply }: HostWords, created_at: string): ReviewChanges {
  const replied: StoredPart | undefined =
    reply === undefined ? undefined : { score: null, sub_score: [], content: reply, created_at };
  return {
    ...(review && { host_review: JSON.stringify({ ...review, created_at }) }),
    ...(replied && { host_reply: JSON.stringify(replied) }),
  };
}

async function tellChannel(change: Change, stay: StayRow, { review, reply }: HostWords): Promise<void> {
  const { account_id, channel_type, reservation_code: reservation } = stay;
  const lane = `review ${reservation}`;
  if (review) {
    const ratings = Object.fromEntries(review.sub_score.map(({ category, rating }) => [category, rating]));
    const { score, content } = review;
    await postToChannel(change, {
      account_id,
      channel_type,
      lane,
      payload: { kind: 'host_review', reservation, score, ratings, content },
    });
  }
  if (reply === undefined) return;
  await postToChannel(change, {
    account_id,
    channel_type,
    lane,
    payload: { kind: 'host_reply', reservation, content: reply },
  });
}
