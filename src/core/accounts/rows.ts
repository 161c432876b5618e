import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Currency } from '../../kernel/money.ts';
import type { Flag } from '../flag.ts';

export interface AccountRow {
  account_id: AccountId;
  name: string;
  time_zone: string;
  currency: Currency;
  subscription: 'active' | 'expired' | 'suspended';
  edition: 'pro' | 'basic';
  property_quota: number;
  created_at: Instant;
  /** When the subscription ends by itself; null: it does not. */
  expires_at: Instant | null;
  /** Why planned actions are not carried out; null: they are. */
  automations_held: string | null;
  /** When a backup was brought back, the last time; what was done before it may be forgotten. */
  restored_at: Instant | null;
}

export interface OperatorRow {
  account_id: AccountId;
  id: number;
  name: string;
  kind: 'master' | 'sub';
  created_at: Instant;
}

export interface TokenRow {
  account_id: AccountId;
  id: number;
  operator_id: number;
  name: string;
  scope: 'read' | 'write';
  /** SHA-256 of the token; the token itself is shown once and kept nowhere. */
  hash: string;
  /** Enough of the token to recognise it by: its first and last characters. */
  hint: string;
  created_at: Instant;
  revoked_at: Instant | null;
  /** When it ends by itself; null: it does not. */
  expires_at: Instant | null;
  /** The day in UTC on which it last opened something; null: it never did, or it was made before this was kept. */
  last_used_on: PlainDate | null;
  /** Requests that this token alone may make, on top of all other limits; null: no cap of its own. */
  per_minute: number | null;
  per_hour: number | null;
  /** 1: the service's own, by which the daemon reads the core beside it; no limit concerns it. */
  unlimited: Flag;
}

/** How one of an account's people signs in. */
export interface LoginRow {
  account_id: AccountId;
  operator_id: number;
  /** What is typed, in lower case; unique in the whole service. */
  login: string;
  password_hash: string;
  changed_at: Instant;
}

/** A one-time secret by which a person chooses login and password. */
export interface InviteRow {
  account_id: AccountId;
  operator_id: number;
  /** SHA-256 of the secret. */
  hash: string;
  created_at: Instant;
  expires_at: Instant;
}

/** Tries to sign in, of one name or place or both, in the quarter of an hour that began at `window_start`. */
export interface SignInTriesRow {
  /** A hash: what is typed may be somebody's password in the wrong field. */
  subject: string;
  /** Epoch seconds. */
  window_start: number;
  tries: number;
}

/** A browser that has signed in. */
export interface SessionRow {
  account_id: AccountId;
  /** SHA-256 of what the cookie holds. */
  hash: string;
  operator_id: number;
  created_at: Instant;
  seen_at: Instant;
  expires_at: Instant;
}

/** The tables of accounts, of their people, and of how both prove who they are. */
export interface AccountTables {
  accounts: AccountRow;
  operators: OperatorRow;
  operator_properties: { account_id: AccountId; operator_id: number; property_id: number };
  tokens: TokenRow;
  logins: LoginRow;
  invites: InviteRow;
  sessions: SessionRow;
  sign_in_tries: SignInTriesRow;
}
