import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { allTools, type McpTool } from '../../../src/api/mcp/tools.ts';
import { createToken } from '../../../src/core/accounts/create.ts';
import type { AccountRow } from '../../../src/core/database.ts';
import { instantOf } from '../../../src/kernel/dates.ts';
import { aboutCanary, type Canary, namesThing, plantCanaries, rowsOf } from '../../support/canaries.ts';
import { START, startCore, type TestCore } from '../../support/core.ts';
import { modernRequest, type RawAnswer } from '../../support/mcp.ts';

type Fields = Readonly<Record<string, unknown>>;

/** In every row of another account, and in every row of a sub-account's parent that it may not see. */
const OTHERS: Canary = { text: 'CANARYB', id: 987_654_321, number: 876_543_219 };
const HIDDEN: Canary = { text: 'CANARYC', id: 765_432_198, number: 654_321_987 };
const tools = [...allTools().values()];
const exampleOf = ({ operation }: McpTool): Fields => operation.example ?? {};
const nameOf = ({ definition }: McpTool) => definition.name;

let core: TestCore;
let url: string;
let owner: AccountRow;

async function start(): Promise<void> {
  core = await startCore();
  url = await core.app.listen({ port: 0, host: '127.0.0.1' });
  owner = core.own.account;
}

function callTool(tool: McpTool, args: Fields, token: string | null): Promise<RawAnswer> {
  return modernRequest(url, 'tools/call', { name: nameOf(tool), arguments: args }, { token });
}

/** The example about the canary; of a list also by each single filter that names a thing. */
function questions(tool: McpTool, canary: Canary): Fields[] {
  const { shape } = tool.operation.query;
  const fields = exampleOf(tool);
  const plain = Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in shape && namesThing(name))));
  const filtered = Object.keys(shape)
    .filter(namesThing)
    .map((name) => ({ ...plain, [name]: /_code$|listing_id$/.test(name) ? canary.text : canary.id }));
  return [aboutCanary(fields, canary) as Fields, ...filtered];
}

function requireSilence({ text, headers }: RawAnswer, canary: Canary, name: string): void {
  const said = `${text} ${JSON.stringify([...headers])}`;
  for (const trace of [canary.text, canary.id, canary.number]) {
    assert.ok(!said.includes(String(trace)), `${name} tells ${trace}: ${said}`);
  }
}

function codeOf({ body, text }: RawAnswer): number {
  const code = body?.result?.structuredContent?.error_code;
  assert.equal(typeof code, 'number', text);
  return code;
}

describe('every tool by everybody', () => {
  const tokens = new Map<string, string | null>();
  before(async () => {
    await start();
    const { account } = await core.addAccount(OTHERS.text);
    await plantCanaries(core, account, OTHERS);
    const elsewhere = await startCore();
    tokens.set('nobody', null);
    tokens.set('a token nobody made', 'stayd_pat_000000000000000000000000000000000000');
    tokens.set('a revoked token', await revoked());
    tokens.set('a token of another base address', elsewhere.own.token);
    tokens.set('a subscription that was ended', await inState('ended', { subscription: 'expired' }));
    tokens.set('a suspended account', await inState('suspended', { subscription: 'suspended' }));
    tokens.set('the Basic edition', await inState('basic', { edition: 'basic' }));
    await elsewhere.close();
  });
  after(() => core.close());

  async function revoked(): Promise<string> {
    const { id, token } = await createToken(core.core, owner, { name: 'gone', scope: 'write' });
    const revoked_at = instantOf(START);
    await core.core.store.db.updateTable('tokens').set({ revoked_at }).where('id', '=', id).execute();
    return token;
  }

  async function inState(name: string, state: Partial<AccountRow>): Promise<string> {
    const { account, token } = await core.addAccount(name);
    const { account_id } = account;
    await core.core.store.db.updateTable('accounts').set(state).where('account_id', '=', account_id).execute();
    return token;
  }

  /** What each is answered: HTTP status, and the error of v3 where the tool itself answers. */
  const refusals: [who: string, status: number, code?: number][] = [
    ['nobody', 401],
    ['a token nobody made', 401],
    ['a revoked token', 401],
    ['a token of another base address', 401],
    ['a subscription that was ended', 200, 420],
    ['a suspended account', 200, 420],
    ['the Basic edition', 200, 420],
  ];
  for (const [who, status, code] of refusals) {
    it(`${who}: refused, and nothing changes`, async () => {
      const before = await core.stored();
      for (const tool of tools) {
        for (const fields of [exampleOf(tool), aboutCanary(exampleOf(tool), OTHERS) as Fields]) {
          const answer = await callTool(tool, fields, tokens.get(who) ?? null);
          assert.equal(answer.status, status, nameOf(tool));
          if (code !== undefined) assert.equal(codeOf(answer), code, nameOf(tool));
          requireSilence(answer, OTHERS, nameOf(tool));
        }
      }
      assert.equal(await core.stored(), before);
    });
  }

  it('a read-only token: 27 are answered and change nothing, 45 are refused at the door (S12, S23)', async () => {
    const before = await core.stored();
    const answered = [];
    for (const tool of tools) {
      const answer = await callTool(tool, exampleOf(tool), core.own.readToken);
      const isRead = tool.definition.annotations?.readOnlyHint === true;
      assert.equal(answer.status, isRead ? 200 : 403, nameOf(tool));
      requireSilence(answer, OTHERS, nameOf(tool));
      if (isRead) answered.push(codeOf(answer));
      else assert.match(answer.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/);
    }
    assert.equal(answered.length, 27);
    assert.equal(await core.stored(), before);
  });

  it('a token with a cap: refused when it is reached, whatever the tool', async () => {
    const { id, token } = await createToken(core.core, owner, { name: 'capped', scope: 'write' });
    await core.core.store.db.updateTable('tokens').set({ per_minute: 3 }).where('id', '=', id).execute();
    const codes = [];
    for (const tool of tools.slice(0, 12)) codes.push(codeOf(await callTool(tool, exampleOf(tool), token)));
    assert.ok(codes.slice(0, 3).every((code) => code !== 429));
    assert.deepEqual(new Set(codes.slice(3)), new Set([429]));
  });
});

describe('another account’s things by tools (S10)', () => {
  let theirs: AccountRow;
  before(async () => {
    await start();
    const other = await core.addAccount(OTHERS.text);
    theirs = other.account;
    await plantCanaries(core, theirs, OTHERS);
    const { text } = await modernRequest(url, 'tools/call', { name: 'search_custom_channels' }, { token: other.token });
    assert.ok(text.includes(OTHERS.text) && text.includes(String(OTHERS.id)), 'the search finds what is shown');
  });
  after(() => core.close());

  it('no tool tells a byte of them or changes them, by whichever token and about whichever of them', async () => {
    const sub = await core.addSubAccount(owner, []);
    const before = await rowsOf(core, theirs);
    for (const tool of tools) {
      for (const token of [core.own.token, core.own.readToken, sub]) {
        for (const fields of questions(tool, OTHERS)) {
          const answer = await callTool(tool, fields, token);
          requireSilence(answer, OTHERS, nameOf(tool));
          if (answer.status === 200) assert.ok(![429, 500].includes(codeOf(answer)), `${nameOf(tool)}: ${answer.text}`);
        }
      }
    }
    assert.deepEqual(await rowsOf(core, theirs), before);
  });
});

describe('what a sub-account was not given, by tools (S10)', () => {
  before(async () => {
    await start();
    await plantCanaries(core, owner, HIDDEN, 'of properties');
  });
  after(() => core.close());

  it('no tool tells a byte of it; automation is the master account’s, also for sub-accounts', async () => {
    const sub = await core.addSubAccount(owner, []);
    const before = await rowsOf(core, owner, HIDDEN);
    for (const tool of tools.filter(({ definition }) => definition._meta?.['category'] !== 'automation')) {
      for (const fields of questions(tool, HIDDEN)) {
        const answer = await callTool(tool, fields, sub);
        requireSilence(answer, HIDDEN, nameOf(tool));
        if (tool.operation.scope === 'read') assert.ok([200, 403, 404].includes(codeOf(answer)), answer.text);
      }
    }
    assert.deepEqual(await rowsOf(core, owner, HIDDEN), before);
  });
});
