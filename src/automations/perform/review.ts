import type { ReviewStatus } from '../../contract/reviews.ts';
import type { Automating } from '../context.ts';
import type { ReviewFacts } from '../facts.ts';

/**
 * The reviews of a booking as the other side tells them now; private feedback is left there.
 * @param review_status asks for those alone whose review of one side is missing
 */
export async function readReview(
  { client, signal }: Pick<Automating, 'client' | 'signal'>,
  reservation_code: string,
  review_status?: ReviewStatus,
): Promise<ReviewFacts | null> {
  const asked = { reservation_code, ...(review_status !== undefined && { review_status }) };
  const { data } = await client.call('listReviews', asked, { purpose: 'reply', signal });
  const one = data.reviews.find((review) => review.reservation_code === reservation_code);
  if (!one) return null;
  return {
    reservation_code,
    score: one.guest_review?.score ?? null,
    content: one.guest_review?.content ?? null,
    host_reviewed: one.host_review !== null,
    host_replied: one.host_reply !== null,
  };
}

/**
 * Whether the host has reviewed the guest of a booking.
 * @param known the reviews as they were just read
 */
export async function isGuestReviewed(
  context: Pick<Automating, 'client' | 'signal'>,
  reservation_code: string,
  known: ReviewFacts | null,
): Promise<boolean> {
  // Where the guest has written nothing, not everybody tells of the host's review unless asked for it.
  const found = known ?? (await readReview(context, reservation_code, 'pending_guest_review'));
  return found?.host_reviewed === true;
}
