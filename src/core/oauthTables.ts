import type { Instant } from '../kernel/dates.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { Json } from './flag.ts';

/** An application that may ask people for access. */
export interface OAuthClientRow {
  /** Account whose people it may ask; '': those of every account. */
  account_id: AccountId | '';
  client_id: string;
  name: string;
  /** confidential: authenticates with a secret · public: cannot hold a secret. */
  kind: 'confidential' | 'public';
  /** registered: by a person · dynamic: by itself · document: described at the address that is its client_id. */
  origin: 'registered' | 'dynamic' | 'document';
  /** SHA-256 of the secret. */
  secret_hash: string | null;
  secret_hint: string | null;
  /** JSON array of texts. */
  redirect_uris: Json;
  /** The widest scope that it may ask for. */
  scope: 'read' | 'write';
  created_at: Instant;
  /** Moment after which a document is read again. */
  stale_at: Instant | null;
}

/** A person's permission for an application: the family of all its tokens. */
export interface OAuthGrantRow {
  account_id: AccountId;
  id: string;
  client_id: string;
  /** The person for whom the application acts. */
  operator_id: number;
  scope: 'read' | 'write';
  /** Audiences of its tokens, separated by spaces: v3, mcp. */
  audience: string;
  created_at: Instant;
  /** End of the grant, however often it is refreshed. */
  expires_at: Instant;
  revoked_at: Instant | null;
  revoked_why: string | null;
}

/** An authorization code, valid once and for a minute. */
export interface OAuthCodeRow {
  account_id: AccountId;
  hash: string;
  grant_id: string;
  /** The value of the request; null: the request left it out. */
  redirect_uri: string | null;
  /** Challenge by S256. */
  code_challenge: string | null;
  expires_at: Instant;
  used_at: Instant | null;
}

export interface OAuthTokenRow {
  account_id: AccountId;
  hash: string;
  grant_id: string;
  kind: 'access' | 'refresh';
  /** Scope and audience, which can be less than the grant allows. */
  scope: 'read' | 'write';
  audience: string;
  created_at: Instant;
  expires_at: Instant;
  /** For a refresh token: the time of its exchange for the next one. */
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
