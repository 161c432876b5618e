import { instantOf, msOf } from '../../kernel/dates.ts';
import type { Role } from '../../kernel/roles.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { requireUsable } from '../accounts/rules.ts';
import { operatorProperties } from '../accounts/subAccounts.ts';
import type { Authenticated } from '../accounts/authenticate.ts';
import type { Core } from '../context.ts';
import type { CoreTransaction, LoginRow } from '../database.ts';
import { deleteSession, findSession, saveSession, touchSession } from './table.ts';

const SESSION_BYTES = 32;
const HOUR_MS = 3_600_000;
/** Milliseconds without use after which a session ends. */
const IDLE_MS = 12 * HOUR_MS;
/** Milliseconds after which a session ends, however much it is used. */
export const SESSION_MS = 7 * 24 * HOUR_MS;
/** Milliseconds between two records of a session's use. */
const NOTE_MS = 5 * 60_000;

/** Starts a session. @returns the value of the cookie, which is stored nowhere else */
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

/** A person who is signed in. */
export interface SignedIn extends Authenticated {
  readonly role: Role;
}

/**
 * Returns the person behind a session's cookie; undefined when the session is unknown or has ended.
 * @throws ApiError 420 for an account that may not use the service now: a session permits no more than a token
 */
export async function sessionHolder(core: Core, secret: string): Promise<SignedIn | undefined> {
  const { db } = core.store;
  const hash = sha256Hex(secret);
  const found = await findSession(db, hash);
  const now = core.clock.now();
  const isLive = found !== undefined && msOf(found.ends_at) > now && msOf(found.seen_at) + IDLE_MS > now;
  if (!isLive) return undefined;
  const { seen_at, ends_at: _, role, all_properties, ...rest } = found;
  const { operator_id: id, operator_name: name, operator_kind: kind, ...account } = rest;
  requireUsable(account, now);
  if (msOf(seen_at) + NOTE_MS <= now) await touchSession(db, hash, instantOf(now));
  const visible = all_properties === 1 ? null : await operatorProperties(db, account.account_id, id);
  return { account, operator: { id, name, kind, entrance: 'portal' }, visible, scope: 'write', token: null, role };
}

/** Ends a session at once. An unknown session has ended already. */
export function endSession({ store }: Core, secret: string): Promise<void> {
  return deleteSession(store.db, sha256Hex(secret));
}
