import { type Instant, instantOf } from '../../kernel/dates.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import type { Change } from '../context.ts';
import { staysOf } from '../reservations/lookup.ts';
import type { StoredGuestReview, StoredPart } from './present.ts';
import { fits, privateFeedback, scoresOf } from './rules.ts';
import { findReview, type ReviewChanges, writeReview } from './write.ts';

/** A guest's review as the channel reports it. */
export interface IncomingReview {
  score: number | null;
  sub_score?: readonly { category: string; rating: number; review_category_tags?: readonly string[] }[];
  content: string;
  private_feedback?: string | null;
  /** Default: now. */
  created_at?: Instant;
}

/**
 * Stores the review record of a reservation as a channel announces it. The first report often has no content, which
 * follows when both sides have written or their time is over. A repeat of the same content changes nothing and emits no
 * event.
 * @param incoming.reply a reply that the host wrote in the channel's own app
 */
export async function receiveReview(
  change: Change,
  code: ReservationCode,
  incoming: { review: IncomingReview | null; reply?: { content: string; created_at?: Instant } },
): Promise<void> {
  const [stay] = await staysOf(change.trx, change.account.account_id, code);
  if (!stay) throw new Error(`there is no reservation ${code}`);
  const known = await findReview(change, code);
  const at = instantOf(change.now);
  const changes: ReviewChanges = {
    ...(incoming.review && {
      guest_review: JSON.stringify(guestReviewOf(stay.channel_type, incoming.review, known?.guest_review, at)),
    }),
    ...(incoming.reply && { host_reply: JSON.stringify(replyOf(incoming.reply, known?.host_reply, at)) }),
  };
  const isNews = !known || Object.entries(changes).some(([name, text]) => Reflect.get(known, name) !== text);
  if (!isNews) return;
  await writeReview(change, stay, known, changes);
  change.audit('receiveReview', code);
}

function guestReviewOf(
  channelType: string,
  incoming: IncomingReview,
  known: string | null | undefined,
  at: Instant,
): StoredGuestReview {
  const sub_score = (incoming.sub_score ?? []).map(({ category, rating, review_category_tags = [] }) => ({
    category,
    rating,
    review_category_tags: [...review_category_tags],
  }));
  for (const score of [incoming.score, ...sub_score.map(({ rating }) => rating)]) {
    if (score === null || fits(channelType, score)) continue;
    const { min, max } = scoresOf(channelType);
    throw new RangeError(`a score of ${score}, where ${channelType} has ${min} to ${max}`);
  }
  return {
    score: incoming.score,
    sub_score,
    content: incoming.content,
    private_feedback: privateFeedback(channelType, incoming.private_feedback),
    created_at: incoming.created_at ?? writtenAt(known) ?? at,
  };
}

function replyOf(
  reply: { content: string; created_at?: Instant },
  known: string | null | undefined,
  at: Instant,
): StoredPart {
  const created_at = reply.created_at ?? writtenAt(known) ?? at;
  return { score: null, sub_score: [], content: reply.content, created_at };
}

function writtenAt(known: string | null | undefined): Instant | undefined {
  return known ? (JSON.parse(known) as StoredPart).created_at : undefined;
}
