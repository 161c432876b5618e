import { instantOf } from '../../kernel/dates.ts';
import type { OfferStatus } from '../../contract/specialOffers.ts';
import type { Change } from '../context.ts';
import { next } from '../../kernel/transitions.ts';
import { requireMove } from '../requireMove.ts';
import { offerLife, statusAt } from './rules.ts';
import { endOffer, lockOffer } from './table.ts';

/**
 * Stores the guest's answer to an offer. A repeat changes nothing.
 * @returns its present status
 * @throws ApiError 400 when the offer is no longer active
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
