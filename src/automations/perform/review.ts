import type { Automating } from '../context.ts';
import type { ReviewFacts } from '../facts/facts.ts';

type Asking = Pick<Automating, 'client' | 'signal'>;

/**
 * Reads the reviews of a reservation from upstream. Private feedback is not read.
 * @param property the property of the wanted review if the reservation has several; null for the first review
 */
export async function readReview(
  context: Asking,
  reservation_code: string,
  property: number | null = null,
): Promise<ReviewFacts | null> {
  // If the guest has not written, some deployments return the host's review only on request.
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
