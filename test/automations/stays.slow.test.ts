import assert from 'node:assert/strict';
import { sha256Hex } from '../../src/kernel/signature.ts';
import { keyedHash } from '../support/keyedHash.ts';
import { after, before, describe, it } from 'node:test';
import { alter, cancel } from '../../src/sandbox/change.ts';
import { review } from '../../src/sandbox/write.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import type { Posted } from '../../src/automations/context.ts';
import { prune } from '../../src/automations/plans/prune.ts';
import { CONNECTION } from '../sim/daemon.ts';
import { type Booked, type House, openHouse } from './support/house.ts';

const MINUTE = 60_000;

const arrival = (more: string) => `
name: arrival
state: live
${more}
`;

describe('what rules do about stays', () => {
  let house: House;
  const posted: { id: string; body: any }[] = [];
  let answers: Posted[] = [];
  before(async () => {
    house = await openHouse({
      rules: '',
      settings: { hooks: { team: { url: 'https://team.example/', secret: 'whsec_dGVhbQ==' } } },
      post: (_hook, id, body) => {
        posted.push({ id, body: JSON.parse(body) });
        return Promise.resolve(answers.shift() ?? { outcome: 'delivered', detail: 'delivered (200)' });
      },
    });
  });
  after(() => house.close());

  const planOf = async (stay: string) =>
    house.daemon.store.db
      .selectFrom('automation_plans')
      .selectAll()
      .where('stay_code', '=', stay)
      .orderBy('plan_id')
      .execute();
  const states = async (stay: string) =>
    (await planOf(stay)).map((one) => [one.state, one.reason].filter(Boolean).join(' '));
  const named = ({ channel_id }: Booked) => ({ channel_type: house.listing.channel_type, channel_id });
  const host = async (method: string, path: string, body?: object) => (await house.host(method, path, body)).data;
  const reservation = async (code: string) =>
    (await host('GET', `/reservations?reservation_code=${code}`)).reservations[0];

  it('a plan moves with its stay, and ends with it', async () => {
    await house.use(arrival('when: 1 day before check_in at 10:00\ndo: { message: { text: "See you tomorrow" } }'));
    const made = await house.book({ inDays: 10 });
    await house.reaches('arrival', 'planned', made.reservation_code);
    const [before] = await planOf(made.reservation_code);
    await house.change((change) =>
      alter(change, named(made), { room: 0, check_in_date: '2026-12-03', check_out_date: '2026-12-06' }),
    );
    await house.until(async () => (await planOf(made.reservation_code)).length === 2, 'another plan');
    const [, moved] = await planOf(made.reservation_code);
    assert.deepEqual(await states(made.reservation_code), ['cancelled moved', 'planned']);
    assert.ok((before?.send_at ?? '') < (moved?.send_at ?? ''));
    assert.equal(moved?.send_at, '2026-12-02T09:00:00.000Z');
    await house.change((change) => cancel(change, named(made)));
    await house.until(async () => (await states(made.reservation_code))[1] === 'cancelled stay_status', 'the end');
  });

  it('nothing is said to a stay that was cancelled a moment before, though the mirror does not know yet', async () => {
    await house.use(arrival('when: 2 minutes after booking\ndo: { message: { text: "Welcome" } }'));
    const made = await house.book({ inDays: 20 });
    await house.reaches('arrival', 'planned', made.reservation_code);
    await house.pass(MINUTE);
    house.core.spoilDeliveries({ drop: 1, double: 0, reorder: 0, delay_ms: 0 });
    await house.change((change) => cancel(change, named(made)));
    await house.pass(2 * MINUTE);
    house.core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
    assert.deepEqual(await house.said(made.conversation_id), []);
    assert.deepEqual(await states(made.reservation_code), ['skipped stay_status']);
  });

  it('a booking that comes after the time of a rule gets nothing, or a text of its own', async () => {
    const when = 'when: 9 days before check_in at 16:00\ndo: { message: { text: "Nine days to go" } }';
    await house.use(arrival(when));
    const early = await house.book({ inDays: 5 });
    await house.pass(5_000);
    assert.deepEqual(await states(early.reservation_code), []);
    await house.use(arrival(`${when}\nif_past: { after: 1 minute, text: "You are quick, {{ guest.first_name }}!" }`));
    const late = await house.book({ inDays: 7 });
    await house.reaches('arrival', 'sent', late.reservation_code);
    assert.deepEqual(await house.said(late.conversation_id), ['You are quick, Ada!']);
  });

  it('a lock code is told near arrival alone, and waits for what is missing', async () => {
    await house.use(
      arrival(
        'when: 1 minute after booking\nsecrets_within: 48 hours\nnot_after: 10 minutes\ndo: { message: { text: "Your code is {{ stay.lock_code }}" } }',
      ),
    );
    const far = await house.book({ inDays: 30 });
    const near = await house.book({ inDays: 1 });
    await house.pass(2 * MINUTE);
    assert.deepEqual(await states(far.reservation_code), ['planned not_near']);
    assert.deepEqual(await states(near.reservation_code), ['planned missing']);
    await host('PATCH', `/reservations/${near.reservation_code}/check_in_details`, { lock_code: '4711' });
    await house.pass(2 * MINUTE);
    assert.deepEqual(await house.said(near.conversation_id), ['Your code is 4711']);
    assert.deepEqual(await house.said(far.conversation_id), []);
    await house.pass(12 * MINUTE);
    assert.deepEqual(await states(far.reservation_code), ['skipped too_late']);
  });

  it('quiet hours put it off to the morning, where the property is', async () => {
    await house.use(arrival('when: 1 minute after booking\nquiet: 13:00-09:00\ndo: { message: { text: "Welcome" } }'));
    const made = await house.book({ inDays: 40 });
    await house.reaches('arrival', 'planned', made.reservation_code);
    const [plan] = await planOf(made.reservation_code);
    assert.match(plan?.due_at ?? '', /^2026-11-20T12/);
    assert.equal(plan?.send_at, '2026-11-21T08:00:00.000Z');
    await house.automations.cancel(plan?.plan_id ?? '');
    assert.deepEqual(await states(made.reservation_code), ['cancelled person']);
  });

  it('a rule in test does everything but the action', async () => {
    await house.use(
      arrival('when: 1 minute after booking\ndo: { message: { text: "Welcome {{ guest.name }}" } }').replace(
        'live',
        'test',
      ),
    );
    const made = await house.book({ inDays: 50 });
    await house.reaches('arrival', 'tested', made.reservation_code);
    assert.deepEqual(await house.said(made.conversation_id), []);
    const [draft] = await house.daemon.store.db.selectFrom('automation_drafts').select('text').execute();
    assert.equal(draft?.text, 'Welcome Ada Guest');
  });

  it('a mistake in the file stops the rule until it is corrected, and its plan goes on', async () => {
    const good = arrival('when: 2 minutes after booking\ndo: { message: { text: "Welcome" } }');
    await house.use(good);
    const made = await house.book({ inDays: 60 });
    await house.reaches('arrival', 'planned', made.reservation_code);
    await house.use(good.replace('Welcome', 'Welcome {{ guest.nam }}'));
    await house.pass(3 * MINUTE);
    assert.deepEqual(await states(made.reservation_code), ['planned rule_broken']);
    const { mistakes } = await house.automations.list();
    assert.deepEqual(mistakes, [
      {
        file: 'rules.yaml',
        rule: 'arrival',
        line: 5,
        path: 'do.message.text',
        problem: '{{ guest.nam }} is no field; docs/automations.md lists them',
      },
    ]);
    await house.use(good);
    await house.reaches('arrival', 'sent', made.reservation_code);
  });

  it('a task is made once, moves with the stay, and is called off with it', async () => {
    await house.use(
      arrival(
        'when: 1 minute after booking\ndo:\n  task: { type: cleaning, on: check_out, at: "11:00", note: "{{ property.name }}{% if stay.same_day_arrival %}, next guests today{% endif %}" }',
      ),
    );
    const made = await house.book({ inDays: 70 });
    const next = await house.book({ inDays: 72 });
    await house.reaches('arrival', 'sent', made.reservation_code);
    const tasks = async () =>
      (await host('GET', '/tasks?limit=100')).tasks.filter((one: any) => one.stay_code === made.reservation_code);
    const [task] = await tasks();
    assert.deepEqual(
      [task.expected_date, task.expected_time, task.note],
      ['2027-01-31', '11:00:00', 'Sea View, next guests today'],
    );
    await house.change((change) => cancel(change, named(next)));
    await house.change((change) => alter(change, named(made), { room: 0, check_out_date: '2027-02-02' }));
    await house.until(async () => (await tasks())[0].expected_date === '2027-02-02', 'the task to move');
    assert.equal((await tasks()).length, 1);
    await house.change((change) => cancel(change, named(made)));
    await house.until(async () => (await tasks())[0].status === 'cancelled', 'the task to be called off');
    assert.deepEqual(await states(made.reservation_code), ['cancelled stay_status']);
  });

  it('a lock code is made, and goes with the stay', async () => {
    await house.use(arrival('when: 1 minute after booking\ndo: { lock_code: { digits: 6 } }'));
    const made = await house.book({ inDays: 80 });
    await house.reaches('arrival', 'sent', made.reservation_code);
    const { lock_code } = (await reservation(made.reservation_code)).check_in_details;
    assert.match(lock_code, /^\d{6}$/);
    // The number of the plan stands in the database, and would open the door for who has a copy of it.
    const { plan_id } = await house.daemon.store.db
      .selectFrom('automation_plans')
      .select('plan_id')
      .where('stay_code', '=', made.reservation_code)
      .executeTakeFirstOrThrow();
    const guessed = BigInt(`0x${sha256Hex(`lock code of ${plan_id}`)}`)
      .toString()
      .slice(-6);
    assert.notEqual(lock_code, guessed);
    assert.equal(
      lock_code,
      BigInt(`0x${sha256Hex(keyedHash(`lock code of ${plan_id}`))}`)
        .toString()
        .slice(-6),
    );
    await house.change((change) => cancel(change, named(made)));
    await house.until(
      async () => (await reservation(made.reservation_code)).check_in_details.lock_code === null,
      'no code',
    );
  });

  it('tags, fields, notes and blocked nights follow an event or a change', async () => {
    const one = (name: string, action: string) =>
      `name: ${name}\nstate: live\nwhen: { change: reservation, op: created }\ndo: ${action}\n`;
    await house.use(
      [
        one('tagged', '{ tag: { add: long } }').replace('do:', 'if: { nights: { at_least: 2 } }\ndo:'),
        one('field', '{ custom_field: { name: source, value: "{{ stay.channel_type }}" } }'),
        one('noted', '{ note: { add: "Booked {{ stay.nights }} nights" } }'),
        one('blocked', '{ availability: { available: false, from: check_out, nights: 1 } }'),
        one('short', '{ tag: { add: short } }').replace('do:', 'if: { nights: { at_most: 1 } }\ndo:'),
      ].join('---\n'),
    );
    const made = await house.book({ inDays: 90 });
    const isOver = async () => {
      const now = await states(made.reservation_code);
      return now.length === 5 && now.every((one) => !one.startsWith('planned'));
    };
    await house.until(isOver, 'an end');
    const wire = await reservation(made.reservation_code);
    assert.deepEqual([wire.tags, wire.custom_fields], [['long'], { source: 'marketplace_a' }]);
    assert.equal((await host('GET', `/conversations/${made.conversation_id}`)).note, 'Booked 2 nights');
    const asked = `/availabilities?property_ids=${house.property_id}&start_date=${wire.check_out_date}&end_date=${wire.check_out_date}`;
    assert.equal((await host('GET', asked)).properties[0].availabilities[0].available, false);
    assert.ok((await states(made.reservation_code)).includes('skipped condition'));
  });

  it('a signed post is tried again under the same id, and carries the change', async () => {
    await house.use(
      'name: told\nstate: live\nwhen: { change: reservation, op: created }\ndo:\n  http: { to: team, body: { code: "{{ stay.reservation_code }}", nights: "{{ stay.nights }}", op: "{{ change.op }}" } }\n',
    );
    posted.length = 0;
    answers = [
      { outcome: 'unsure', detail: 'timeout' },
      { outcome: 'refused', detail: 'refused (503)' },
    ];
    const made = await house.book({ inDays: 100 });
    await house.reaches('told', 'sent');
    assert.equal(posted.length, 3);
    assert.equal(new Set(posted.map(({ id }) => id)).size, 1);
    assert.deepEqual(posted.at(-1)?.body.data, { code: made.reservation_code, nights: '2', op: 'created' });
    assert.notEqual(posted[0]?.body.timestamp, posted[2]?.body.timestamp);
  });

  it('a reply to a review is drafted and waits; what was said in private is nowhere', async () => {
    await house.use(
      'name: thanks\nstate: live\nwhen: { change: review }\nif: { score: { at_least: 4 } }\ndo:\n  review_reply: { text: "Thank you, {{ guest.first_name }}! {{ review.score }} of 5." }\n',
    );
    const made = await house.book({ inDays: -4, nights: 2, guest: 'Grace Hopper' });
    await house.pass(5_000);
    await house.change((change) =>
      review(change, named(made), { score: 5, content: 'Lovely.', private_feedback: 'SENTINEL drips' } as never),
    );
    await house.reaches('thanks', 'awaiting_approval');
    const [plan] = (await house.automations.pending({ limit: 5 })) as { plan_id: string; text: string }[];
    assert.equal(plan?.text, 'Thank you, Grace! 5 of 5.');
    await house.automations.approve(plan?.plan_id ?? '');
    await house.reaches('thanks', 'sent');
    const { reviews } = await host('GET', `/reviews?reservation_code=${made.reservation_code}`);
    assert.equal(reviews[0].host_reply.content, 'Thank you, Grace! 5 of 5.');
    const drafts = await house.daemon.store.db.selectFrom('automation_drafts').selectAll().execute();
    assert.ok(!JSON.stringify(drafts).includes('SENTINEL'));
  });

  it('test --since tells what rules would have done, and why not', async () => {
    await house.use(
      arrival(
        'when: 1 minute after booking\nif: { nights: { at_most: 2 } }\ndo: { message: { text: "Welcome {{ guest.first_name }}: {{ stay.lock_code }}" } }',
      ),
    );
    const { rows, acts, skips } = await house.automations.test({ since: '2026-11-20T00:00:00.000Z', limit: 100 });
    assert.ok(acts >= 1 && skips >= 5, `${acts} ${skips}`);
    assert.ok(rows.some(({ would, text }) => would === 'act' && text === 'Welcome Ada: ••••'));
    assert.ok(rows.some(({ because }) => because.includes('stay.lock_code')));
    assert.ok(rows.some(({ because }) => because.includes('cancelled')));
  });

  it('old finished plans go with their ledger and lines; what waits stays, and nobody is told again', async () => {
    await house.use(
      arrival('when: 1 minute after booking\ndo: { message: { text: "Welcome {{ guest.first_name }}" } }'),
    );
    const over = await house.book({ inDays: 9 });
    const unsure = await house.book({ inDays: 16 });
    const coming = await house.book({ inDays: 300 });
    for (const one of [over, unsure, coming]) await house.reaches('arrival', 'sent', one.reservation_code);
    const { db } = house.daemon.store;
    const [waiting] = await planOf(unsure.reservation_code);
    const [ended] = await planOf(over.reservation_code);
    assert.ok(waiting && ended);
    const asked = { connection: CONNECTION, rule: 'arrival', model: 'small', outcome: 'answered' as const };
    const counts = { ended_at: null, problem: null, prompt_tokens: 1, answer_tokens: 1 };
    const question = (request_id: string, days: number) => ({
      ...asked,
      ...counts,
      request_id,
      started_at: instantOf(house.time.newProcess().now() + days * 24 * 60 * MINUTE),
    });
    const dry = Array.from({ length: 250 }, (_, index) => question(`dry run ${index}`, 0));
    const rows = [question(ended.plan_id, 0), question(waiting.plan_id, 0), question('a dry run of late', 90), ...dry];
    await db.insertInto('ai_requests').values(rows).execute();
    await db.updateTable('automation_plans').set({ state: 'unknown' }).where('plan_id', '=', waiting.plan_id).execute();
    house.time.skipTo(house.time.elapsed() + 100 * 24 * 60 * MINUTE);
    await house.pass(5_000);
    const pruning = {
      store: house.daemon.store,
      connection: CONNECTION,
      clock: house.time.newProcess(),
      signal: new AbortController().signal,
    };
    const young = await prune(pruning, 120);
    assert.deepEqual([young.plans, young.questions], [0, 0], 'not yet');
    const gone = await prune(pruning, 60);
    assert.ok(gone.plans >= 1);
    assert.equal(gone.questions, 251);
    const questions = await db.selectFrom('ai_requests').select('request_id').orderBy('request_id').execute();
    assert.deepEqual(
      questions.map((one) => one.request_id),
      [waiting.plan_id, 'a dry run of late'].toSorted(),
    );
    const plans = await Promise.all([over, unsure, coming].map((one) => states(one.reservation_code)));
    assert.deepEqual(plans, [[], ['unknown'], ['sent']]);
    const ledger = await db.selectFrom('automation_sends').select('stay_code').execute();
    const lines = await db.selectFrom('automation_log').select('stay_code').execute();
    for (const rows of [ledger, lines]) {
      const stays = new Set(rows.map((row) => row.stay_code));
      assert.deepEqual(
        [over, unsure, coming].map((one) => stays.has(one.reservation_code)),
        [false, true, true],
      );
    }
    // Something about the stay changes, so that its plans are looked at again.
    await house.change((change) => alter(change, named(over), { room: 0, number_of_guests: 3 }));
    await house.until(
      async () => (await states(over.reservation_code)).join() === 'skipped too_late',
      'a plan in vain',
    );
    assert.equal((await house.said(over.conversation_id)).length, 1);
  });
});
