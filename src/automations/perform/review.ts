import type { Automating } from '../context.ts';
import type { ReviewFacts } from '../facts.ts';

/** The reviews of a booking as the other side tells them now; private feedback is left there. */
export async function readReview(
  { client, signal }: Automating,
  reservation_code: string,
): Promise<ReviewFacts | null> {
  const { data } = await client.call('listReviews', { reservation_code }, { purpose: 'reply', signal });
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
