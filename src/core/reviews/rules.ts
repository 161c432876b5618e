import type { Input } from '../../contract/index.ts';
import { ApiError } from '../../kernel/errors.ts';

/** Bounds of guests' scores where they are not 0 to 5. */
const guestScores: Readonly<Record<string, { min: number; max: number }>> = {
  marketplace_c: { min: 1, max: 10 },
};
const FIVE_POINTS = { min: 0, max: 5 };

/** Bounds of a guest's score and of its parts on a channel. */
export function scoresOf(channelType: string): { min: number; max: number } {
  return guestScores[channelType] ?? FIVE_POINTS;
}

/** Whether a score can have been given there. */
export function fits(channelType: string, score: number): boolean {
  const { min, max } = scoresOf(channelType);
  return score >= min && score <= max;
}

/** The only channel whose guests can tell the host something in private. */
const PRIVATE_FEEDBACK = 'marketplace_a';
/** Channels that take ratings by category over. */
const CATEGORIES: ReadonlySet<string> = new Set(['marketplace_a']);
/** Where nobody reviews: there is no channel to publish it. */
const WITHOUT_REVIEWS: ReadonlySet<string> = new Set(['direct', 'ical']);

/** What a guest has said in private, as far as the channel has such a thing. */
export function privateFeedback(channelType: string, text: string | null | undefined): string | null {
  return channelType === PRIVATE_FEEDBACK ? (text ?? null) : null;
}

export function takesReviews(channelType: string): boolean {
  return !WITHOUT_REVIEWS.has(channelType);
}

export interface HostReview {
  score: number | null;
  sub_score: { category: string; rating: number; review_category_tags: string[] }[];
  content: string;
}

export interface HostWords {
  review: HostReview | undefined;
  reply: string | undefined;
}

type Body = Omit<Input<'createReview'>, 'reservation_code'>;

/** What a request says: a review of the guest, a reply to the guest, or both. */
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

/** What has been said so far about a stay. */
export interface Said {
  host_review: unknown;
  guest_review: unknown;
  host_reply: unknown;
}

/** @throws ApiError 400 for what was said before, and for a reply to nothing */
export function requireNews({ review, reply }: HostWords, said: Said): void {
  if (review && said.host_review !== null) throw new ApiError(400, 'The guest of this reservation has been reviewed.');
  if (reply !== undefined && said.host_reply !== null) throw new ApiError(400, 'The review has been replied to.');
  if (reply !== undefined && said.guest_review === null) {
    throw new ApiError(400, 'The guest has written no review to reply to.', { field: 'host_reply_content' });
  }
}
