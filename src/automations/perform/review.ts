import type { Automating } from '../context.ts';
import type { ReviewFacts } from '../facts/facts.ts';

type Asking = Pick<Automating, 'client' | 'signal'>;

/**
 * The reviews of a booking as the other side tells them now; private feedback is left there.
 * @param property of a booking of several the one whose review is wanted; null: whichever comes first
 */
export async function readReview(
  context: Asking,
  reservation_code: string,
  property: number | null = null,
): Promise<ReviewFacts | null> {
  // Where the guest has written nothing, not everybody tells of the host's review unless asked for it.
  for (const status of [{}, { review_status: 'pending_guest_review' } as const]) {
    const asked = { reservation_code, ...status };
    const { data } = await context.client.call('listReviews', asked, { purpose: 'reply', signal: context.signal });
    const one = data.reviews.find(
      (review) =>
        review.reservation_code === reservation_code && (property === null || review.property_id === property),
    );
    if (!one) continue;
    return {
      reservation_code,
      score: one.guest_review?.score ?? null,
      content: one.guest_review?.content ?? null,
      host_reviewed: one.host_review !== null,
      host_replied: one.host_reply !== null,
    };
  }
  return null;
}
