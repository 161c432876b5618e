import { instantOf, msOf } from '../../kernel/dates.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { requireUsable } from '../accounts/rules.ts';
import { operatorProperties } from '../accounts/subAccounts.ts';
import type { Authenticated } from '../accounts/authenticate.ts';
import type { Core } from '../context.ts';
import type { CoreTransaction, LoginRow } from '../database.ts';
import { deleteSession, findSession, saveSession, touchSession } from './table.ts';

const SESSION_BYTES = 32;
const HOUR_MS = 3_600_000;
/** A session that was not used for so long is over. */
const IDLE_MS = 12 * HOUR_MS;
/** However much it is used, it is over after so long. */
export const SESSION_MS = 7 * 24 * HOUR_MS;
/** Its use is noted this often. */
const NOTE_MS = 5 * 60_000;

/** Starts a session. @returns what the cookie holds; kept nowhere else */
export async function startSession(
  trx: CoreTransaction,
  core: Core,
  { account_id, operator_id }: Pick<LoginRow, 'account_id' | 'operator_id'>,
): Promise<string> {
  const secret = core.random.bytes(SESSION_BYTES).toString('base64url');
  const now = core.clock.now();
  const [created_at, expires_at] = [instantOf(now), instantOf(now + SESSION_MS)];
  await saveSession(trx, {
    account_id,
    operator_id,
    hash: sha256Hex(secret),
    created_at,
    seen_at: created_at,
    expires_at,
  });
  return secret;
}

/**
 * Who is behind a session's cookie; undefined when it is unknown, was ended, or is over.
 * @throws ApiError 420 for an account that may not use the service now: a session opens no more than a token
 */
export async function sessionHolder(core: Core, secret: string): Promise<Authenticated | undefined> {
  const { db } = core.store;
  const hash = sha256Hex(secret);
  const found = await findSession(db, hash);
  const now = core.clock.now();
  const isLive = found !== undefined && msOf(found.ends_at) > now && msOf(found.seen_at) + IDLE_MS > now;
  if (!isLive) return undefined;
  const { seen_at, ends_at: _, operator_id: id, operator_name: name, operator_kind: kind, ...account } = found;
  requireUsable(account, now);
  if (msOf(seen_at) + NOTE_MS <= now) await touchSession(db, hash, instantOf(now));
  const visible = kind === 'master' ? null : await operatorProperties(db, account.account_id, id);
  return { account, operator: { id, name, kind }, visible, scope: 'write', token: null };
}

/** Ends a session at once; one that is unknown already has. */
export function endSession({ store }: Core, secret: string): Promise<void> {
  return deleteSession(store.db, sha256Hex(secret));
}
