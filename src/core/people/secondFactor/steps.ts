import { instantOf, msOf } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { sha256Hex } from '../../../kernel/signature.ts';
import { accountById } from '../../accounts/subAccounts.ts';
import { requireUsable } from '../../accounts/rules.ts';
import type { SecondFactorRow, SignInStepRow } from '../../accounts/rows.ts';
import { noteDown } from '../../audit/record.ts';
import { runChange } from '../../change.ts';
import type { Core } from '../../context.ts';
import type { CoreTransaction } from '../../database.ts';
import { startSession } from '../sessions.ts';
import { loginOf } from '../table.ts';
import { countTry, type Origin } from '../throttle.ts';
import { authenticationOptions, hasPasskeys, type Site, verifyAuthentication } from './passkeys.ts';
import {
  factorsOf,
  findStep,
  noteUse,
  type Person,
  saveStep,
  setChallenge,
  takeRecoveryCode,
  takeStep,
} from './table.ts';
import { stepOfCode } from './totp.ts';

const STEP_BYTES = 32;
/** Milliseconds between the password and the second factor. */
const STEP_MS = 5 * 60_000;

/** The sealing context of an authenticator's secret. */
export const secretContext = ({ account_id, id }: Pick<SecondFactorRow, 'account_id' | 'id'>) =>
  `second-factor:${account_id}:${id}`;

/** Begins the second step of a sign-in. @returns the secret of the step, for a cookie of a few minutes */
export async function beginStep(core: Core, person: Person): Promise<string> {
  const secret = core.random.bytes(STEP_BYTES).toString('base64url');
  const now = core.clock.now();
  const row = { ...person, hash: sha256Hex(secret), challenge: null, expires_at: instantOf(now + STEP_MS) };
  await core.store.transaction((trx) => saveStep(trx, row, instantOf(now)));
  return secret;
}

/** What a person can answer with at the second step. */
interface Choices {
  /** True if the person has an authenticator that shows codes. */
  readonly codes: boolean;
  /** The challenge for the passkeys, as browsers take it; undefined if there are none for this site. */
  readonly passkey: object | undefined;
}

/** Returns what a person can answer with. @throws ApiError 401 for a step that ran out */
export async function choicesOf(core: Core, secret: string, site: Site): Promise<Choices> {
  const step = await requireStep(core, secret);
  const factors = await factorsOf(core.store.db, step);
  const passkeys = factors.filter(({ kind }) => kind === 'passkey');
  const codes = factors.some(({ kind }) => kind === 'totp');
  if (passkeys.length === 0 || !hasPasskeys(site)) return { codes, passkey: undefined };
  const options = await authenticationOptions(site, passkeys);
  await setChallenge(core.store.db, step.hash, options.challenge);
  return { codes, passkey: options };
}

/** The answer to the second step: a code of an authenticator or for recovery, or a passkey's answer. */
export interface SecondAnswer {
  readonly code?: string | undefined;
  readonly passkey?: string | undefined;
}

/**
 * Ends the second step of a sign-in. @returns the value of the session's cookie
 * @throws ApiError 401 for a wrong answer or a step that ran out, 429 after too many wrong ones
 */
export async function endStep(
  core: Core,
  secret: string,
  { agent, site, ...given }: SecondAnswer & Origin & { site: Site; agent?: string | undefined },
): Promise<string> {
  const step = await requireStep(core, secret);
  const login = await loginOf(core.store.db, step);
  if (!login) throw stepOver();
  const { address, word } = given;
  const wasRight = await countTry(core, login.login, { address, word });
  const account = await accountById(core.store.db, step.account_id);
  requireUsable(account, core.clock.now());
  const accept = await acceptance(core, step, { ...given, site });
  if (!accept) {
    const actor = { account: { account_id: step.account_id }, operator: null };
    const values = { after: { from: address } };
    await noteDown(core, actor, { action: 'second factor failed', subject: `operator:${step.operator_id}`, values });
    throw new ApiError(401, 'code: is wrong, or was used before', { field: 'code' });
  }
  const session = await runChange(core, { account, operator: null }, async ({ trx, audit }) => {
    if (!(await takeStep(trx, step.hash))) throw stepOver();
    const by = await accept(trx);
    if (by === undefined) throw new ApiError(401, 'code: is wrong, or was used before', { field: 'code' });
    audit('sign in', `operator:${step.operator_id}`, { after: { from: address, by } });
    return startSession(trx, core, { ...step, agent, address });
  });
  await wasRight();
  return session;
}

/** Uses up an answer in the transaction of the sign-in. @returns by what; undefined if it was used meanwhile */
type Accept = (trx: CoreTransaction) => Promise<string | undefined>;

async function acceptance(
  core: Core,
  step: SignInStepRow,
  { code = '', passkey, site }: SecondAnswer & { site: Site },
): Promise<Accept | undefined> {
  const factors = await factorsOf(core.store.db, step);
  const last_used_at = instantOf(core.clock.now());
  if (passkey !== undefined) {
    if (step.challenge === null) return undefined;
    const { factor, counter } = await verifyAuthentication(site, factors, {
      challenge: step.challenge,
      answer: passkey,
    });
    return async (trx) => ((await noteUse(trx, factor, { counter, last_used_at })) ? factor.name : undefined);
  }
  for (const factor of factors) {
    if (factor.secret === null) continue;
    const opened = Buffer.from(core.sealer.open(factor.secret, secretContext(factor)), 'base64url');
    const last_step = stepOfCode(opened, code, core.clock.now(), factor.last_step);
    if (last_step === undefined) continue;
    return async (trx) => ((await noteUse(trx, factor, { last_step, last_used_at })) ? factor.name : undefined);
  }
  const hash = recoveryHash(code);
  return hash === undefined
    ? undefined
    : async (trx) => ((await takeRecoveryCode(trx, step, hash)) ? 'recovery code' : undefined);
}

/** Returns the stored form of a recovery code; undefined for what is none. */
export function recoveryHash(code: string): string | undefined {
  const plain = code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
  return plain.length < 10 ? undefined : sha256Hex(`recovery ${plain}`);
}

async function requireStep(core: Core, secret: string): Promise<SignInStepRow> {
  const step = await findStep(core.store.db, sha256Hex(secret));
  if (!step || msOf(step.expires_at) <= core.clock.now()) throw stepOver();
  return step;
}

function stepOver(): ApiError {
  return new ApiError(401, 'The sign-in took too long. Begin again with login and password.');
}
