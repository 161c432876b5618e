import { instantOf, msOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { readableCode } from '../../kernel/ids.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { isUniqueViolation } from '../../store/queries/uniqueViolation.ts';
import { accountById, mainOperator, requireOperator } from '../accounts/subAccounts.ts';
import type { Authenticated } from '../accounts/authenticate.ts';
import { endTokensOf } from '../accounts/endToken.ts';
import { requireUsable } from '../accounts/rules.ts';
import { noteDown } from '../audit/record.ts';
import { runChange } from '../change.ts';
import type { Core, Principal } from '../context.ts';
import type { AccountRow, LoginRow } from '../database.ts';
import { requireGoodPassword } from './passwords.ts';
import { hasSecondFactor, removeFactors } from './secondFactor/manage.ts';
import { beginStep, endStep } from './secondFactor/steps.ts';
import { startSession } from './sessions.ts';
import {
  deleteSessionsOf,
  deleteWaysIn,
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
const NEEDS_CODE =
  'code: a second factor is needed: give the code that your authenticator shows, or a recovery code; with a passkey, sign in at the console first';

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
      // An invite is for who has lost the way in, the second factor included.
      await removeFactors(trx, { account_id, operator_id });
      audit('set password', `operator:${operator_id}`);
      return startSession(trx, core, found);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError(409, 'login: is taken', { field: 'login', cause: error });
    throw error;
  }
}

/** How far a sign-in with login and password led: to a session, or to the second step. */
export interface SignInOutcome {
  readonly kind: 'session' | 'step';
  /** The value of the cookie for it. */
  readonly secret: string;
}

interface Entering extends Credentials, Origin {
  /** What the browser says of itself. */
  readonly agent?: string | undefined;
}

/**
 * Signs a person in; one with a second factor gets as far as its step.
 * @throws ApiError 401 when login or password is wrong, 429 after too many wrong attempts
 */
export async function signIn(core: Core, { login, password, agent, ...origin }: Entering): Promise<SignInOutcome> {
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
  if (await hasSecondFactor(core.store.db, found)) {
    const { account_id, operator_id } = found;
    return { kind: 'step', secret: await beginStep(core, { account_id, operator_id }) };
  }
  const secret = await runChange(core, { account, operator: null }, ({ trx, audit }) => {
    audit('sign in', `operator:${found.operator_id}`, { after: { from: origin.address } });
    return startSession(trx, core, { ...found, agent, address: origin.address });
  });
  return { kind: 'session', secret };
}

/**
 * Signs a person in by one form, where the code of an authenticator or for recovery may stand beside the password.
 * @returns the value of the session's cookie
 * @throws ApiError as {@link signIn} and {@link endStep}, and 401 if a code is needed
 */
export async function signInAtOnce(
  core: Core,
  { code, ...given }: Entering & { code?: string | undefined },
): Promise<string> {
  const { kind, secret } = await signIn(core, given);
  if (kind === 'session') return secret;
  if (code === undefined || code === '') throw new ApiError(401, NEEDS_CODE, { field: 'code' });
  const { login: _, password: __, ...rest } = given;
  // Codes belong to no site.
  return endStep(core, secret, { ...rest, code, site: { origin: 'https://localhost' } });
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

/**
 * Takes a person's access away at once: login, invite, second factors, sessions and tokens. What they did stays recorded
 * under their name. @throws ApiError 404 for a number that is no sub-account's
 */
export function takeAccess(
  core: Core,
  who: { account: AccountRow; operator: Principal['operator'] | null },
  id: number,
): Promise<void> {
  const { account } = who;
  return runChange(core, who, async ({ trx, now, audit }) => {
    const { kind, name } = await requireOperator(trx, account, id);
    if (kind !== 'sub') throw new ApiError(404, `id: there is no sub-account ${id}`, { field: 'id' });
    const person = { account_id: account.account_id, operator_id: id };
    await removeFactors(trx, person);
    await deleteWaysIn(trx, person);
    const tokens = await endTokensOf(trx, { accountId: account.account_id, operatorId: id, at: instantOf(now) });
    audit('take access', `operator:${id}`, { before: { name, tokens } });
  });
}
