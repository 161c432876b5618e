import type { Instant } from '../../../kernel/dates.ts';

/** The OAuth tokens that a connection reads with, if it uses OAuth. */
export interface UpstreamTokensTable {
  connection: string;
  /** SHA-256 of the refresh token in the configuration. A different one starts over. */
  given_hash: string;
  /** Sealed; the newest. */
  refresh_token: string;
  /** Sealed. */
  access_token: string | null;
  given_at: Instant | null;
  expires_at: Instant | null;
  /** The reason why upstream issues no more tokens; null: it does. */
  refused: string | null;
  refused_at: Instant | null;
  /** The process that refreshes; no other may until `leased_until` (epoch milliseconds). */
  leased_by: string | null;
  leased_until: number;
  changed_at: Instant;
}
