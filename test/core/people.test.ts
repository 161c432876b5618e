import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  changeSubAccount,
  createSubAccount,
  elsewhereProperties,
  listSubAccounts,
} from '../../src/core/accounts/subAccounts.ts';
import type { CoreDatabase } from '../../src/core/database.ts';
import { acceptInvite, changePassword, firstInvite, invite, signInAtOnce } from '../../src/core/people/signIn.ts';
import { endSession, sessionHolder } from '../../src/core/people/sessions.ts';
import { countTry } from '../../src/core/people/throttle.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import type { ConnectionId } from '../../src/kernel/ids.ts';
import { PasswordHasher } from '../../src/core/people/passwordHash.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { openStore } from '../../src/store/store.ts';
import { START, startCore, type TestCore } from '../support/core.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const PASSWORD = 'correct horse battery';

const refused = (code: number, says?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ApiError, String(error));
  assert.equal(error.code, code, error.message);
  if (says) assert.match(error.message, says);
  return true;
};

describe('passwords', () => {
  const hasher = new PasswordHasher(systemRandom);

  it('are kept as salted scrypt that names its cost; the same one twice looks different', async () => {
    const [first, second] = [await hasher.hash(PASSWORD), await hasher.hash(PASSWORD)];
    assert.match(first, /^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    assert.notEqual(first, second);
    assert.ok(!first.includes(PASSWORD));
    assert.deepEqual(
      await Promise.all([
        hasher.matches(PASSWORD, first),
        hasher.matches(`${PASSWORD} `, first),
        hasher.matches(PASSWORD, undefined),
      ]),
      [true, false, false],
    );
  });

  it('typed in either form of the same sign are one password; a cheaper stored one still opens', async () => {
    const cheap = 'scrypt$10$8$1$AAAAAAAAAAAAAAAAAAAAAA$';
    assert.equal(await hasher.matches(PASSWORD, cheap), false, 'an empty key is nobody’s');
    assert.equal(await hasher.matches('cafe\u0301 au lait', await hasher.hash('café au lait')), true);
  });
});

describe('who signs in', () => {
  let core: TestCore;
  beforeEach(async () => {
    core = await startCore();
  });
  afterEach(() => core.close());

  const account = () => core.own.account;
  const accept = (secret: string, login = 'ada@example.org', password = PASSWORD) =>
    acceptInvite(core.core, { secret, login, password });
  const enter = (password: string, { login = 'ada@example.org', address = '192.0.2.1' } = {}) =>
    signInAtOnce(core.core, { login, password, address });
  const holder = (secret: string) => sessionHolder(core.core, secret);

  it('there is no password at first: a secret is made once, and no second time while it lives', async () => {
    const secret = await firstInvite(core.core, account());
    assert.match(secret ?? '', /^([A-HJ-NP-Z2-9]{4}-){6}[A-HJ-NP-Z2-9]{4}$/);
    assert.equal(await firstInvite(core.core, account()), undefined);
    await assert.rejects(enter(''), refused(401));
    core.clock.jump(7 * DAY_MS);
    await assert.rejects(accept(secret ?? ''), refused(401), 'after a week it is over');
    const again = await firstInvite(core.core, account());
    assert.ok(again && again !== secret);
    await accept(again);
    assert.equal(await firstInvite(core.core, account()), undefined);
  });

  it('a secret is good once, in whatever case and grouping; a newer one ends it', async () => {
    const old = await invite(core.core, account());
    const { secret } = await invite(core.core, account());
    await assert.rejects(accept(old.secret), refused(401, /not valid/));
    const session = await accept(secret.toLowerCase().replaceAll('-', ' '));
    const who = await holder(session);
    assert.deepEqual([who?.operator.kind, who?.account.name, who?.visible, who?.token], ['master', 'own', null, null]);
    await assert.rejects(accept(secret), refused(401));
    assert.ok(!(await core.stored()).includes(secret.replaceAll('-', '')), 'neither secret is stored');
    assert.ok(!(await core.stored()).includes(session));
  });

  it('a password that is too short, too plain or holds the login is refused, and the secret stays good', async () => {
    const { secret } = await invite(core.core, account());
    for (const password of ['short', 'aaaaaaaaaaaaaaaa', 'xx ada@example.org xx']) {
      await assert.rejects(accept(secret, 'ada@example.org', password), refused(422, /^password: /));
    }
    await accept(secret);
  });

  it('by login in any case and password; a login belongs to one person', async () => {
    await accept((await invite(core.core, account())).secret);
    assert.equal((await holder(await enter(PASSWORD, { login: ' ADA@example.org ' })))?.operator.kind, 'master');
    const other = await core.addAccount('other');
    const { secret } = await invite(core.core, other.account);
    await assert.rejects(accept(secret), refused(409, /^login: /));
    await accept(secret, 'bob');
    assert.equal((await holder(await enter(PASSWORD, { login: 'bob' })))?.account.name, 'other');
  });

  it('a sub-account sees by its session what it was given, at once when that changes', async () => {
    const { property_id } = await core.call('createProperty', { title: 'Sea View' });
    await core.addSubAccount(account(), [property_id]);
    const sub = await core.core.store.db
      .selectFrom('operators')
      .where('kind', '=', 'sub')
      .select('id')
      .executeTakeFirstOrThrow();
    const session = await accept((await invite(core.core, account(), sub.id)).secret, 'sub');
    assert.deepEqual((await holder(session))?.visible, [property_id]);
    await core.core.store.db.deleteFrom('operator_properties').execute();
    assert.deepEqual((await holder(session))?.visible, []);
    await assert.rejects(invite(core.core, account(), 999), refused(404));
  });

  it('where other deployments have the properties, a person sees those that were chosen of each', async () => {
    const [north, south] = ['north' as ConnectionId, 'south' as ConnectionId];
    const at = (connection: ConnectionId, properties: readonly number[] = [1, 2]) => {
      return { account: account(), operator: null, elsewhere: { connection, properties } };
    };
    const { id } = await createSubAccount(core.core, at(north), { name: 'Ann', role: 'staff', property_ids: [2, 2] });
    const seen = (connection: ConnectionId) =>
      elsewhereProperties(core.core.store.db, { accountId: account().account_id, operatorId: id, connection });
    // The same number is another property there.
    assert.deepEqual([await seen(north), await seen(south)], [[2], []]);
    await changeSubAccount(core.core, at(south), id, { property_ids: [1] });
    await changeSubAccount(core.core, at(north), id, { name: 'Anne' });
    assert.deepEqual([await seen(north), await seen(south)], [[2], [1]]);
    const listed = async (connection: ConnectionId) =>
      (await listSubAccounts(core.core.store.db, account(), { connection })).map((one) => one.property_ids);
    assert.deepEqual([await listed(north), await listed(south)], [[[2]], [[1]]]);
    await assert.rejects(changeSubAccount(core.core, at(north, []), id, { property_ids: [2] }), refused(404));
    assert.deepEqual(await seen(north), [2], 'a refused change changes nothing');
    // In a core of ours they are given nothing by it.
    assert.deepEqual(
      (await listSubAccounts(core.core.store.db, account())).map((one) => one.property_ids),
      [[]],
    );
  });

  it('after five wrong passwords from one place nobody there is let try, for the rest of a quarter of an hour', async () => {
    await accept((await invite(core.core, account())).secret);
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => enter('wrong password')));
    const codes = tries.map((one) =>
      one.status === 'rejected' && one.reason instanceof ApiError ? one.reason.code : 200,
    );
    assert.deepEqual(
      codes.toSorted((a, b) => a - b),
      [401, 401, 401, 401, 401, 429, 429, 429],
      'many at once count too',
    );
    await assert.rejects(enter(PASSWORD), refused(429, /15 minutes/), 'the right one as well');
    assert.ok(await holder(await enter(PASSWORD, { address: '192.0.2.2' })), 'its owner elsewhere is served');
    assert.equal(START % 900_000, 0);
    core.clock.jump(900_000);
    assert.ok(await holder(await enter(PASSWORD)));
  });

  it('one place that tries many names is stopped too; the right password takes its try back', async () => {
    const count = (login: string, address: string) => countTry(core.core, login, { address });
    for (let i = 0; i < 200; i += 1) await (await count('ada', '192.0.2.9'))();
    for (let i = 0; i < 20; i += 1) await count(`name ${i}`, '192.0.2.3');
    for (let i = 0; i < 200; i += 1) await assert.rejects(count('ada', '192.0.2.3'), refused(429));
    await count('ada', '192.0.2.4');
    for (let i = 0; i < 100; i += 1) await count('victim', `198.51.100.${i}`);
    await assert.rejects(count('victim', '203.0.113.1'), refused(429));
    // Somebody in a trusted range says whose address it is, a new one each time.
    const forge = (i: number) =>
      countTry(core.core, 'owner', { address: `192.0.2.${i} via 10.0.0.0/8`, word: '10.0.0.0/8' });
    for (let i = 0; i < 50; i += 1) await forge(i);
    for (let i = 50; i < 200; i += 1) await assert.rejects(forge(i), refused(429));
    await count('owner', '192.0.2.50');
    await count('victim ', '203.0.113.1');
  });

  it('tries stay counted across a restart, as hashes, until their quarter of an hour is over', async () => {
    await accept((await invite(core.core, account())).secret);
    for (let i = 0; i < 5; i += 1) await assert.rejects(enter('wrong password'), refused(401));
    const rows = await core.core.store.db.selectFrom('sign_in_tries').selectAll().execute();
    assert.deepEqual(
      rows.map(({ tries }) => tries),
      [5, 5, 5],
    );
    assert.ok(rows.every(({ subject }) => /^[0-9a-f]{64}$/.test(subject)));
    const store = await openStore<CoreDatabase>({ kind: 'sqlite', file: join(core.folder, 'core.db') });
    const right = { login: 'ada@example.org', password: PASSWORD, address: '192.0.2.1' };
    await assert.rejects(signInAtOnce({ ...core.core, store }, right), refused(429), 'by another process too');
    await store.close();
    core.clock.jump(900_000);
    await enter(PASSWORD);
    assert.deepEqual(
      (await core.core.store.db.selectFrom('sign_in_tries').select('tries').execute()).map(({ tries }) => tries),
      [0, 0, 0],
      'what is over is deleted',
    );
  });

  it('a session ends by signing out, after 12 hours without use, and after a week whatever its use', async () => {
    const first = await accept((await invite(core.core, account())).secret);
    await endSession(core.core, first);
    assert.equal(await holder(first), undefined);
    const idle = await enter(PASSWORD);
    core.clock.jump(12 * HOUR_MS - 1);
    assert.ok(await holder(idle));
    core.clock.jump(12 * HOUR_MS - 1);
    assert.ok(await holder(idle), 'its use keeps it');
    core.clock.jump(12 * HOUR_MS);
    assert.equal(await holder(idle), undefined);
    const used = await enter(PASSWORD);
    for (let hours = 0; hours < 7 * 24 - 1; hours += 1) {
      core.clock.jump(HOUR_MS);
      assert.ok(await holder(used));
    }
    core.clock.jump(HOUR_MS);
    assert.equal(await holder(used), undefined);
    assert.equal(await holder('nonsense'), undefined);
  });

  it('a new password ends every session but the one it starts', async () => {
    const first = await accept((await invite(core.core, account())).secret);
    const who = await holder(first);
    assert.ok(who);
    const next = 'a wholly different one';
    const change = (old: string) => changePassword(core.core, who, { old, password: next, address: '192.0.2.1' });
    await assert.rejects(change('wrong password'), refused(401));
    const second = await change(PASSWORD);
    assert.deepEqual([await holder(first), (await holder(second))?.operator.id], [undefined, who.operator.id]);
    await assert.rejects(enter(PASSWORD), refused(401));
    await enter(next);
  });

  it('leaves a trace in the audit, and no secret there', async () => {
    await accept((await invite(core.core, account())).secret);
    await enter(PASSWORD);
    const rows = await core.core.store.db.selectFrom('audit').select(['action', 'subject']).orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['create token', 'create token', 'invite', 'set password', 'sign in'],
    );
    assert.match(rows[2]?.subject ?? '', /^operator:\d+$/);
  });
});
