import { msOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { machine } from '../../kernel/transitions.ts';
import { texts } from '../../contract/errors.ts';
import type { AccountRow } from '../database.ts';

/**
 * The life of a subscription. The owner of the service may shut an account out and let it in again; its last day
 * ends it, and a later one brings it back as it was: shut out still, if it was.
 */
export const subscriptionLife = machine({
  name: 'subscription',
  is: 'An account’s right to use the service.',
  before: 'not there',
  states: {
    active: 'Everything works.',
    suspended: 'The owner of the service has shut the account out.',
    expired: 'Its last day is over.',
  } satisfies Record<AccountRow['subscription'], string>,
  final: [],
  rows: [
    { from: null, trigger: 'open', to: 'active' },
    { from: 'active', trigger: 'suspend', to: 'suspended' },
    { from: 'suspended', trigger: 'resume', to: 'active' },
    { from: ['active', 'suspended'], trigger: 'end', to: 'expired' },
    { from: 'expired', trigger: 'renew', to: 'active' },
    { from: 'expired', trigger: 'renew_suspended', to: 'suspended' },
  ],
});

export type Subscription = AccountRow['subscription'];

type Term = Pick<AccountRow, 'subscription' | 'expires_at'>;

/** What a subscription is at a moment: its last day alone ends it, so nothing has to run then. */
export function subscriptionAt({ subscription, expires_at }: Term, now: number): Subscription {
  // What is no date at all is over, too.
  const runs = expires_at === null || msOf(expires_at) > now;
  return runs ? subscription : 'expired';
}

/** What the owner of the service says of an account; what is left out stays. */
export interface TermChange {
  suspended?: boolean | undefined;
  /** null: never. */
  expires_at?: string | null | undefined;
}

/** A subscription after its owner has changed it. One that has ended is one whose last day is over, nothing else. */
export function changedTerm(before: Term, { suspended, expires_at }: TermChange, now: string): Term {
  const ended = before.subscription === 'expired';
  const isShut = suspended ?? (before.subscription !== 'active' && !ended);
  return {
    subscription: isShut ? 'suspended' : 'active',
    expires_at: expires_at === undefined ? (ended ? earlier(before.expires_at, now) : before.expires_at) : expires_at,
  };
}

function earlier(one: string | null, other: string): string {
  return one !== null && one < other ? one : other;
}

/**
 * Names what lets an account in, not what keeps it out: a state that nobody has thought of is refused.
 * @throws ApiError 420 for an account whose subscription, state or edition does not let it use the API now
 */
export function requireUsable(account: Term & Pick<AccountRow, 'edition'>, now: number): void {
  const subscription = subscriptionAt(account, now);
  if (subscription === 'expired') throw new ApiError(420, texts.subscriptionExpired);
  if (subscription !== 'active') throw new ApiError(420, texts.accountSuspended);
  if (account.edition !== 'pro') throw new ApiError(420, texts.basicEdition);
}
