import { instantOf, msOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { readableCode } from '../../kernel/ids.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { isUniqueViolation } from '../../store/queries/uniqueViolation.ts';
import { accountById, mainOperator, requireOperator } from '../accounts/subAccounts.ts';
import type { Authenticated } from '../accounts/authenticate.ts';
import { requireUsable } from '../accounts/rules.ts';
import { noteDown } from '../audit/record.ts';
import { runChange } from '../change.ts';
import type { Core } from '../context.ts';
import type { AccountRow, LoginRow } from '../database.ts';
import { requireGoodPassword } from './passwords.ts';
import { startSession } from './sessions.ts';
import {
  deleteSessionsOf,
  findInvite,
  findLogin,
  hasLiveInvite,
  hasLogins,
  loginOf,
  saveInvite,
  saveLogin,
  takeInvite,
} from './table.ts';
import { countTry, type Origin } from './throttle.ts';

const DAY_MS = 86_400_000;
const INVITE_MS = 7 * DAY_MS;
/** Characters of an invite: 140 bits, in groups that can be read aloud. */
const INVITE_CHARACTERS = 28;

const WRONG = 'Login or password is wrong.';

/** Creates a one-time secret with which a person of the account chooses login and password. An earlier secret ends. */
export async function invite(
  core: Core,
  account: AccountRow,
  operatorId?: number,
): Promise<{ secret: string; operator_id: number; expires_at: string }> {
  const code = readableCode(core.random, INVITE_CHARACTERS);
  const now = core.clock.now();
  const expires_at = instantOf(now + INVITE_MS);
  const { account_id } = account;
  return runChange(core, { account, operator: null }, async ({ trx, audit }) => {
    const { id } =
      operatorId === undefined ? await mainOperator(trx, account_id) : await requireOperator(trx, account, operatorId);
    const row = { account_id, operator_id: id, hash: sha256Hex(code), created_at: instantOf(now), expires_at };
    await saveInvite(trx, row);
    audit('invite', `operator:${id}`);
    return { secret: code.match(/.{4}/g)?.join('-') ?? code, operator_id: id, expires_at };
  });
}

/** Returns the secret of a first run, made while the service has no login and no live invite. */
export async function firstInvite(core: Core, account: AccountRow): Promise<string | undefined> {
  const { db } = core.store;
  if ((await hasLogins(db)) || (await hasLiveInvite(db, instantOf(core.clock.now())))) return undefined;
  return (await invite(core, account)).secret;
}

interface Credentials {
  login: string;
  password: string;
}

/**
 * Accepts an invite: sets login and password, ends the person's sessions and starts a new one.
 * @returns the value of the cookie
 * @throws ApiError 401 for a secret that is unknown, used or expired; 409 for a login that is taken
 */
export async function acceptInvite(
  core: Core,
  { secret, login, password }: Credentials & { secret: string },
): Promise<string> {
  const hash = sha256Hex(secret.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''));
  const found = await findInvite(core.store.db, hash);
  if (!found || msOf(found.expires_at) <= core.clock.now()) throw new ApiError(401, 'This invite is not valid.');
  const name = tidyLogin(login);
  await requireGoodPassword(password, name);
  const { account_id, operator_id } = found;
  const account = await accountById(core.store.db, account_id);
  requireUsable(account, core.clock.now());
  const password_hash = await core.passwords.hash(password);
  try {
    return await runChange(core, { account, operator: null }, async ({ trx, now, audit }) => {
      if (!(await takeInvite(trx, hash))) throw new ApiError(401, 'This invite is not valid.');
      await saveLogin(trx, { account_id, operator_id, login: name, password_hash, changed_at: instantOf(now) });
      await deleteSessionsOf(trx, account_id, operator_id);
      audit('set password', `operator:${operator_id}`);
      return startSession(trx, core, found);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError(409, 'login: is taken', { field: 'login', cause: error });
    throw error;
  }
}

/**
 * Signs a person in. @returns the value of the cookie
 * @throws ApiError 401 when login or password is wrong, 429 after too many wrong attempts
 */
export async function signIn(core: Core, { login, password, ...origin }: Credentials & Origin): Promise<string> {
  const name = tidyLogin(login);
  const wasRight = await countTry(core, name, origin);
  const found = await findLogin(core.store.db, name);
  const right = await core.passwords.matches(password, found?.password_hash);
  if (!found || !right) {
    if (found) await noteFailure(core, found, origin);
    throw new ApiError(401, WRONG);
  }
  await wasRight();
  const account = await accountById(core.store.db, found.account_id);
  requireUsable(account, core.clock.now());
  return runChange(core, { account, operator: null }, ({ trx, audit }) => {
    audit('sign in', `operator:${found.operator_id}`, { after: { from: origin.address } });
    return startSession(trx, core, found);
  });
}

/**
 * Changes the password of the signed-in person. Every session ends, and a new one begins.
 * @returns the value of the cookie
 */
export async function changePassword(
  core: Core,
  who: Authenticated,
  { old, password, ...origin }: { old: string; password: string } & Origin,
): Promise<string> {
  const person = { account_id: who.account.account_id, operator_id: who.operator.id };
  const found: LoginRow | undefined = await loginOf(core.store.db, person);
  if (!found) throw new ApiError(401, WRONG);
  const wasRight = await countTry(core, found.login, origin);
  if (!(await core.passwords.matches(old, found.password_hash))) {
    await noteFailure(core, found, origin);
    throw new ApiError(401, WRONG);
  }
  await wasRight();
  await requireGoodPassword(password, found.login);
  const password_hash = await core.passwords.hash(password);
  return runChange(core, who, async ({ trx, now, audit }) => {
    await saveLogin(trx, { ...found, password_hash, changed_at: instantOf(now) });
    await deleteSessionsOf(trx, person.account_id, person.operator_id);
    audit('set password', `operator:${person.operator_id}`);
    return startSession(trx, core, person);
  });
}

/**
 * Records a failed attempt of a known login. An unknown login is not recorded: it may be a password in the wrong field.
 */
async function noteFailure(core: Core, { account_id, operator_id }: LoginRow, { address }: Origin): Promise<void> {
  const actor = { account: { account_id }, operator: null };
  const values = { after: { from: address } };
  await noteDown(core, actor, { action: 'sign in failed', subject: `operator:${operator_id}`, values });
}

function tidyLogin(login: string): string {
  return login.trim().normalize('NFKC').toLowerCase();
}
