import { OFFER_HOURS, type OfferStatus } from '../../contract/specialOffers.ts';
import { type Instant, instantOf, msOf } from '../../kernel/dates.ts';
import { machine, next } from '../../kernel/transitions.ts';

/** The life of an offer. It is active once, and every end is final. */
export const offerLife = machine({
  name: 'offer',
  is: 'A special offer to a guest.',
  before: 'not made yet',
  states: {
    active: 'The guest may take it.',
    withdrawn: 'The host has taken it back.',
    accepted: 'The guest has taken it.',
    declined: 'The guest does not want it.',
    expired: 'Its time is over.',
  } satisfies Record<OfferStatus, string>,
  final: ['withdrawn', 'accepted', 'declined', 'expired'],
  rows: [
    { from: null, trigger: 'make', to: 'active' },
    { from: 'active', trigger: 'withdraw', to: 'withdrawn' },
    { from: 'active', trigger: 'accept', to: 'accepted' },
    { from: 'active', trigger: 'decline', to: 'declined' },
    { from: 'active', trigger: 'expire', to: 'expired' },
  ],
});

/** Returns the status of an offer at a moment. Its due time alone ends an active offer, so no job has to run then. */
export function statusAt(offer: { status: OfferStatus; expires_at: Instant }, now: number): OfferStatus {
  const isDue = now >= msOf(offer.expires_at);
  return offer.status === 'active' && isDue ? next(offerLife, offer.status, 'expire') : offer.status;
}

/** Returns the moment at which an offer made now expires. */
export function expiryOf(now: number): Instant {
  return instantOf(now + OFFER_HOURS * 3_600_000);
}
