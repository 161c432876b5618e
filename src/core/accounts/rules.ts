import { msOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { machine } from '../../kernel/transitions.ts';
import { texts } from '../../contract/errors.ts';
import type { AccountRow, OperatorRow } from '../database.ts';

/**
 * The life of a subscription. The owner of the service can suspend an account and admit it again. Its last day ends it,
 * and a later last day restores its earlier state: a suspended account remains suspended.
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

/** Returns the state of a subscription at a moment. The last day alone ends it, so no job has to run then. */
export function subscriptionAt({ subscription, expires_at }: Term, now: number): Subscription {
  // A text that is not a date counts as past, too.
  const runs = expires_at === null || msOf(expires_at) > now;
  return runs ? subscription : 'expired';
}

/** A change that the owner of the service makes to an account. Fields that are left out stay. */
export interface TermChange {
  suspended?: boolean | undefined;
  /** null: no end. */
  expires_at?: string | null | undefined;
}

/** Returns a subscription after a change by the owner. A subscription is ended only by its last day. */
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
 * Admits only states that are listed, so an unforeseen state is refused.
 * @throws ApiError 420 for an account whose subscription, state or edition does not allow the API now
 */
export function requireUsable(account: Term & Pick<AccountRow, 'edition'>, now: number): void {
  const subscription = subscriptionAt(account, now);
  if (subscription === 'expired') throw new ApiError(420, texts.subscriptionExpired);
  if (subscription !== 'active') throw new ApiError(420, texts.accountSuspended);
  if (account.edition !== 'pro') throw new ApiError(420, texts.basicEdition);
}

/** Returns true for a person who sees every property of the account. A kind that nobody knows sees none. */
export function seesAll({ kind, all_properties }: Pick<OperatorRow, 'kind' | 'all_properties'>): boolean {
  return kind === 'master' || (kind === 'sub' && all_properties === 1);
}
