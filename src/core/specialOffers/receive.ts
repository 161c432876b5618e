import { instantOf } from '../../kernel/dates.ts';
import type { OfferStatus } from '../../contract/specialOffers.ts';
import type { Change } from '../context.ts';
import { next } from '../../kernel/transitions.ts';
import { requireMove } from '../requireMove.ts';
import { offerLife, statusAt } from './rules.ts';
import { endOffer, lockOffer } from './table.ts';

/**
 * The guest's answer to an offer. The same answer twice changes nothing.
 * @returns the status it has now
 * @throws ApiError 400 when the offer is active no more
 */
export async function receiveOfferAnswer(
  change: Change,
  specialOfferId: string,
  answer: 'accept' | 'decline',
): Promise<OfferStatus> {
  const { trx, account, now } = change;
  const offer = await lockOffer(trx, specialOfferId);
  if (offer?.account_id !== account.account_id) throw new Error(`there is no offer ${specialOfferId}`);
  if (offer.status === next(offerLife, 'active', answer)) return offer.status;
  const status = requireMove(offerLife, statusAt(offer, now), answer);
  await endOffer(trx, offer, status, instantOf(now));
  change.audit('receiveOfferAnswer', specialOfferId);
  return status;
}
