import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { alter } from '../../src/sandbox/change.ts';
import fc from 'fast-check';
import type { Posted } from '../../src/automations/context.ts';
import type { Action } from '../../src/automations/rules/actions.ts';
import { occurrenceFor, occurrenceIn, partFor, partsOf } from '../../src/automations/rules/parts.ts';
import type { Rule } from '../../src/automations/rules/rule.ts';
import { type Booked, type House, openHouse } from './support/house.ts';
import { recipe, soon } from './support/recipes.ts';

const MINUTE = 60_000;
const rule = (when: string, action: string, more = '') =>
  `name: several\nstate: live\nwhen: ${when}\n${more}do: ${action}\n`;
const MESSAGE = '{ message: { text: "Welcome {{ guest.first_name }}" } }';
const NOTE = '{ note: { add: "Noted {{ stay.reservation_code }}" } }';
const TASK = '{ task: { type: cleaning } }';
const POST = '{ http: { to: team, body: { code: "{{ stay.reservation_code }}" } } }';

describe('parts of a rule', () => {
  const actions = ['message', 'note', 'task', 'http', 'tag'];
  const ruleOf = (names: readonly string[]): Rule => {
    const actions = names.map((name) => ({ name }) as Action);
    return { name: 'a', do: actions[0], actions, part: null } as unknown as Rule;
  };

  it('know their plans again, whatever else the rule does, and in whatever order', () => {
    const lists = fc.tuple(fc.subarray(actions, { minLength: 1 }), fc.subarray(actions));
    fc.assert(
      fc.property(lists, ([before, more]) => {
        for (const part of partsOf(ruleOf(before))) {
          const plan = { occurrence: occurrenceFor(part, '2027-03-01'), action: part.do.name };
          assert.equal(occurrenceIn(plan), '2027-03-01');
          assert.equal(partFor(ruleOf(before), plan)?.do.name, part.do.name);
          const after = ruleOf([...more.filter((one) => !before.includes(one)), ...before.toReversed()]);
          assert.equal(partFor(after, plan)?.do.name, part.do.name);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('of a rule with one action are the rule itself, by the keys of before', () => {
    const one = ruleOf(['message']);
    assert.deepEqual(partsOf(one), [one]);
    for (const key of ['answer', 'stay', '2027-03-01', '17', '17 deposit_paid 1', 'reply'])
      assert.equal(occurrenceFor(one, key), key);
    assert.equal(partFor(one, { occurrence: 'answer', action: 'draft' }), one);
    assert.equal(partFor(one, { occurrence: 'answer + note', action: 'note' }), undefined);
  });

  it('a message that was said alone is the message of a list, before or behind others', () => {
    const plan = { occurrence: 'booking', action: 'message' };
    for (const list of [
      ['note', 'message'],
      ['message', 'note'],
      ['http', 'draft', 'http'],
    ])
      assert.equal(partFor(ruleOf(list), plan)?.part, 'message');
  });
});

describe('several actions of one rule', () => {
  let house: House;
  const posted: { id: string; code: string }[] = [];
  let answers: Posted[] = [];
  before(async () => {
    house = await openHouse({
      rules: '',
      settings: { hooks: { team: { url: 'https://team.example/', secret: 'whsec_dGVhbQ==' } } },
      post: (_hook, id, body) => {
        posted.push({ id, code: JSON.parse(body).data.code });
        return Promise.resolve(answers.shift() ?? { outcome: 'delivered', detail: 'delivered (200)' });
      },
    });
  });
  after(() => house.close());
  let days = 2;
  const book = (more: object = {}) => house.book({ inDays: (days += 8), nights: 3, ...more });
  const plansOf = ({ reservation_code, conversation_id }: Booked) =>
    house.daemon.store.db
      .selectFrom('automation_plans')
      .select(['action', 'occurrence', 'state', 'reason', 'attempts', 'version'])
      .where('rule', '=', 'several')
      .where((eb) => eb.or([eb('stay_code', '=', reservation_code), eb('conversation_id', '=', conversation_id)]))
      .orderBy('plan_id')
      .execute();
  const states = async (made: Booked) => (await plansOf(made)).map(({ action, state }) => `${action} ${state}`);
  const isOver = (made: Booked, count: number) => async () => {
    const plans = await plansOf(made);
    return plans.length === count && plans.every(({ state }) => state !== 'planned' && state !== 'sending');
  };
  const tasksOf = async ({ reservation_code }: Booked) =>
    (await house.host('GET', '/tasks?limit=100')).data.tasks.filter((one: any) => one.stay_code === reservation_code);
  const noteOf = async ({ conversation_id }: Booked) =>
    (await house.host('GET', `/conversations/${conversation_id}`)).data.note;

  it('are each done once, and one that fails for a while keeps no other back and repeats none', async () => {
    await house.use(rule('1 minute after booking', `[${POST}, ${MESSAGE}, ${NOTE}, ${TASK}]`));
    answers = [
      { outcome: 'unsure', detail: 'timeout' },
      { outcome: 'refused', detail: 'refused (503)' },
    ];
    const made = await book();
    await house.until(isOver(made, 4), 'all four to end');
    assert.deepEqual(await states(made), ['http sent', 'message sent', 'note sent', 'task sent']);
    assert.deepEqual(
      (await plansOf(made)).map(({ attempts }) => attempts),
      [3, 1, 1, 1],
    );
    assert.deepEqual(await house.said(made.conversation_id), ['Welcome Ada']);
    assert.equal(await noteOf(made), `Noted ${made.reservation_code}`);
    assert.equal((await tasksOf(made)).length, 1);
    assert.equal(new Set(posted.map(({ id }) => id)).size, 1);
    await house.pass(10 * MINUTE);
    assert.equal((await house.said(made.conversation_id)).length, 1);
  });

  it('each counts: with max_per_hour 2 the third waits for a person', async () => {
    await house.use(
      rule('1 minute after booking', `[${MESSAGE}, ${NOTE}, ${TASK}]`, 'max_per_hour: 2\n').replace(
        'several',
        'counted',
      ),
    );
    const made = await book();
    await house.until(
      async () => (await house.automations.log({ rule: 'counted', what: 'paused', limit: 1 })).length === 1,
      'a pause',
    );
    const plans = (await house.plans()).filter(
      (one) => one.rule === 'counted' && one.stay_code === made.reservation_code,
    );
    assert.deepEqual(
      plans.map(({ state }) => state),
      ['sent', 'sent', 'planned'],
    );
  });

  it('about a message of a guest are all done, though the first of them answers it', async () => {
    await house.use(
      rule(
        'message from guest',
        `[${MESSAGE}, { note: { add: "Wrote: {{ message.text }}" } }, ${POST}]`,
        'max_turns: 1\n',
      ),
    );
    const made = await book();
    await house.pass(5_000);
    await house.write(made.conversation_id, 'Is there a lift?');
    await house.until(isOver(made, 3), 'all three to end');
    assert.deepEqual(await states(made), ['message sent', 'note sent', 'http sent']);
    assert.deepEqual(await house.said(made.conversation_id), ['Welcome Ada']);
    assert.equal(await noteOf(made), 'Wrote: Is there a lift?');
  });

  it('a rule with one action goes by the keys of before, and gets another one without saying anything twice', async () => {
    await house.use(rule('1 day before check_in at 10:00', MESSAGE));
    const made = await book();
    await house.reaches('several', 'planned', made.reservation_code);
    const [plan] = await plansOf(made);
    const { check_in_date } = (await house.host('GET', `/reservations?reservation_code=${made.reservation_code}`)).data
      .reservations[0];
    assert.equal(plan?.occurrence, check_in_date, 'as it was before there were several');
    const pending = (await house.automations.pending({ limit: 50 })) as { plan_id: string; stay_code: string }[];
    const waiting = pending.find((one) => one.stay_code === made.reservation_code);
    await house.automations.approve(waiting?.plan_id ?? '');
    await house.until(async () => (await states(made)).join() === 'message sent', 'the message');
    // Its time is yet to come, so that nothing but its key keeps it from being said again.
    for (const action of [`[${NOTE}, ${MESSAGE}]`, `[${MESSAGE}, ${NOTE}]`, MESSAGE]) {
      await house.use(rule('1 day before check_in at 10:00', action));
      await house.pass(5_000);
      const messages = (await plansOf(made)).filter(({ action }) => action === 'message');
      assert.deepEqual(
        messages.map(({ state }) => state),
        ['sent'],
        action,
      );
    }
    assert.deepEqual(
      (await plansOf(made)).filter(({ action }) => action === 'note').map(({ state, reason }) => [state, reason]),
      [['cancelled', 'rule_removed']],
    );
    assert.deepEqual(await house.said(made.conversation_id), ['Welcome Ada']);
  });

  it('a task that a rule has made alone still moves with its stay when the rule does more', async () => {
    await house.use(rule('1 minute after booking', TASK));
    const made = await book();
    await house.reaches('several', 'sent', made.reservation_code);
    await house.use(rule('1 minute after booking', `[${NOTE}, ${TASK}]`));
    const [task] = await tasksOf(made);
    const named = { channel_type: house.listing.channel_type, channel_id: made.channel_id };
    const later = new Date(Date.parse(task.expected_date) + 2 * 24 * 60 * MINUTE).toISOString().slice(0, 10);
    await house.change((change) => alter(change, named, { room: 0, check_out_date: later }));
    await house.until(async () => (await tasksOf(made))[0].expected_date === later, 'the task to move');
    assert.equal((await tasksOf(made)).length, 1);
  });

  it('large-party has somebody receive them, notes it, and tells the team', async () => {
    await house.use(soon(recipe('large-party')));
    const made = await book({ guests: 9 });
    const plans = async () => (await house.plans()).filter((one) => one.stay_code === made.reservation_code);
    await house.until(
      async () => (await plans()).length === 3 && (await plans()).every(({ state }) => state === 'sent'),
      'all three',
    );
    assert.equal((await tasksOf(made))[0].note, '9 guests come');
    assert.equal(await noteOf(made), 'Large party: 9 guests');
    const { rows } = await house.automations.test({ since: '2026-11-20T00:00:00.000Z', limit: 100 });
    const mine = rows.filter(({ about }) => about === made.reservation_code);
    assert.deepEqual(
      mine.map(({ because }) => because),
      ['task', 'note', 'http'],
    );
    const { rules } = (await house.automations.list()) as { rules: { action: string }[] };
    assert.equal(rules[0]?.action, 'task, note, http');
  });
});
