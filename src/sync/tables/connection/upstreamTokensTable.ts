import type { Instant } from '../../../kernel/dates.ts';

/** What a connection reads by, where that is OAuth. */
export interface UpstreamTokensTable {
  connection: string;
  /** SHA-256 of the refresh token that the configuration gives: another one begins anew. */
  given_hash: string;
  /** Sealed; the newest. */
  refresh_token: string;
  /** Sealed. */
  access_token: string | null;
  given_at: Instant | null;
  expires_at: Instant | null;
  /** Why upstream gives no more tokens; null: it does. */
  refused: string | null;
  refused_at: Instant | null;
  /** Who is refreshing, and until when (epoch milliseconds) nobody else may. */
  leased_by: string | null;
  leased_until: number;
  changed_at: Instant;
}
