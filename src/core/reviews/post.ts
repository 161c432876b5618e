import type { Input } from '../../contract/index.ts';
import { dateIn, instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { postToChannel } from '../channels/posts/queue.ts';
import type { Change } from '../context.ts';
import type { StayRow } from '../database.ts';
import { goneResource } from '../ownership.ts';
import { lockReservation, staysOf } from '../reservations/lookup.ts';
import { zoneOf } from '../reservations/times/zone.ts';
import type { StoredPart } from './present.ts';
import { type HostWords, requireNews, takesReviews, wordsOf } from './rules.ts';
import { findReview, type ReviewChanges, writeReview } from './write.ts';

/**
 * Stores the host's review or reply for a finished stay and queues it for the channel.
 * @throws ApiError 400 where the channel has no reviews, before the check-out, and for a second review or reply
 */
export async function postReview(
  change: Change,
  code: StayRow['reservation_code'],
  body: Omit<Input<'createReview'>, 'reservation_code'>,
): Promise<void> {
  await lockReservation(change.trx, change.account.account_id, code);
  const stays = await staysOf(change.trx, change.account.account_id, code);
  const [stay] = stays;
  if (!stay) throw goneResource();
  if (!takesReviews(stay.channel_type)) throw new ApiError(400, `There are no reviews on ${stay.channel_type}.`);
  const today = dateIn(await zoneOf(change, stay), change.now);
  if (stay.status !== 'accepted' || stays.some((one) => one.check_out_date > today)) {
    throw new ApiError(400, 'Only a stay that has ended can be reviewed.');
  }
  const known = await findReview(change, stay.reservation_code);
  const words = wordsOf(body, stay.channel_type);
  requireNews(words, known ?? { host_review: null, guest_review: null, host_reply: null });
  await writeReview(change, stay, known, storedWords(words, instantOf(change.now)));
  await tellChannel(change, stay, words);
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
