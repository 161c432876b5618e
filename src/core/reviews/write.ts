import { instantOf } from '../../kernel/dates.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import type { Change } from '../context.ts';
import type { ReviewRow } from '../conversations/rows.ts';
import type { StayRow } from '../database.ts';
import { eventFields } from '../reservations/book.ts';
import { addReview, changeReview, lockReview } from './table.ts';

export type ReviewChanges = Partial<Pick<ReviewRow, 'host_review' | 'guest_review' | 'host_reply'>>;

/** Returns the review record of a reservation, locked until the change ends. */
export function findReview({ trx, account }: Change, code: ReservationCode): Promise<ReviewRow | undefined> {
  return lockReview(trx, account.account_id, code);
}

/**
 * Stores one side's part of a review and queues the event: review_created for the first news of a review,
 * review_updated for all later news.
 */
export async function writeReview(
  change: Change,
  stay: StayRow,
  known: ReviewRow | undefined,
  changes: ReviewChanges,
): Promise<void> {
  const { account_id, reservation_code, id: stay_id } = stay;
  if (known) {
    await changeReview(change.trx, known, changes);
  } else {
    const nothing = { host_review: null, guest_review: null, host_reply: null };
    const created_at = instantOf(change.now);
    await addReview(change.trx, { account_id, reservation_code, stay_id, ...nothing, ...changes, created_at });
  }
  change.emit({ event: known ? 'review_updated' : 'review_created', ...eventFields(stay) });
}
