import type { Draft, Outcome } from './draft.ts';
import type { PayoutFact } from './read/facts.ts';
import type { Policy } from './policy.ts';

/** Returns the entry of a payout. It moves money from a clearing account to the bank, in the currency of both. */
export function fromPayout(policy: Policy, payout: PayoutFact): { drafts: Draft[]; outcome: Outcome } {
  const { id, date, bank, account, amount, currency, bookings } = payout;
  const source = { kind: 'payout', id } as const;
  const { starts_on } = policy.settings;
  if (starts_on !== null && date < starts_on) {
    return { drafts: [], outcome: { source, state: 'ignored', reason: 'it is older than the books', date } };
  }
  const draft: Draft = {
    base: `p${id}`,
    suffix: '',
    date,
    kind: 'payout',
    source,
    payee: account.split(':').slice(2).join(' ').replaceAll('-', ' '),
    description: bookings === 0 ? 'Payout' : `Payout of ${bookings} ${bookings === 1 ? 'booking' : 'bookings'}`,
    reservation: null,
    stay: null,
    channel: null,
    postings: [
      { account: bank, amount, currency, propertyId: null },
      { account, amount: 0 - amount, currency, propertyId: null },
    ],
  };
  return { drafts: [draft], outcome: { source, state: 'posted', reason: '', date } };
}
