import { texts } from '../contract/errors.ts';
import type { Core, CoreDb, CoreTransaction } from '../core/accounts/ground.ts';
import type { AccountId } from '../kernel/ids.ts';
import { windowStart } from '../kernel/limits/windows.ts';
import { OAuthFailure } from './failure.ts';
import { deleteFailuresBefore } from './retentionTable.ts';
import { addFailure, failuresIn } from './table.ts';

const WINDOW_SECONDS = 600;
/** Most wrong secrets of a client, or wrong verifiers of it in one account, that are answered as such in a window. */
const MOST_FAILURES = 10;

/** The key by which guesses are counted. */
type Guarded = string & { readonly guarded: true };

/** Returns the key for guesses of a client's secret. Anyone who knows the client_id can make them. */
export function secretsOf(clientId: string): Guarded {
  return clientId as Guarded;
}

/**
 * Returns the key for guesses of a verifier. A guesser holds a code and so acts within an account. Its guesses must not
 * lock the application out of all other accounts, which may share a public one.
 */
export function verifiersOf({ client_id, account_id }: { client_id: string; account_id: AccountId }): Guarded {
  return `${client_id} ${account_id}` as Guarded;
}

/**
 * Refuses all requests of a client, or of a client in an account, after too many guesses, right ones too, until the
 * window ends. @throws OAuthFailure 429
 */
export async function requireOpen(db: CoreDb | CoreTransaction, guarded: Guarded, nowMs: number): Promise<void> {
  const failures = await failuresIn(db, guarded, windowStart(WINDOW_SECONDS, nowMs));
  if (failures > MOST_FAILURES) throw tooMany(nowMs);
}

/**
 * Counts a wrong secret or verifier. It counts only those of existing applications, and none that an outsider can send
 * without holding anything: invalid codes lock out no application. @throws OAuthFailure 429 for one too many
 */
export async function countFailure(db: CoreDb, guarded: Guarded, nowMs: number): Promise<void> {
  const failures = await addFailure(db, guarded, windowStart(WINDOW_SECONDS, nowMs));
  if (failures > MOST_FAILURES) throw tooMany(nowMs);
}

/** Deletes the counts of past windows. */
export async function forgetFailures({ store, clock }: Pick<Core, 'store' | 'clock'>): Promise<void> {
  await store.transaction((trx) => deleteFailuresBefore(trx, windowStart(WINDOW_SECONDS, clock.now())));
}

function tooMany(nowMs: number): OAuthFailure {
  const end = windowStart(WINDOW_SECONDS, nowMs) + WINDOW_SECONDS;
  const retryAfter = Math.max(1, Math.ceil(end - nowMs / 1_000));
  return new OAuthFailure('temporarily_unavailable', texts.tooManyAttempts, { retryAfter });
}
