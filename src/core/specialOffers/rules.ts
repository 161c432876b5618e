import { OFFER_HOURS, type OfferStatus } from '../../contract/specialOffers.ts';
import { type Instant, instantOf, msOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';

/** The life of an offer: it is active once, and whatever ends it ends it for good. */
export const transitions = [
  { from: null, trigger: 'make', to: 'active' },
  { from: 'active', trigger: 'withdraw', to: 'withdrawn' },
  { from: 'active', trigger: 'accept', to: 'accepted' },
  { from: 'active', trigger: 'decline', to: 'declined' },
  { from: 'active', trigger: 'expire', to: 'expired' },
] as const satisfies readonly { from: OfferStatus | null; trigger: string; to: OfferStatus }[];

export type OfferTrigger = (typeof transitions)[number]['trigger'];

/** The status a trigger leads to. @throws ApiError 400 when it cannot happen in this status */
export function moved(from: OfferStatus | null, trigger: OfferTrigger): OfferStatus {
  const transition = transitions.find((row) => row.from === from && row.trigger === trigger);
  if (!transition) throw new ApiError(400, `The offer is ${from ?? 'not made yet'}; this cannot be done now.`);
  return transition.to;
}

/** What an offer is at a moment: its due time alone ends an active one, so nothing has to run then. */
export function statusAt(offer: { status: OfferStatus; expires_at: Instant }, now: number): OfferStatus {
  const isDue = now >= msOf(offer.expires_at);
  return offer.status === 'active' && isDue ? moved(offer.status, 'expire') : offer.status;
}

/** When an offer made now ends by itself. */
export function expiryOf(now: number): Instant {
  return instantOf(now + OFFER_HOURS * 3_600_000);
}
