import { type Instant, instantOf, msOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Role } from '../../kernel/roles.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { requireUsable, seesAll } from '../accounts/rules.ts';
import { operatorProperties } from '../accounts/subAccounts.ts';
import type { Authenticated } from '../accounts/authenticate.ts';
import { runChange } from '../change.ts';
import type { Core } from '../context.ts';
import type { CoreTransaction, LoginRow } from '../database.ts';
import { deleteSession, findSession, saveSession, sessionsOf, touchSession } from './table.ts';

const SESSION_BYTES = 32;
const HOUR_MS = 3_600_000;
/** Milliseconds without use after which a session ends. */
const IDLE_MS = 12 * HOUR_MS;
/** Milliseconds after which a session ends, however much it is used. */
export const SESSION_MS = 7 * 24 * HOUR_MS;
const AGENT_CHARACTERS = 300;
/** Milliseconds between two records of a session's use. */
const NOTE_MS = 5 * 60_000;

/** The person, and where their browser is. */
interface NewSession extends Pick<LoginRow, 'account_id' | 'operator_id'> {
  readonly agent?: string | null | undefined;
  readonly address?: string | null | undefined;
}

/** Starts a session. @returns the value of the cookie, which is stored nowhere else */
export async function startSession(
  trx: CoreTransaction,
  core: Core,
  { account_id, operator_id, agent = null, address = null }: NewSession,
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
    agent: agent?.slice(0, AGENT_CHARACTERS) ?? null,
    address,
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
  const visible = seesAll({ kind, all_properties }) ? null : await operatorProperties(db, account.account_id, id);
  return { account, operator: { id, name, kind, entrance: 'portal' }, visible, scope: 'write', token: null, role };
}

/** Ends a session at once. An unknown session has ended already. */
export function endSession({ store }: Core, secret: string): Promise<void> {
  return deleteSession(store.db, sha256Hex(secret));
}

/** A signed-in browser, as its person sees it. */
interface ListedSession {
  /** Names it among the person's own; reveals nothing of its secret. */
  readonly id: string;
  readonly created_at: Instant;
  readonly seen_at: Instant;
  readonly agent: string | null;
  readonly address: string | null;
}

/** Characters of a hash that name a session. */
const ID_CHARACTERS = 16;

/** Returns the id of the session with this cookie. */
export function sessionId(secret: string): string {
  return sha256Hex(secret).slice(0, ID_CHARACTERS);
}

/** Lists the live sessions of a person, the newest use first. */
export async function listSessions(core: Core, who: Authenticated): Promise<ListedSession[]> {
  const now = core.clock.now();
  const rows = await sessionsOf(core.store.db, { account_id: who.account.account_id, operator_id: who.operator.id });
  return rows
    .filter(({ expires_at, seen_at }) => msOf(expires_at) > now && msOf(seen_at) + IDLE_MS > now)
    .map(({ hash, created_at, seen_at, agent, address }) => {
      return { id: hash.slice(0, ID_CHARACTERS), created_at, seen_at, agent, address };
    });
}

/** Ends one of the person's sessions. @throws ApiError 404 if there is none of that id */
export async function endSessionOf(core: Core, who: Authenticated, id: string): Promise<void> {
  await runChange(core, who, async ({ trx, audit }) => {
    const person = { account_id: who.account.account_id, operator_id: who.operator.id };
    const rows = await sessionsOf(trx, person);
    const found = rows.find(({ hash }) => hash.startsWith(id) && id.length === ID_CHARACTERS);
    if (!found) throw new ApiError(404, 'id: this session has ended already', { field: 'id' });
    await deleteSession(trx, found.hash);
    audit('end session', `operator:${who.operator.id}`);
  });
}
