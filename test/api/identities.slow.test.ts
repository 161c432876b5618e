import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exampleRequest } from '../../src/contract/example.ts';
import { type OperationId, operationIds, operations } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { createToken } from '../../src/core/accounts/create.ts';
import type { AccountRow } from '../../src/core/database.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import { aboutCanary, type Canary, namesThing, plantCanaries, rowsOf } from '../support/canaries.ts';
import { type Answer, START, startCore, type TestCore } from '../support/core.ts';

type Fields = Readonly<Record<string, unknown>>;

/** In every row of another account, and in every row of a sub-account's parent that it may not see. */
const OTHERS: Canary = { text: 'CANARYB', id: 987_654_321, number: 876_543_219 };
const HIDDEN: Canary = { text: 'CANARYC', id: 765_432_198, number: 654_321_987 };

/** Needs no token: the exchange of a code for one. */
const needsToken = (id: OperationId) => !operations[id].path.startsWith('/oauth/');
const ids = operationIds.filter(needsToken);
const describedBy = (id: OperationId): Operation => operations[id];
const example = (id: OperationId): Fields => {
  const { example: fields } = describedBy(id);
  assert.ok(fields, `${id} has no example; test/contract/examples.test.ts says what to add`);
  return fields;
};

const INVALID = [401, 'Invalid access token'] as const;
const READ_ONLY = [401, 'Not authorized for this action'] as const;
const UNKNOWN_TOKEN = 'stayd_pat_000000000000000000000000000000000000';

describe('every operation by everybody', () => {
  let core: TestCore;
  let elsewhere: TestCore;
  const tokens = new Map<string, string | null>();
  before(async () => {
    core = await startCore();
    elsewhere = await startCore();
    const { account } = await core.addAccount(OTHERS.text);
    await plantCanaries(core, account, OTHERS);
    tokens.set('nobody', null);
    tokens.set('a token nobody made', UNKNOWN_TOKEN);
    tokens.set('a revoked token', await revoked());
    tokens.set('a token of another base address', elsewhere.own.token);
    tokens.set('a read-only token', core.own.readToken);
    tokens.set('a subscription that was ended', await inState('ended', { subscription: 'expired' }));
    tokens.set('a subscription that ran out', await inState('ran out', { expires_at: instantOf(START) }));
    tokens.set('a suspended account', await inState('suspended', { subscription: 'suspended' }));
    tokens.set('the Basic edition', await inState('basic', { edition: 'basic' }));
    tokens.set('a read-only token of the Basic edition', await inState('basic reads', { edition: 'basic' }, 'read'));
  });
  after(async () => {
    await core.close();
    await elsewhere.close();
  });

  async function revoked(): Promise<string> {
    const { id, token } = await createToken(core.core, core.own.account, { name: 'gone', scope: 'write' });
    const at = instantOf(START);
    await core.core.store.db.updateTable('tokens').set({ revoked_at: at }).where('id', '=', id).execute();
    return token;
  }

  async function inState(name: string, state: Partial<AccountRow>, scope: 'read' | 'write' = 'write'): Promise<string> {
    const { account, token, readToken } = await core.addAccount(name);
    const { account_id } = account;
    await core.core.store.db.updateTable('accounts').set(state).where('account_id', '=', account_id).execute();
    return scope === 'read' ? readToken : token;
  }

  /** What each identity is answered, word for word; null: as the account's own writable token would be. */
  const refusals: [who: string, refusal: (operation: Operation) => readonly [code: number, text: string] | null][] = [
    ['nobody', () => INVALID],
    ['a token nobody made', () => INVALID],
    ['a revoked token', () => INVALID],
    ['a token of another base address', () => INVALID],
    ['a read-only token', ({ scope }) => (scope === 'read' ? null : READ_ONLY)],
    ['a subscription that was ended', () => [420, 'Subscription expired']],
    ['a subscription that ran out', () => [420, 'Subscription expired']],
    ['a suspended account', () => [420, 'Account suspended']],
    ['the Basic edition', () => [420, 'Basic edition does not support this feature']],
    ['a read-only token of the Basic edition', () => [420, 'Basic edition does not support this feature']],
  ];

  for (const [who, refusal] of refusals) {
    it(`${who}: the described code and text, and nothing changes`, async () => {
      for (const id of ids) {
        const expected = refusal(operations[id]);
        for (const fields of [example(id), aboutCanary(example(id), OTHERS) as Fields]) {
          const before = await core.stored();
          const answer = await perform(core, id, fields, tokens.get(who) ?? null);
          assert.equal(answer.http, 200, id);
          if (expected) assert.deepEqual([answer.error_code, answer.error_msg], expected, id);
          else assert.ok(![401, 420, 429, 500].includes(answer.error_code), `${id}: ${answer.text}`);
          assertSilent(answer, OTHERS, id);
          if (expected) assert.equal(await core.stored(), before, id);
        }
      }
    });
  }
});

describe('another account’s things', () => {
  let core: TestCore;
  let theirs: AccountRow;
  let sub: string;
  before(async () => {
    core = await startCore();
    const owner = await core.addAccount(OTHERS.text);
    theirs = owner.account;
    const tables = await plantCanaries(core, theirs, OTHERS);
    assert.ok(tables.length >= 12, 'every table of the account has a row');
    const own = await core.request('GET', '/custom_channels', { token: owner.token });
    assert.ok(own.text.includes(OTHERS.text) && own.text.includes(String(OTHERS.id)), 'the search finds what is shown');
    sub = await core.addSubAccount(core.own.account, []);
  });
  after(() => core.close());

  for (const id of ids) {
    const { method, path } = operations[id];
    it(`${id} (${method} ${path}): refused or empty, no byte of them, nothing changes`, async () => {
      const before = await rowsOf(core, theirs);
      for (const token of [core.own.token, core.own.readToken, sub]) {
        for (const fields of questions(id, OTHERS)) {
          const answer = await perform(core, id, fields, token);
          assertSilent(answer, OTHERS, id);
          if (token === core.own.token) requireForeignAnswer(id, fields, answer);
          else assert.ok(![429, 500].includes(answer.error_code), `${id}: ${answer.text}`);
        }
      }
      assert.deepEqual(await rowsOf(core, theirs), before);
    });
  }
});

describe('what a sub-account was not given', () => {
  let core: TestCore;
  let sub: string;
  before(async () => {
    core = await startCore();
    await plantCanaries(core, core.own.account, HIDDEN, 'of properties');
    sub = await core.addSubAccount(core.own.account, []);
  });
  after(() => core.close());

  // Automation is the master account's, also for sub-accounts.
  for (const id of ids.filter((one) => !operations[one].path.startsWith('/automation/'))) {
    it(`${id}: refused or empty, no byte of it, nothing changes`, async () => {
      const before = await rowsOf(core, core.own.account, HIDDEN);
      for (const fields of questions(id, HIDDEN)) {
        const answer = await perform(core, id, fields, sub);
        assertSilent(answer, HIDDEN, id);
        if (operations[id].scope === 'read') assert.ok([200, 403, 404].includes(answer.error_code), answer.text);
        else if (isAbout(fields)) assert.ok([401, 403, 404].includes(answer.error_code), `${id}: ${answer.text}`);
      }
      assert.deepEqual(await rowsOf(core, core.own.account, HIDDEN), before);
    });
  }
});

/** The example about the canary; of a list also by each single filter that names a thing. */
function questions(id: OperationId, canary: Canary): Fields[] {
  const { query } = describedBy(id);
  const fields = example(id);
  const plain = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !(name in query.shape && namesThing(name))),
  );
  const filters = Object.keys(query.shape).filter(namesThing);
  const filtered = filters.map((name) => ({
    ...plain,
    [name]: /_code$|listing_id$/.test(name) ? canary.text : canary.id,
  }));
  return [aboutCanary(fields, canary) as Fields, ...filtered];
}

function isAbout(fields: Fields): boolean {
  return Object.entries(fields).some(
    ([name, value]) => namesThing(name) || (Array.isArray(value) && value.some((inner) => isAbout(Object(inner)))),
  );
}

/** Foreign codes and knowledge bases are unknown (404), other foreign ids are somebody else's (403); lists are empty. */
function requireForeignAnswer(id: OperationId, fields: Fields, answer: Answer): void {
  const { params, path, scope, errors } = describedBy(id);
  const said = `${id}: ${answer.text}`;
  const names = Object.keys(params.shape);
  if (names.some((name) => name.endsWith('_code'))) {
    assert.deepEqual([answer.error_code, answer.error_msg], [404, 'This resource is no longer available.'], said);
  } else if (names.length > 0) {
    assert.equal(answer.error_code, path.startsWith('/knowledge_bases/') ? 404 : 403, said);
  } else if (scope === 'read') {
    assert.ok([200, 403, 404].includes(answer.error_code), said);
  } else if (isAbout(fields)) {
    assert.ok([403, 404].includes(answer.error_code), said);
  }
  if (answer.error_code === 403) assert.match(answer.error_msg, /belongs to another operator\.$/);
  const declared: readonly number[] = errors;
  if (answer.error_code !== 200) assert.ok(declared.includes(answer.error_code), `${said} is not declared`);
}

function perform(core: TestCore, id: OperationId, fields: Fields, token: string | null): Promise<Answer> {
  const { method, path, body } = exampleRequest(operations[id], fields);
  return core.request(method, path, { token, ...(body && { body }) });
}

function assertSilent(answer: Answer, canary: Canary, id: OperationId): void {
  const said = `${answer.text} ${JSON.stringify(answer.headers)}`;
  for (const trace of [canary.text, canary.id, canary.number]) {
    assert.ok(!said.includes(String(trace)), `${id} tells ${trace}: ${said}`);
  }
}
