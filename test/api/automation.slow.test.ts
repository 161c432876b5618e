import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { automationHandlers } from '../../src/core/automation/handlers.ts';
import { createRule, deleteRule, type RuleFields, updateRule } from '../../src/core/automation/manageRules.ts';
import type { AutomationPorts } from '../../src/core/automation/ports.ts';
import { automationWorker } from '../../src/core/automation/worker.ts';
import type { RuleType } from '../../src/core/workTables.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

/** Where a message or a review goes in these tests: onto a list, once its change has committed. */
interface Sent {
  what: 'message' | 'review';
  stay: string;
  said: unknown;
}

const HOUR = 3_600_000;

function automation(place: () => Promise<StoreLocation | undefined>): void {
  let core: TestCore;
  let own: { account: TestAccount['account']; operator: null };
  let mill: number;
  let barn: number;
  const sent: Sent[] = [];
  let failure: Error | undefined;
  const ports: AutomationPorts = {
    async sendMessage(change, { stay, content }) {
      change.audit('sentMessage', stay.stay_code);
      if (failure) throw failure;
      sent.push({ what: 'message', stay: stay.stay_code, said: content });
    },
    async postReview(_change, { stay, ...said }) {
      if (failure) throw failure;
      sent.push({ what: 'review', stay: stay.stay_code, said });
    },
  };
  before(async () => {
    core = await startCore(await place(), undefined, 'off', automationHandlers(ports));
    own = { account: core.own.account, operator: null };
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
    barn = (await core.call('createProperty', { title: 'Barn' })).property_id;
  });
  after(() => core.close());

  let nights = 0;
  /** A stay of three nights of its own, so many days from now. */
  async function book(days: number, property_id = mill): Promise<string> {
    const at = (more: number) => new Date(core.clock.now() + (days + more) * 24 * HOUR).toISOString().slice(0, 10);
    nights += 1;
    const { reservation_code } = await core.call('createReservation', {
      property_id,
      check_in_date: at(0),
      check_out_date: at(3),
      guest_name: 'Ada Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    });
    return reservation_code;
  }

  const rule = (over: Partial<RuleFields> & { type?: RuleType } = {}): Promise<number> =>
    createRule(core.core, own, {
      type: 'message',
      name: 'Welcome',
      event: 'check_in',
      hours: -24,
      property_ids: null,
      channel_types: null,
      action: { content: 'Hi {guest_name}, {property_name} waits from {check_in_date}.' },
      is_enabled: true,
      ...over,
    });
  const review = (hours = 2) =>
    rule({ type: 'review', name: 'Thanks', event: 'check_out', hours, action: { host_review_score: 5 } });
  const list = async (query: Record<string, unknown> = {}) =>
    (await core.call('listAutomationActions', { limit: 100, ...query })).actions;
  const planOf = async (stay_code: string, type = 'message') =>
    (await list({ stay_code })).find((one: { type: string }) => one.type === type);
  const execute = (id: string, token?: string) =>
    core.request('POST', `/automation/actions/${id}/execute`, token === undefined ? {} : { token });
  const remove = (id: string, token?: string) =>
    core.request('DELETE', `/automation/actions/${id}`, token === undefined ? {} : { token });
  const outcome = (answer: { error_code: number; error_msg: string }) => answer.error_code;

  /** Takes away all rules and stays of the test before. */
  async function clear(): Promise<void> {
    const { db } = core.core.store;
    await db.updateTable('stays').set({ status: 'cancelled' }).execute();
    for (const table of ['automation_plans', 'automation_rules', 'nights'] as const)
      await db.deleteFrom(table).execute();
    sent.splice(0);
    failure = undefined;
  }
  /** A minute after the plan of a stay is due. */
  async function untilDue(stay_code: string, type?: string): Promise<void> {
    const { scheduled_at } = await planOf(stay_code, type);
    core.clock.jump(Date.parse(scheduled_at) - core.clock.now() + 60_000);
  }
  /** Lets the worker look once. */
  async function work(): Promise<void> {
    const worker = automationWorker({ core: core.core, log: silentLogger, ports });
    await worker.start();
    await worker.settled();
    await worker.stop();
  }

  describe('plans', () => {
    before(clear);

    it('a rule plans one action per stay, with all its fields, due in the operator’s zone', async () => {
      const stay_code = await book(10);
      const id = await rule();
      const [action, ...others] = await list({ stay_code });
      assert.deepEqual(others, []);
      assert.match(action.plan_id, new RegExp(`^${id}-\\d+$`));
      assert.deepEqual(action, {
        plan_id: action.plan_id,
        type: 'message',
        status: 'waiting',
        name: 'Welcome',
        send_to: 'guest',
        stay_code,
        property_id: mill,
        property_title: 'Mill',
        scheduled_at: '2026-11-29T15:00:00+01:00',
        channel_type: 'direct',
      });
      const { data } = await core.request('GET', '/automation/actions');
      assert.equal(data.actions[0].id, data.actions[0].plan_id, 'both spellings');
    });

    it('a stay that is booked later is planned with its booking', async () => {
      const stay_code = await book(12, barn);
      assert.equal((await planOf(stay_code)).scheduled_at, '2026-12-01T15:00:00+01:00');
    });

    it('moved dates move the plan and keep its id; cancelling withdraws it', async () => {
      const stay_code = await book(15);
      const { plan_id } = await planOf(stay_code);
      const dates = { check_in_date: '2026-12-15', check_out_date: '2026-12-17' };
      await core.call('updateReservation', { stay_code, ...dates });
      const moved = await planOf(stay_code);
      assert.deepEqual([moved.plan_id, moved.scheduled_at], [plan_id, '2026-12-14T15:00:00+01:00']);
      await core.call('cancelReservation', { reservation_code: stay_code });
      assert.deepEqual(await list({ stay_code }), []);
      assert.equal(outcome(await execute(plan_id)), 404);
    });

    it('what lies more than 30 days ahead comes into the list as its time comes', async () => {
      const stay_code = await book(40);
      assert.deepEqual(await list({ stay_code }), []);
      core.clock.jump(10 * 24 * HOUR);
      assert.equal((await list({ stay_code })).length, 1);
      core.clock.jump(-10 * 24 * HOUR);
    });

    it('a rule that is narrowed, switched off or deleted withdraws what it has planned', async () => {
      await clear();
      const [one, two] = [await book(5), await book(5, barn)];
      const id = await rule();
      await updateRule(core.core, own, id, { property_ids: [barn], name: 'Barn only' });
      assert.deepEqual([(await list({ stay_code: one })).length, (await planOf(two)).name], [0, 'Barn only']);
      await updateRule(core.core, own, id, { is_enabled: false });
      assert.deepEqual(await list(), []);
      await updateRule(core.core, own, id, { is_enabled: true });
      assert.equal((await list()).length, 1);
      await deleteRule(core.core, own, id);
      assert.deepEqual(await list(), []);
    });

    it('other hours of a rule move what waits', async () => {
      await clear();
      const stay_code = await book(5);
      const id = await rule();
      await updateRule(core.core, own, id, { hours: -1 });
      assert.equal((await planOf(stay_code)).scheduled_at, '2026-11-25T14:00:00+01:00');
    });

    it('a keyword finds a name whatever the case of its letters and however its accents are stored', async () => {
      await clear();
      await book(5);
      const id = await rule({ name: 'Grüße' });
      const found = async (keyword: string) => (await list({ keyword })).length;
      assert.deepEqual([await found('GRÜ'), await found('üß'.normalize('NFD')), await found('gru')], [1, 1, 0]);
      await updateRule(core.core, own, id, { name: 'УБОРКА' });
      assert.deepEqual([await found('уборка'), await found('grü')], [1, 0]);
    });

    it('every filter narrows; the next is first', async () => {
      await clear();
      const [late, soon] = [await book(9), await book(4, barn)];
      await rule();
      await review();
      const found = async (query: Record<string, unknown>) =>
        (await list(query)).map((one: { stay_code: string; type: string }) => `${one.type} ${one.stay_code}`);
      assert.deepEqual(await found({}), [`message ${soon}`, `review ${soon}`, `message ${late}`, `review ${late}`]);
      assert.deepEqual(await found({ type: 'review' }), [`review ${soon}`, `review ${late}`]);
      assert.deepEqual(await found({ keyword: 'WELC', stay_code: late }), [`message ${late}`]);
      assert.deepEqual(await found({ keyword: '%' }), []);
      assert.deepEqual(await found({ property_ids: `${barn},999` }), [`message ${soon}`, `review ${soon}`]);
      assert.deepEqual(await found({ channel_types: 'ical' }), []);
      assert.equal((await found({ channel_types: 'ical,direct' })).length, 4);
      assert.deepEqual(await found({ rule_event: 'check_out' }), [`review ${soon}`, `review ${late}`]);
      assert.deepEqual(await found({ start_time: '2026-11-27' }), [
        `review ${soon}`,
        `message ${late}`,
        `review ${late}`,
      ]);
      assert.deepEqual(await found({ end_time: '2026-11-23' }), [`message ${soon}`]);
      assert.deepEqual(await found({ end_time: '2026-11-23T15:00:00+01:00' }), [`message ${soon}`]);
      assert.deepEqual(await found({ end_time: '2026-11-23T14:59:59' }), []);
      assert.deepEqual(await found({ limit: 1, offset: 1 }), [`review ${soon}`]);
      for (const query of [
        'start_time=x',
        'end_time=x',
        'property_ids=a',
        'start_time=2026-12-02&end_time=2026-12-01',
      ]) {
        assert.equal((await core.request('GET', `/automation/actions?${query}`)).error_code, 422, query);
      }
    });

    it('sub-accounts see the whole account’s, and touch their own properties’ alone', async () => {
      const sub = await core.addSubAccount(core.own.account, [barn]);
      const actions = (await core.call('listAutomationActions', {}, sub)).actions;
      assert.ok(actions.some((one: { property_id: number }) => one.property_id === mill));
      const [hidden] = await list({ property_ids: mill });
      assert.equal(outcome(await execute(hidden.plan_id, sub)), 404);
      assert.equal(outcome(await remove(hidden.plan_id, sub)), 404);
    });

    it('another operator’s: 403; nobody’s: 404; lists are empty', async () => {
      const stranger = await core.addAccount('stranger');
      const [action] = await list();
      assert.equal(outcome(await execute(action.plan_id, stranger.token)), 403);
      assert.equal(outcome(await remove(action.plan_id, stranger.token)), 403);
      assert.equal(outcome(await execute('0-0')), 404);
      assert.equal(outcome(await remove('nothing')), 404);
      assert.deepEqual((await core.call('listAutomationActions', {}, stranger.token)).actions, []);
    });
  });

  describe('execute and delete', () => {
    before(clear);

    it('execute sends the message at once, with its text filled in, and only once', async () => {
      const stay_code = await book(6);
      await rule();
      const { plan_id } = await planOf(stay_code);
      const answer = await execute(plan_id);
      assert.deepEqual([answer.error_code, 'data' in answer], [200, false]);
      const said = 'Hi Ada Guest, Mill waits from 2026-11-26.';
      assert.deepEqual(sent, [{ what: 'message', stay: stay_code, said }]);
      assert.deepEqual(await list({ stay_code }), []);
      assert.equal(outcome(await execute(plan_id)), 400);
      assert.equal(outcome(await remove(plan_id)), 400);
      await core.call('updateReservation', { stay_code, note: 'x', check_out_date: '2026-12-01' });
      assert.deepEqual(await list({ stay_code }), [], 'nor is it planned again');
      assert.equal(sent.length, 1);
    });

    it('delete removes only this occurrence: never planned again, its rule goes on', async () => {
      const stay_code = await book(12);
      const { plan_id } = await planOf(stay_code);
      assert.equal(outcome(await remove(plan_id)), 200);
      assert.equal(outcome(await remove(plan_id)), 404);
      assert.equal(outcome(await execute(plan_id)), 404);
      await core.call('updateReservation', { stay_code, check_in_date: '2026-12-03' });
      assert.deepEqual(await list({ stay_code }), []);
      assert.ok(await planOf(await book(18)), 'the next stay is planned');
    });

    it('a review before the check-out date in the property’s zone: 400, nothing is posted', async () => {
      await clear();
      await core.core.store.db
        .updateTable('properties')
        .set({ time_zone: 'Asia/Tokyo' })
        .where('id', '=', barn)
        .execute();
      const stay_code = await book(0, barn);
      await review(10);
      const { plan_id } = await planOf(stay_code, 'review');
      // 23:30 of the day before in Tokyo, then half past midnight.
      core.clock.jump(Date.parse('2026-11-22T14:30:00Z') - core.clock.now());
      assert.equal(outcome(await execute(plan_id)), 400);
      assert.deepEqual([sent, (await planOf(stay_code, 'review')).plan_id], [[], plan_id]);
      core.clock.jump(HOUR);
      assert.equal(outcome(await execute(plan_id)), 200);
      assert.deepEqual(sent, [{ what: 'review', stay: stay_code, said: { host_review_score: 5 } }]);
      core.clock.jump(Date.parse('2026-11-20T12:00:00Z') - core.clock.now());
    });

    it('another type is listed, and neither executed nor deleted: 400', async () => {
      await clear();
      const stay_code = await book(7);
      await rule({ type: 'task', name: 'Clean', event: 'check_out', hours: 0, action: { task_type: 'cleaning' } });
      const { plan_id, send_to } = await planOf(stay_code, 'task');
      assert.equal(send_to, 'staff');
      assert.deepEqual([outcome(await execute(plan_id)), outcome(await remove(plan_id))], [400, 400]);
      assert.ok(await planOf(stay_code, 'task'));
    });

    it('what fails stays planned, and nothing of it is kept', async () => {
      await clear();
      const stay_code = await book(8);
      await rule();
      const { plan_id } = await planOf(stay_code);
      failure = new ApiError(501, 'Not here.');
      const rows = async () => [
        await core.core.store.db.selectFrom('automation_plans').selectAll().execute(),
        await core.core.store.db.selectFrom('audit').select('action').where('action', '=', 'sentMessage').execute(),
      ];
      const before = await rows();
      assert.equal(outcome(await execute(plan_id)), 501);
      assert.deepEqual(await rows(), before);
      failure = undefined;
      assert.equal(outcome(await execute(plan_id)), 200);
    });
  });

  describe('the worker', () => {
    before(clear);

    it('carries out what is due, when it is due, once, whoever starts again', async () => {
      const stay_code = await book(3);
      await rule();
      await work();
      assert.equal(sent.length, 0);
      await untilDue(stay_code);
      await Promise.all([work(), work()]);
      await work();
      assert.deepEqual(
        sent.map((one) => one.stay),
        [stay_code],
      );
      assert.deepEqual(await list({ stay_code }), []);
    });

    it('by its clock, without being asked', async () => {
      await clear();
      await book(3);
      await rule();
      const worker = automationWorker({ core: core.core, log: silentLogger, ports });
      await worker.start();
      await core.clock.advance(12 * HOUR);
      assert.equal(sent.length, 0);
      for (let hours = 0; hours < 48 && sent.length === 0; hours += 1) {
        core.clock.jump(HOUR);
        await core.clock.advance(6_000);
        await core.clock.until(() => !worker.busy);
      }
      await worker.stop();
      assert.equal(sent.length, 1);
      assert.equal(core.clock.waiting, 0, 'no timer is left');
    });

    it('tries again what failed, later each time, and gives up after a day', async () => {
      await clear();
      const stay_code = await book(3);
      await rule();
      failure = new ApiError(502, 'A channel failed.');
      await untilDue(stay_code);
      const row = () => core.core.store.db.selectFrom('automation_plans').selectAll().executeTakeFirstOrThrow();
      await work();
      const first = await row();
      assert.deepEqual([first.state, first.attempts, first.problem], ['waiting', 1, 'A channel failed.']);
      await work();
      assert.equal((await row()).attempts, 1, 'not before its pause is over');
      core.clock.jump(120_000);
      await work();
      assert.equal((await row()).attempts, 2);
      core.clock.jump(25 * HOUR);
      failure = undefined;
      await work();
      assert.deepEqual([(await row()).state, sent], ['failed', []]);
    });

    it('what can never succeed is not tried again', async () => {
      await clear();
      const stay_code = await book(3);
      await rule();
      failure = new ApiError(400, 'The conversation is closed.');
      await untilDue(stay_code);
      await work();
      const row = await core.core.store.db.selectFrom('automation_plans').selectAll().executeTakeFirstOrThrow();
      assert.deepEqual([row.state, row.problem], ['failed', 'The conversation is closed.']);
    });

    it('makes the task of a task rule', async () => {
      await clear();
      const stay_code = await book(2);
      await rule({ type: 'task', event: 'check_out', hours: 0, action: { task_type: 'cleaning', note: 'linen' } });
      await untilDue(stay_code, 'task');
      await work();
      const { tasks } = await core.call('listTasks');
      assert.deepEqual(
        tasks.map((one: any) => [one.stay_code, one.type, one.property_id, one.note]),
        [[stay_code, 'cleaning', mill, 'linen']],
      );
    });

    it('goes on with a rule whose planning was cut off', async () => {
      await clear();
      const stay_code = await book(5);
      await rule();
      const { db } = core.core.store;
      await db.deleteFrom('automation_plans').execute();
      await db.updateTable('automation_rules').set({ planned_to: 0 }).execute();
      await work();
      assert.ok(await planOf(stay_code));
    });
  });

  describe('rules', () => {
    it('that make no sense are refused, naming the field', async () => {
      const refused = async (over: Parameters<typeof rule>[0]) => {
        const error = await rule(over).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        return error instanceof ApiError ? [error.code, error.field] : error;
      };
      assert.deepEqual(await refused({ event: 'booking', hours: -1 }), [422, 'hours']);
      assert.deepEqual(await refused({ type: 'review', event: 'check_in', action: { host_review_score: 5 } }), [
        422,
        'event',
      ]);
      assert.deepEqual(await refused({ action: {} }), [422, 'action.content']);
      assert.deepEqual(await refused({ type: 'review', event: 'check_out', hours: 1, action: {} }), [422, 'action']);
      assert.deepEqual(await refused({ property_ids: [999_999] }), [404, 'property_id']);
    });
  });
}

describe('automation over v3', () => automation(async () => undefined));

describeOnPostgres('automation over v3, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  automation(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});
