import { REVIEW_DAYS } from '../../contract/reviews.ts';
import { addDaysWithin, dateIn } from '../../kernel/dates.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import type { Change, Handler } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { goneResource, maySee } from '../ownership.ts';
import { findReservationByAnyCode } from '../reservations/lookup.ts';
import { postReview } from './post.ts';
import { presentReview } from './present.ts';
import { reviewPage } from './table.ts';

export const listReviews: Handler<'listReviews'> = async (input, context) => {
  const { account, db, visible } = context;
  const { account_id: accountId, time_zone } = account;
  const page = pageOf('listReviews', 'number', input, context);
  const found = await reviewPage(db, {
    accountId,
    visible,
    reservationCode: input.reservation_code,
    propertyId: input.property_id,
    ...(input.reservation_code === undefined ? windowOf(input, dateIn(time_zone, page.asOf)) : datesOf(input)),
    status: input.review_status ?? (input.reservation_code === undefined ? 'reviewed' : undefined),
    ...page.range,
  });
  const { rows, next } = closePage(page, found, (row) => row.id);
  return { reviews: rows.map((row) => presentReview(row, time_zone)), total: found.total, ...next };
};

interface Dates {
  start_check_out_date?: string | undefined;
  end_check_out_date?: string | undefined;
}

function datesOf({ start_check_out_date: from, end_check_out_date: to }: Dates) {
  return { from, to };
}

/**
 * Returns the window of check-outs. A missing side is as far from the other as a window can be, but not after today.
 */
function windowOf({ start_check_out_date: start, end_check_out_date: end }: Dates, today: string) {
  if (start === undefined) return { from: addDaysWithin(end ?? today, -REVIEW_DAYS), to: end ?? today };
  const furthest = addDaysWithin(start, REVIEW_DAYS);
  return { from: start, to: end ?? (furthest < today ? furthest : today) };
}

export const createReview: Handler<'createReview'> = async (input, context) => {
  const { reservation_code: code, ...body } = input;
  await context.change(async (change) => {
    const reservation = await requireReviewed(change, code, (propertyId) => maySee(context, propertyId));
    await postReview(change, reservation, body);
    change.audit('createReview', reservation);
  });
};

/** Returns the reservation with this code. @throws ApiError 404 when the caller has none */
async function requireReviewed(
  { trx, account }: Change,
  code: string,
  isVisible: (propertyId: number) => boolean,
): Promise<ReservationCode> {
  const found = await findReservationByAnyCode(trx, account.account_id, code);
  if (!found || !found.property_ids.some(isVisible)) throw goneResource();
  return found.reservation_code as ReservationCode;
}
