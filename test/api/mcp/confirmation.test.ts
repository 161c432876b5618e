import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { CONFIRMATION_MS } from '../../../src/core/confirmations/confirmation.ts';
import type { StoreLocation } from '../../../src/store/store.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { callTool, envelopeOf, eras, mcpClient, modernRequest, type RawAnswer } from '../../support/mcp.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';

const ASKABLE = { elicitation: { form: {} } };
const ACCEPTED = { confirm: { action: 'accept', content: {} } };
/** Of JSON-RPC: parameters that do not hold. */
const INVALID_PARAMS = -32_602;
const PARALLEL = 50;

/** What is tried: a tool that asks, whose effect can be counted. */
const TOOL = 'create_staff';
const EVE = { name: 'Eve', mobile: '+49 1701234567' };

class Asking {
  readonly core: TestCore;
  readonly url: string;
  constructor(core: TestCore, url: string) {
    this.core = core;
    this.url = url;
  }

  call(more: Record<string, unknown> = {}, token = this.core.own.token, capabilities: object = ASKABLE) {
    const params = { name: TOOL, arguments: EVE, ...more };
    return modernRequest(this.url, 'tools/call', params, { token, capabilities });
  }

  /** Asks. @returns what must be handed back with the answer */
  async state(more: Record<string, unknown> = {}): Promise<string> {
    const { body } = await this.call(more);
    assert.equal(body.result.resultType, 'input_required', JSON.stringify(body));
    assert.equal(typeof body.result.requestState, 'string');
    return body.result.requestState;
  }

  answer(requestState: string, more: Record<string, unknown> = {}, token = this.core.own.token): Promise<RawAnswer> {
    return this.call({ requestState, inputResponses: ACCEPTED, ...more }, token);
  }

  async done(): Promise<number> {
    const { count } = await this.core.core.store.db
      .selectFrom('staffs')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  }
}

async function start(location?: StoreLocation): Promise<Asking> {
  const core = await startCore(location);
  return new Asking(core, await core.app.listen({ port: 0, host: '127.0.0.1' }));
}

function requireRefused({ body }: RawAnswer, what: string): void {
  assert.equal(body.error?.code, INVALID_PARAMS, `${what}: ${JSON.stringify(body)}`);
  assert.deepEqual(body.error.data, { reason: 'invalid_request_state' });
  assert.match(body.error.message, /Nothing was changed\. Call the tool without it/);
}

describe('a tool that needs consent (S22)', () => {
  let asking: Asking;
  before(async () => {
    asking = await start();
  });
  after(() => asking.core.close());
  beforeEach(() => asking.core.core.store.db.deleteFrom('staffs').execute());

  it('shows what it is about to do, and does nothing yet', async () => {
    const { body } = await asking.call();
    const { confirm } = body.result.inputRequests;
    assert.equal(confirm.method, 'elicitation/create');
    assert.equal(
      confirm.params.message,
      'Create staff in the account own? Adds a member of staff.\nname: "Eve"\nmobile: "+49 1701234567"',
    );
    assert.deepEqual(confirm.params.requestedSchema, { type: 'object', properties: {} });
    assert.equal(await asking.done(), 0);
  });

  it('is carried out once when the person agrees', async () => {
    const { body } = await asking.answer(await asking.state());
    assert.equal(body.result.structuredContent.error_code, 200);
    assert.equal(await asking.done(), 1);
  });

  for (const action of ['decline', 'cancel'] as const) {
    it(`does nothing on ${action}, and cannot be agreed to afterwards`, async () => {
      const state = await asking.state();
      const { body } = await asking.answer(state, { inputResponses: { confirm: { action } } });
      assert.equal(body.result.isError, true);
      assert.match(body.result.content[0].text, /did not agree\. Nothing was changed/);
      requireRefused(await asking.answer(state), 'agreed afterwards');
      assert.equal(await asking.done(), 0);
    });
  }

  it('does not bother a person with what cannot be done anyway', async () => {
    const { body } = await asking.call({ arguments: { name: 'Eve', mobile: '12' } });
    assert.equal(body.result.structuredContent.error_code, 422);
    assert.match(body.result.content[0].text, /^Error 422: mobile: .+ Correct the arguments/);
  });

  it('asks again where the answer is missing, or is no answer', async () => {
    const state = await asking.state();
    for (const inputResponses of [undefined, {}, { other: ACCEPTED.confirm }, { confirm: true }, { confirm: {} }]) {
      const { body } = await asking.call({ requestState: state, ...(inputResponses && { inputResponses }) });
      assert.notEqual(body.result?.structuredContent?.error_code, 200, JSON.stringify(body));
    }
    assert.equal(await asking.done(), 0);
  });

  it('an answer to nothing that was asked is asked about first', async () => {
    const { body } = await asking.call({ inputResponses: ACCEPTED });
    assert.equal(body.result.resultType, 'input_required');
    assert.equal(await asking.done(), 0);
  });

  it('tampered, swapped, replayed or late: 0 carried out', async () => {
    const other = await asking.core.addAccount(`other ${Math.trunc(performance.now())}`);
    const sub = await asking.core.addSubAccount(asking.core.own.account, []);
    const state = await asking.state();
    const dot = state.lastIndexOf('.') + 1;
    for (let at = dot; at < state.length; at += 7) {
      const changed = state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1);
      requireRefused(await asking.answer(changed), `changed at ${at}`);
    }
    for (const made of [
      '',
      'x',
      'v1.00000000.AAAA',
      state.slice(0, -1),
      `${state}A`,
      `${state}=`,
      state.toUpperCase(),
    ]) {
      requireRefused(await asking.answer(made), made);
    }
    requireRefused(await asking.answer(state, {}, other.token), 'another account');
    requireRefused(await asking.answer(state, {}, sub), 'a sub-account');
    requireRefused(await asking.answer(state, { arguments: { ...EVE, name: 'Mallory' } }), 'other arguments');
    requireRefused(await asking.answer(state, { arguments: { ...EVE, note: '' } }), 'more arguments');
    const task = { type: 'cleaning', expected_date: '2027-01-01', currency: 'EUR' };
    requireRefused(await asking.answer(state, { name: 'create_task', arguments: task }), 'another tool');
    assert.equal(await asking.done(), 0);

    const again = await asking.answer(state, { arguments: { mobile: EVE.mobile, name: EVE.name } });
    assert.equal(again.body.result.structuredContent.error_code, 200, 'the order of arguments does not matter');
    requireRefused(await asking.answer(state), 'twice');
    assert.equal(await asking.done(), 1);

    const last = await asking.state();
    asking.core.clock.jump(CONFIRMATION_MS - 1);
    const late = await asking.state();
    asking.core.clock.jump(1);
    requireRefused(await asking.answer(last), 'after five minutes');
    assert.equal((await asking.answer(late)).body.result.structuredContent.error_code, 200);
    assert.equal(await asking.done(), 2);
  });

  it('a read-only token is refused at the door, with a confirmation too', async () => {
    const state = await asking.state();
    const { status } = await asking.answer(state, {}, asking.core.own.readToken);
    assert.equal(status, 403);
    assert.equal(await asking.done(), 0);
  });

  it('uses of what is over are forgotten', async () => {
    await asking.answer(await asking.state());
    asking.core.clock.jump(CONFIRMATION_MS + 1);
    await asking.answer(await asking.state());
    assert.equal((await asking.core.core.store.db.selectFrom('confirmation_uses').selectAll().execute()).length, 1);
  });

  for (const era of eras) {
    describe(`by the official client in ${era}`, () => {
      const cases: [ElicitResult['action'], number][] = [
        ['accept', 1],
        ['decline', 0],
        ['cancel', 0],
      ];
      for (const [action, done] of cases) {
        it(`${action}: carried out ${done} times`, async () => {
          const asked: string[] = [];
          const asks = (message: string) => {
            asked.push(message);
            return action;
          };
          const client = await mcpClient(asking.url, { era, token: asking.core.own.token, asks });
          const result = await callTool(client, TOOL, EVE);
          assert.equal(asked.length, 1);
          assert.match(asked[0] ?? '', /^Create staff in the account own\?/);
          assert.equal(result.isError ?? false, action !== 'accept');
          assert.equal(await asking.done(), done);
          await client.close();
        });
      }

      it('is carried out without a question where nobody can be asked', async () => {
        const client = await mcpClient(asking.url, { era, token: asking.core.own.token });
        assert.equal(envelopeOf(await callTool(client, TOOL, EVE)).error_code, 200);
        assert.equal(await asking.done(), 1);
        await client.close();
      });
    });
  }

  it('a client that shows addresses alone cannot be asked by form', async () => {
    const { body } = await asking.call({}, asking.core.own.token, { elicitation: { url: {} } });
    assert.equal(body.result.structuredContent.error_code, 200);
  });
});

describe('mcp.confirm: strict', () => {
  it('refuses where nobody can be asked; tools without confirmation go on', async () => {
    const core = await startCore(undefined, undefined, 'off', {}, { confirm: 'strict' });
    const asking = new Asking(core, await core.app.listen({ port: 0, host: '127.0.0.1' }));
    const { body } = await asking.call({}, core.own.token, {});
    assert.equal(body.result.isError, true);
    assert.match(body.result.content[0].text, /create_staff needs the consent of a person, .+ Nothing was changed\./);
    assert.equal(await asking.done(), 0);
    assert.equal((await asking.answer(await asking.state())).body.result.structuredContent.error_code, 200);
    const tag = { name: 'create_property_tag', arguments: { name: 'quiet' } };
    assert.equal((await asking.call(tag, core.own.token, {})).body.result.structuredContent.error_code, 200);
    await core.close();
  });
});

function once(name: string, open: () => Promise<Asking>): void {
  it(`${PARALLEL} answers at once on ${name}: one is carried out, the others are told so`, async () => {
    const asking = await open();
    const state = await asking.state();
    const answers = await Promise.all(Array.from({ length: PARALLEL }, () => asking.answer(state)));
    const good = answers.filter(({ body }) => body.result?.structuredContent?.error_code === 200);
    assert.equal(good.length, 1);
    for (const one of answers) if (one !== good[0]) requireRefused(one, 'another of them');
    assert.equal(await asking.done(), 1);
    await asking.core.close();
  });
}

describe('single use', () => once('SQLite', () => start()));

describeOnPostgres('single use on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  once('PostgreSQL', async () => start({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});
