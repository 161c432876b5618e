import { texts } from '../contract/errors.ts';
import type { Core, CoreDb, CoreTransaction } from '../core/accounts/ground.ts';
import type { AccountId } from '../kernel/ids.ts';
import { windowStart } from '../kernel/windows.ts';
import { OAuthFailure } from './failure.ts';
import { deleteFailuresBefore } from './retentionTable.ts';
import { addFailure, failuresIn } from './table.ts';

const WINDOW_SECONDS = 600;
/** So many wrong secrets of a client, or wrong verifiers of it in one account, are answered as such in a window. */
const MOST_FAILURES = 10;

/** What guesses are counted by. */
export type Guarded = string & { readonly guarded: true };

/** Secrets are guessed by whoever knows the client_id, at the client itself. */
export function secretsOf(clientId: string): Guarded {
  return clientId as Guarded;
}

/**
 * A verifier is guessed by somebody who holds a code, and so is within an account: what goes on there must not shut the
 * application out of all others, who may share a public one.
 */
export function verifiersOf({ client_id, account_id }: { client_id: string; account_id: AccountId }): Guarded {
  return `${client_id} ${account_id}` as Guarded;
}

/**
 * Refuses everything of a client, or of it in an account, where was guessed too often, right ones too, until the window
 * ends. @throws OAuthFailure 429
 */
export async function requireOpen(db: CoreDb | CoreTransaction, guarded: Guarded, nowMs: number): Promise<void> {
  const failures = await failuresIn(db, guarded, windowStart(WINDOW_SECONDS, nowMs));
  if (failures > MOST_FAILURES) throw tooMany(nowMs);
}

/**
 * Counts a wrong secret or verifier. Only those of applications that exist are counted, and none that an outsider can
 * send without holding anything: junk codes lock nobody out. @throws OAuthFailure 429 for one too many
 */
export async function countFailure(db: CoreDb, guarded: Guarded, nowMs: number): Promise<void> {
  const failures = await addFailure(db, guarded, windowStart(WINDOW_SECONDS, nowMs));
  if (failures > MOST_FAILURES) throw tooMany(nowMs);
}

/** Forgets what was counted in windows that are over. */
export async function forgetFailures({ store, clock }: Pick<Core, 'store' | 'clock'>): Promise<void> {
  await store.transaction((trx) => deleteFailuresBefore(trx, windowStart(WINDOW_SECONDS, clock.now())));
}

function tooMany(nowMs: number): OAuthFailure {
  const end = windowStart(WINDOW_SECONDS, nowMs) + WINDOW_SECONDS;
  const retryAfter = Math.max(1, Math.ceil(end - nowMs / 1_000));
  return new OAuthFailure('temporarily_unavailable', texts.tooManyAttempts, { retryAfter });
}
