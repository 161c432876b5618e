import type { Instant } from '../kernel/dates.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { Json } from './flag.ts';

/** An application that may ask people for access. */
export interface OAuthClientRow {
  /** Whose people it may ask; '': everybody's. */
  account_id: AccountId | '';
  client_id: string;
  name: string;
  /** confidential: proves itself by a secret · public: cannot keep one. */
  kind: 'confidential' | 'public';
  /** registered: by a person · dynamic: by itself · document: described at the address that is its client_id. */
  origin: 'registered' | 'dynamic' | 'document';
  /** SHA-256 of the secret. */
  secret_hash: string | null;
  secret_hint: string | null;
  /** Array of texts. */
  redirect_uris: Json;
  /** The most it may ask for. */
  scope: 'read' | 'write';
  created_at: Instant;
  /** From when on a document is read again. */
  stale_at: Instant | null;
}

/** What a person has allowed an application: the family that all tokens descend from. */
export interface OAuthGrantRow {
  account_id: AccountId;
  id: string;
  client_id: string;
  /** The person it acts for. */
  operator_id: number;
  scope: 'read' | 'write';
  /** What its tokens open, separated by blanks: v3, mcp. */
  audience: string;
  created_at: Instant;
  /** However often it is refreshed, it ends then. */
  expires_at: Instant;
  revoked_at: Instant | null;
  revoked_why: string | null;
}

/** An authorization code: good once, for a minute. */
export interface OAuthCodeRow {
  account_id: AccountId;
  hash: string;
  grant_id: string;
  /** As it stood in the request; null: the request left it out. */
  redirect_uri: string | null;
  /** S256. */
  code_challenge: string | null;
  expires_at: Instant;
  used_at: Instant | null;
}

export interface OAuthTokenRow {
  account_id: AccountId;
  hash: string;
  grant_id: string;
  kind: 'access' | 'refresh';
  /** Both can be less than the grant allows. */
  scope: 'read' | 'write';
  audience: string;
  created_at: Instant;
  expires_at: Instant;
  /** Of a refresh token: when it was exchanged for the next one. */
  used_at: Instant | null;
  revoked_at: Instant | null;
}

export interface OAuthTables {
  oauth_clients: OAuthClientRow;
  oauth_grants: OAuthGrantRow;
  oauth_codes: OAuthCodeRow;
  oauth_tokens: OAuthTokenRow;
  /** Wrong secrets and verifiers of a client in the window that began at `window_start` (epoch seconds). */
  oauth_failures: { client_id: string; window_start: number; failures: number };
}
