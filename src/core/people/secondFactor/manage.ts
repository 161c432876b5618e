import { z } from 'zod';
import { instantOf } from '../../../kernel/dates.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import { readableCode } from '../../../kernel/ids.ts';
import type { Reseal } from '../../../kernel/seal.ts';
import { nextIds } from '../../../store/leases/sequences.ts';
import type { Authenticated } from '../../accounts/authenticate.ts';
import { runChange } from '../../change.ts';
import type { Core } from '../../context.ts';
import type { CoreDb, CoreTransaction } from '../../database.ts';
import { loginOf } from '../table.ts';
import { hasPasskeys, registrationOptions, type Site, verifyRegistration } from './passkeys.ts';
import { recoveryHash, secretContext } from './steps.ts';
import {
  countRecoveryCodes,
  deleteFactor,
  deleteFactors,
  factorsOf,
  type Person,
  saveFactor,
  saveRecoveryCodes,
  sealedSecrets,
  setSecret,
} from './table.ts';
import { authenticatorAddress, base32, stepOfCode } from './totp.ts';

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_CHARACTERS = 16;
const MOST_FACTORS = 10;
/** Milliseconds to set up a factor. */
const OFFER_MS = 15 * 60_000;
const OFFER_CONTEXT = 'second factor offer';

const offerSchema = z.object({
  kind: z.enum(['totp', 'passkey']),
  account: z.string(),
  operator: z.number(),
  at: z.number(),
  secret: z.string(),
});
type Offer = z.output<typeof offerSchema>;

function personOf({ account, operator }: Authenticated): Person {
  return { account_id: account.account_id, operator_id: operator.id };
}

/** Lists the second factors of a person, and how many recovery codes are left, beside their login. */
export async function listFactors(core: Core, who: Authenticated) {
  const person = personOf(who);
  const rows = await factorsOf(core.store.db, person);
  const factors = rows.map(({ id, kind, name, created_at, last_used_at }) => {
    return { id, kind, name, created_at, last_used_at };
  });
  const login = (await loginOf(core.store.db, person))?.login ?? null;
  return { factors, recovery_codes: await countRecoveryCodes(core.store.db, person), login };
}

/**
 * Offers an authenticator's secret. Nothing is stored before a code of it has come back: the offer is sealed.
 * @returns the secret as people type it, its address for a picture, and the sealed offer
 */
export async function offerAuthenticator(core: Core, who: Authenticated) {
  const secret = core.random.bytes(SECRET_BYTES);
  const login = await loginOf(core.store.db, personOf(who));
  const offer = sealOffer(core, who, { kind: 'totp', secret: secret.toString('base64url') });
  return { secret: base32(secret), address: authenticatorAddress(secret, login?.login ?? who.operator.name), offer };
}

/** Offers a passkey. @throws ApiError 422 where the site has only a bare address */
export async function offerPasskey(core: Core, who: Authenticated, site: Site) {
  if (!hasPasskeys(site)) {
    throw invalid('passkey', 'browsers know no passkeys for bare addresses; open the console by its name');
  }
  const known = await factorsOf(core.store.db, personOf(who));
  const login = await loginOf(core.store.db, personOf(who));
  const { account, operator } = who;
  const options = await registrationOptions(site, {
    login: login?.login ?? operator.name,
    name: operator.name,
    userId: `${account.account_id}:${operator.id}`,
    known,
  });
  return { options, offer: sealOffer(core, who, { kind: 'passkey', secret: options.challenge }) };
}

/**
 * Adds a factor that was offered. With the first one, recovery codes are made.
 * @returns the recovery codes, which are shown once; none if there were factors before
 * @throws ApiError 422 for a wrong code, or an offer that ran out
 */
export async function addFactor(
  core: Core,
  who: Authenticated,
  given: { name: string; offer: string; code?: string | undefined; passkey?: string | undefined; site: Site },
): Promise<{ id: number; recovery_codes: string[] }> {
  const { kind, secret } = openOffer(core, who, given.offer);
  const now = core.clock.now();
  const details =
    kind === 'totp'
      ? { last_step: requireCode(Buffer.from(secret, 'base64url'), given.code ?? '', now) }
      : await verifyRegistration(given.site, secret, given.passkey ?? '');
  const person = personOf(who);
  return runChange(core, who, async ({ trx, audit }) => {
    const known = await factorsOf(trx, person);
    if (known.length >= MOST_FACTORS) throw invalid('name', `there are ${MOST_FACTORS} already; remove one first`);
    const id = await nextIds(trx, 'second_factors');
    const sealed =
      kind === 'totp' ? core.sealer.seal(secret, secretContext({ account_id: person.account_id, id })) : null;
    const empty = { credential_id: null, public_key: null, counter: null, transports: null, last_step: null };
    const times = { created_at: instantOf(now), last_used_at: null };
    await saveFactor(trx, { ...person, id, kind, name: given.name, secret: sealed, ...empty, ...details, ...times });
    audit('add second factor', `operator:${person.operator_id}`, { after: { kind, name: given.name } });
    const codes = known.length === 0 ? await newCodes(trx, core, person) : [];
    return { id, recovery_codes: codes };
  });
}

/** Removes a factor; with the last one, the recovery codes too. @throws ApiError 404 */
export function removeFactor(core: Core, who: Authenticated, id: number): Promise<void> {
  const person = personOf(who);
  return runChange(core, who, async ({ trx, audit }) => {
    const name = await deleteFactor(trx, person, id);
    if (name === undefined) throw new ApiError(404, `id: there is no second factor ${id}`, { field: 'id' });
    if ((await factorsOf(trx, person)).length === 0) await saveRecoveryCodes(trx, person, [], '');
    audit('remove second factor', `operator:${person.operator_id}`, { before: { name } });
  });
}

/** Makes new recovery codes; those of before are worthless from then on. @throws ApiError 422 without a factor */
export function renewRecoveryCodes(core: Core, who: Authenticated): Promise<string[]> {
  const person = personOf(who);
  return runChange(core, who, async ({ trx, audit }) => {
    if ((await factorsOf(trx, person)).length === 0) throw invalid('id', 'add a second factor first');
    audit('renew recovery codes', `operator:${person.operator_id}`);
    return newCodes(trx, core, person);
  });
}

/** Returns true if a person signs in with more than a password. */
export async function hasSecondFactor(db: CoreDb, person: Person): Promise<boolean> {
  return (await factorsOf(db, person)).length > 0;
}

/** Removes every factor and recovery code of a person, who has lost them or may not come in any longer. */
export function removeFactors(trx: CoreTransaction, person: Person): Promise<void> {
  return deleteFactors(trx, person);
}

/** Seals the secrets of authenticators again. @returns how many */
export async function resealFactors(trx: CoreTransaction, reseal: Reseal): Promise<number> {
  const rows = await sealedSecrets(trx);
  for (const row of rows) if (row.secret !== null) await setSecret(trx, row, reseal(row.secret, secretContext(row)));
  return rows.length;
}

async function newCodes(trx: CoreTransaction, core: Core, person: Person): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => readableCode(core.random, RECOVERY_CHARACTERS));
  const hashes = codes.map((code) => recoveryHash(code) ?? '');
  await saveRecoveryCodes(trx, person, hashes, instantOf(core.clock.now()));
  return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code);
}

function sealOffer(core: Core, { account, operator }: Authenticated, offer: Pick<Offer, 'kind' | 'secret'>): string {
  const whole: Offer = { ...offer, account: account.account_id, operator: operator.id, at: core.clock.now() };
  return core.sealer.seal(JSON.stringify(whole), OFFER_CONTEXT);
}

function openOffer(core: Core, { account, operator }: Authenticated, sealed: string): Offer {
  const over = invalid('offer', 'ran out; begin again');
  let offer: Offer;
  try {
    offer = offerSchema.parse(JSON.parse(core.sealer.open(sealed, OFFER_CONTEXT)));
  } catch {
    throw over;
  }
  const isOurs = offer.account === account.account_id && offer.operator === operator.id;
  if (!isOurs || offer.at + OFFER_MS <= core.clock.now()) throw over;
  return offer;
}

function requireCode(secret: Buffer, code: string, now: number): number {
  const step = stepOfCode(secret, code, now, null);
  if (step === undefined) throw invalid('code', 'is not the one that the authenticator shows now');
  return step;
}
