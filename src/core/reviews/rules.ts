import type { Input } from '../../contract/index.ts';
import { ApiError } from '../../kernel/errors.ts';

/** Ranges of guests' scores where they are not 0 to 5. */
const guestScores: Readonly<Record<string, { min: number; max: number }>> = {
  marketplace_c: { min: 1, max: 10 },
};
const FIVE_POINTS = { min: 0, max: 5 };

/** Returns the range of a guest's score and of its parts on a channel. */
export function scoresOf(channelType: string): { min: number; max: number } {
  return guestScores[channelType] ?? FIVE_POINTS;
}

/** Returns true if a score is possible on the channel. */
export function fits(channelType: string, score: number): boolean {
  const { min, max } = scoresOf(channelType);
  return score >= min && score <= max;
}

/** The only channel whose guests can give the host private feedback. */
const PRIVATE_FEEDBACK = 'marketplace_a';
/** Channels that accept ratings by category. */
const CATEGORIES: ReadonlySet<string> = new Set(['marketplace_a']);
/** Channels without reviews, since nothing would publish them. */
const WITHOUT_REVIEWS: ReadonlySet<string> = new Set(['direct', 'ical']);

/** Returns a guest's private feedback; null where the channel has none. */
export function privateFeedback(channelType: string, text: string | null | undefined): string | null {
  return channelType === PRIVATE_FEEDBACK ? (text ?? null) : null;
}

export function takesReviews(channelType: string): boolean {
  return !WITHOUT_REVIEWS.has(channelType);
}

interface HostReview {
  score: number | null;
  sub_score: { category: string; rating: number; review_category_tags: string[] }[];
  content: string;
}

export interface HostWords {
  review: HostReview | undefined;
  reply: string | undefined;
}

type Body = Omit<Input<'createReview'>, 'reservation_code'>;

/** Returns the content of a request: a review of the guest, a reply to the guest, or both. */
export function wordsOf(body: Body, channelType: string): HostWords {
  const { host_review_score, host_review_content, host_reply_content, category_ratings } = body;
  const { overall_rating, ...categories } = category_ratings ?? {};
  const score = host_review_score ?? overall_rating;
  const reviews = [score, host_review_content, category_ratings].some((value) => value !== undefined);
  const ratings = CATEGORIES.has(channelType) ? Object.entries(categories) : [];
  return {
    review: reviews
      ? {
          score: score ?? null,
          sub_score: ratings.flatMap(([category, rating]) =>
            rating === undefined ? [] : [{ category, rating, review_category_tags: [] }],
          ),
          content: host_review_content ?? '',
        }
      : undefined,
    reply: host_reply_content,
  };
}

/** The parts of a stay's review that exist so far. */
interface Said {
  host_review: unknown;
  guest_review: unknown;
  host_reply: unknown;
}

/** @throws ApiError 400 for a second review or reply, and for a reply without a review */
export function requireNews({ review, reply }: HostWords, said: Said): void {
  if (review && said.host_review !== null) throw new ApiError(400, 'The guest of this reservation has been reviewed.');
  if (reply !== undefined && said.host_reply !== null) throw new ApiError(400, 'The review has been replied to.');
  if (reply !== undefined && said.guest_review === null) {
    throw new ApiError(400, 'The guest has written no review to reply to.', { field: 'host_reply_content' });
  }
}
