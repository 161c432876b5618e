import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Authenticated } from '../../src/core/accounts/authenticate.ts';
import {
  addFactor,
  listFactors,
  offerAuthenticator,
  removeFactor,
  renewRecoveryCodes,
} from '../../src/core/people/secondFactor/manage.ts';
import { endStep } from '../../src/core/people/secondFactor/steps.ts';
import { base32, codeAt, stepOfCode } from '../../src/core/people/secondFactor/totp.ts';
import { endSessionOf, listSessions, sessionHolder, sessionId } from '../../src/core/people/sessions.ts';
import { acceptInvite, invite, signIn, signInAtOnce, takeAccess } from '../../src/core/people/signIn.ts';
import { createSubAccount } from '../../src/core/accounts/subAccounts.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { fromBase32 } from '../support/base32.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import type { StoreLocation } from '../../src/store/store.ts';

const LOGIN = 'ada';
const PASSWORD = 'seventeen quiet herons';
const SITE = { origin: 'http://localhost:8484' };
const STEP_MS = 30_000;
const refused = (code: number, words?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ApiError, String(error));
  assert.equal(error.code, code, error.message);
  if (words) assert.match(error.message, words);
  return true;
};

describe('codes of authenticators', () => {
  it('are those of RFC 6238', () => {
    const secret = Buffer.from('12345678901234567890');
    // The appendix of the RFC shows eight digits; these are the last six.
    const vectors: [seconds: number, code: string][] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ];
    for (const [seconds, code] of vectors) assert.equal(codeAt(secret, Math.floor(seconds / 30)), code);
  });

  it('are valid a step before and after, and only after the last one used', () => {
    const secret = Buffer.from('12345678901234567890');
    const step = 60_000_000;
    const now = step * STEP_MS;
    assert.equal(stepOfCode(secret, codeAt(secret, step), now, null), step);
    assert.equal(stepOfCode(secret, codeAt(secret, step - 1), now, null), step - 1);
    assert.equal(stepOfCode(secret, codeAt(secret, step + 1), now, null), step + 1);
    assert.equal(stepOfCode(secret, codeAt(secret, step - 2), now, null), undefined);
    assert.equal(stepOfCode(secret, codeAt(secret, step), now, step), undefined);
    assert.equal(stepOfCode(secret, '', now, null), undefined);
  });

  it('have their secret in base32, as RFC 4648 shows it', () => {
    const vectors = { f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB', foobar: 'MZXW6YTBOI' };
    for (const [text, encoded] of Object.entries(vectors)) assert.equal(base32(Buffer.from(text)), encoded);
  });
});

function cases(place: () => Promise<StoreLocation | undefined>): void {
  let test: TestCore;
  let who: Authenticated;
  let secret: Buffer;
  let recovery: string[];
  const enter = (code?: string) =>
    signInAtOnce(test.core, { login: LOGIN, password: PASSWORD, address: '127.0.0.1', code });
  const codeNow = () => codeAt(secret, Math.floor(test.core.clock.now() / STEP_MS));

  before(async () => {
    test = await startCore(await place());
    const { secret: code } = await invite(test.core, test.own.account);
    const session = await acceptInvite(test.core, { secret: code, login: LOGIN, password: PASSWORD });
    const holder = await sessionHolder(test.core, session);
    assert.ok(holder);
    assert.equal(holder.role, 'owner');
    who = holder;
  });
  after(() => test.close());

  it('an authenticator is added by a code that it shows, and recovery codes with the first one', async () => {
    const { secret: shown, offer } = await offerAuthenticator(test.core, who);
    secret = fromBase32(shown);
    const draft = { name: 'Phone', offer, site: SITE };
    await assert.rejects(addFactor(test.core, who, { ...draft, code: '000000' }), refused(422, /^code: /));
    await assert.rejects(
      addFactor(test.core, who, { ...draft, offer: 'x', code: codeNow() }),
      refused(422, /^offer: /),
    );
    const { recovery_codes } = await addFactor(test.core, who, { ...draft, code: codeNow() });
    recovery = recovery_codes;
    assert.equal(new Set(recovery).size, 10);
    const { factors, recovery_codes: left } = await listFactors(test.core, who);
    assert.deepEqual([factors.map(({ name, kind }) => [name, kind]), left], [[['Phone', 'totp']], 10]);
    const row = await test.core.store.db.selectFrom('second_factors').selectAll().executeTakeFirstOrThrow();
    assert.doesNotMatch(JSON.stringify(row), new RegExp(secret.toString('base64url')), 'stored sealed');
  });

  it('a password alone opens nothing from then on', async () => {
    const { kind, secret: step } = await signIn(test.core, {
      login: LOGIN,
      password: PASSWORD,
      address: '127.0.0.1',
    });
    assert.equal(kind, 'step');
    assert.equal(await sessionHolder(test.core, step), undefined);
    await assert.rejects(enter(), refused(401, /^code: /));
  });

  it('a code is taken once', async () => {
    test.clock.jump(2 * STEP_MS);
    const code = codeNow();
    assert.ok(await sessionHolder(test.core, await enter(code)));
    await assert.rejects(enter(code), refused(401, /^code: /));
    test.clock.jump(2 * STEP_MS);
    const both = await Promise.allSettled([enter(codeNow()), enter(codeNow())]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  });

  it('a recovery code is taken once, in any case of letters', async () => {
    assert.ok(await enter(recovery[0]?.toLowerCase().replaceAll('-', ' ')));
    await assert.rejects(enter(recovery[0]), refused(401, /^code: /));
    assert.equal((await listFactors(test.core, who)).recovery_codes, 9);
    const renewed = await renewRecoveryCodes(test.core, who);
    await assert.rejects(enter(recovery[1]), refused(401, /^code: /));
    assert.ok(await enter(renewed[0]));
  });

  it('wrong codes are slowed down, and a step ends after five minutes', async () => {
    const { secret: step } = await signIn(test.core, { login: LOGIN, password: PASSWORD, address: '127.0.0.9' });
    const answer = { code: '000000', address: '127.0.0.9', site: SITE };
    for (let tries = 0; tries < 5; tries += 1) await assert.rejects(endStep(test.core, step, answer), refused(401));
    await assert.rejects(endStep(test.core, step, answer), refused(429));
    const { secret: late } = await signIn(test.core, { login: LOGIN, password: PASSWORD, address: '127.0.0.8' });
    test.clock.jump(5 * 60_000);
    await assert.rejects(
      endStep(test.core, late, { code: codeNow(), address: '127.0.0.8', site: SITE }),
      refused(401, /too long/),
    );
  });

  it('sessions are listed and ended one by one', async () => {
    test.clock.jump(20 * 60_000);
    const first = await enter(codeNow());
    test.clock.jump(2 * STEP_MS);
    const second = await enter(codeNow());
    const ids = (await listSessions(test.core, who)).map(({ id }) => id);
    assert.ok(ids.includes(sessionId(first)) && ids.includes(sessionId(second)));
    await endSessionOf(test.core, who, sessionId(first));
    assert.equal(await sessionHolder(test.core, first), undefined);
    assert.ok(await sessionHolder(test.core, second));
    await assert.rejects(endSessionOf(test.core, who, sessionId(first)), refused(404));
    await assert.rejects(endSessionOf(test.core, who, ''), refused(404));
  });

  it('the last factor that is removed takes the recovery codes along', async () => {
    const [factor] = (await listFactors(test.core, who)).factors;
    await removeFactor(test.core, who, factor?.id ?? 0);
    await assert.rejects(removeFactor(test.core, who, factor?.id ?? 0), refused(404));
    assert.deepEqual(await listFactors(test.core, who), { factors: [], recovery_codes: 0, login: LOGIN });
    assert.ok(await enter());
  });

  it('access that is taken away ends sessions and login at once', async () => {
    const owner = { account: test.own.account, operator: null };
    const { id } = await createSubAccount(test.core, owner, { name: 'Eve', role: 'staff', all_properties: true });
    const { secret: code } = await invite(test.core, test.own.account, id);
    const session = await acceptInvite(test.core, { secret: code, login: 'mallory', password: PASSWORD });
    const holder = await sessionHolder(test.core, session);
    assert.deepEqual([holder?.role, holder?.visible], ['staff', null]);
    await takeAccess(test.core, owner, id);
    assert.equal(await sessionHolder(test.core, session), undefined);
    const again = signIn(test.core, { login: 'mallory', password: PASSWORD, address: '127.0.0.1' });
    await assert.rejects(again, refused(401));
    await assert.rejects(takeAccess(test.core, owner, who.operator.id), refused(404), 'never the main account');
  });
}

describe('second factors', () => cases(() => Promise.resolve(undefined)));

describeOnPostgres('second factors on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  cases(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});
