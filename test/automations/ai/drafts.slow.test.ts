import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { call, newToken, until } from '../../support/service.ts';
import { type Inn, KEY, openInn } from './support/inn.ts';
import { HANGS, type Obey } from './support/obedientModel.ts';

const RULES = `
name: answers
state: live
when: message from guest
do:
  ai_draft:
    before: { en: "Hello {{ guest.first_name }},", de: "Hallo {{ guest.first_name }}," }
    after: "Your hosts"
    instructions: Be brief.
---
name: thanks
state: live
when: booking
quiet: "off"
do:
  draft: { text: "Thank you, {{ guest.name }}." }
`;
const PARKING = 'There is a free parking place behind the house, number 7.';
const ENTRIES = [
  { title: 'Parking', content: PARKING },
  { title: 'Wi-Fi', content: 'The network is called Mill Guests.' },
  { title: 'Breakfast', content: 'Breakfast is served from 8 to 10 in the garden.', is_enable: false },
];
/** A model that says what it was given. */
const plain: Obey = ({ data }) => data.knowledge.map((one: { text: string }) => one.text).join(' ');

describe('drafts by a language model', () => {
  let inn: Inn;
  before(async () => {
    inn = await openInn(RULES, ENTRIES, { obey: plain, environment: { STAYD_AI_TIMEOUT_SECONDS: '1' } });
  });
  after(() => inn.close());
  afterEach(() => {
    inn.model.obey = plain;
    inn.model.received.length = 0;
  });
  const decide = (planId: string, verb: 'approve' | 'cancel', body: object = {}) =>
    call(inn.service, 'POST', `/portal/automations/plans/${planId}/${verb}`, { body });
  /** A message in a conversation of its own, and what came of it. */
  const ask = async (content: string) => {
    const { conversation_id } = await inn.book();
    await inn.write(conversation_id, content);
    return inn.decided(conversation_id, 1);
  };

  it('a guest asks, the model is given what the knowledge base says, and its words wait until a person sends them', async () => {
    const plan = await ask('Hello, where can we park the car?');
    assert.deepEqual([plan.state, plan.reason], ['awaiting_approval', 'draft']);
    assert.equal(plan.text, `Hello Ada,\n\n${PARKING}\n\nYour hosts`);
    assert.deepEqual(
      plan.sources?.map(({ title, text }) => [title, text]),
      [['Parking', PARKING]],
    );
    assert.deepEqual(await inn.said(plan.conversation_id), []);
    const [asked, ...more] = inn.model.received;
    assert.deepEqual(more, []);
    assert.deepEqual(
      [asked?.method, asked?.path, asked?.authorization],
      ['POST', '/v1/chat/completions', `Bearer ${KEY}`],
    );
    assert.match(asked?.body.messages[0].content, /How the host likes to write: Be brief\./);
    assert.equal((await decide(plan.plan_id, 'approve')).http, 200);
    await until(async () => (await inn.said(plan.conversation_id)).length > 0, 'the message');
    assert.deepEqual(await inn.said(plan.conversation_id), [plan.text]);
    assert.equal(inn.model.received.length, 1);
    const kept = `select * from mirror.automation_drafts where plan_id = '${plan.plan_id}'`;
    await until(async () => (await inn.service.rows(kept)).length === 0, 'the draft to go');
  });

  it('a person sends other words, or none', async () => {
    const plan = await ask('Parking?');
    assert.equal((await decide(plan.plan_id, 'approve', { text: 'Park on the left, please.' })).http, 200);
    await until(async () => (await inn.said(plan.conversation_id)).length > 0, 'the message');
    assert.deepEqual(await inn.said(plan.conversation_id), ['Park on the left, please.']);
    const other = await ask('Is there wifi?');
    assert.equal((await decide(other.plan_id, 'cancel')).http, 200);
    assert.equal((await decide(other.plan_id, 'approve', { text: 'Yes.' })).http, 409);
    assert.deepEqual(await inn.said(other.conversation_id), []);
  });

  it('finds in the knowledge base what a guest calls otherwise, and answers in the guest’s language', async () => {
    inn.model.obey = ({ system }) =>
      system.includes('code de.') ? 'Der Parkplatz ist hinter dem Haus.' : 'Behind it.';
    const plan = await ask('Guten Tag, wo ist bitte der Parkplatz, und ist er kostenlos?');
    assert.deepEqual([plan.reason, plan.sources?.map((one) => one.title)], ['draft', ['Parking']]);
    inn.model.obey = plain;
    const english = await ask('Guten Tag, wo ist bitte der Parkplatz, und ist er kostenlos?');
    assert.deepEqual([english.reason, english.text], ['ai_refused', null]);
    assert.match(english.because, /did not pass: another language$/);
  });

  it('what only a person answers, and what the knowledge base does not, is shown to no model', async () => {
    // Breakfast is switched off by the host.
    const [topic, unknown, off] = await Promise.all(
      ['The parking place was taken, I want a refund!', 'Do you know a good dentist?', 'When is breakfast?'].map(ask),
    );
    assert.ok(topic && unknown && off);
    assert.deepEqual([topic.state, topic.reason, topic.text], ['awaiting_approval', 'ai_topic', null]);
    assert.equal(topic.because, 'only a person answers this: refund');
    assert.deepEqual([unknown.state, unknown.reason], ['awaiting_approval', 'ai_no_source']);
    assert.equal(off.reason, 'ai_no_source');
    assert.deepEqual(inn.model.received, []);
    const { entries } = await inn.service.portal('GET', `/portal/automations/log?plan=${topic.plan_id}`);
    assert.deepEqual(
      entries.map((one: { what: string }) => one.what),
      ['awaiting_approval', 'planned'],
    );
    const refused = await decide(topic.plan_id, 'approve');
    assert.deepEqual([refused.http, refused.json.error.field], [422, 'text']);
  });

  it('whatever goes wrong with the model, it is asked once, and the message waits for a person with the reason', async () => {
    const failures: [about: string, answer: ReturnType<Obey>, because: RegExp][] = [
      [
        'for one car',
        { status: 500, json: { error: { message: PARKING, code: 'overloaded' } } },
        /answered 500 \(overloaded\)$/,
      ],
      ['for two cars', { status: 302, json: {} }, /answered 302$/],
      ['for a van', HANGS, /no answer within 1 s$/],
      ['for a bus', { json: { hello: 'world' } }, /the answer is no chat completion$/],
      ['for a bike', '   ', /it wrote nothing$/],
      ['for a boat', 'NO_ANSWER', /does not answer it: the model says so$/],
      ['for a truck', 'Look at https://elsewhere.example/x', /did not pass: a link$/],
    ];
    inn.model.obey = ({ data }) => failures.find(([about]) => data.message_of_guest.endsWith(about))?.[1] ?? '';
    const plans = await Promise.all(failures.map(([about]) => ask(`Is there parking ${about}`)));
    for (const [index, { state, text, because, conversation_id }] of plans.entries()) {
      assert.deepEqual([state, text], ['awaiting_approval', null]);
      assert.match(because, failures[index]?.[2] ?? /^$/);
      assert.deepEqual(await inn.said(conversation_id), []);
    }
    assert.equal(inn.model.received.length, failures.length);
  });

  it('a newer message takes the place of the older draft, and is answered with it in view', async () => {
    const first = await ask('Where is the parking?');
    await inn.write(first.conversation_id, 'And is there wifi?');
    const second = await inn.decided(first.conversation_id, 2);
    assert.notEqual(second.plan_id, first.plan_id);
    assert.match(second.text ?? '', /Mill Guests/);
    assert.match(second.text ?? '', /number 7/);
    const [row] = await inn.service.rows(
      `select state, reason from mirror.automation_plans where plan_id = '${first.plan_id}'`,
    );
    assert.deepEqual(row, { state: 'skipped', reason: 'superseded' });
    assert.equal(
      (await inn.pending()).filter(
        (one) => one.conversation_id === first.conversation_id && one.reason === 'draft' && one.sources,
      ).length,
      1,
    );
  });

  it('a draft is made from the words that the knowledge base has now', async () => {
    await ask('Is there wifi?');
    const { knowledge_bases } = await inn.service.v3('GET', '/knowledge_bases?limit=10');
    const { id } = knowledge_bases.find((one: { title: string }) => one.title === 'Wi-Fi');
    await inn.service.v3('PATCH', `/knowledge_bases/${id}`, { content: 'The network is called New Mill.' });
    const isRead = async () => (await inn.service.v3('GET', `/knowledge_bases/${id}`)).process_status === 'done';
    await until(isRead, 'the entry to be processed');
    assert.match((await ask('Which wifi?')).text ?? '', /New Mill\./);
  });

  it('a dry run shows what a draft would be made from; only with --ask, and a token that may write, the model is asked', async () => {
    const about = 'since=2026-01-01&rule=answers&limit=200';
    const dry = await inn.service.portal('GET', `/portal/automations/test?${about}`);
    const parking = dry.rows.find((one: { text: string | null }) => one.text?.includes(PARKING));
    assert.match(parking.because, /^ai_draft from Parking \(\d+\)$/);
    assert.ok(
      dry.rows.some((one: { because: string }) => one.because === 'a person: only a person answers this: refund'),
    );
    assert.deepEqual(inn.model.received, []);
    const body = { since: '2026-01-01', rule: 'answers', limit: 3, ask: true };
    const token = await newToken(inn.service, 'read');
    assert.equal((await call(inn.service, 'POST', '/portal/automations/test', { token, body })).http, 401);
    assert.deepEqual(inn.model.received, []);
    const asked = await inn.service.portal('POST', '/portal/automations/test', body);
    assert.ok(inn.model.received.length >= 1 && inn.model.received.length <= 3);
    assert.ok(asked.rows.some((one: { text: string | null }) => one.text?.startsWith('Hello Ada,')));
  });

  it('an erased guest’s drafts go, whoever has written them, and their plans end', async () => {
    const made = await inn.book('Quinlan Smith');
    await inn.write(made.conversation_id, 'Where is the parking?');
    const drafted = async () =>
      (await inn.pending()).filter((one) => one.conversation_id === made.conversation_id && one.text !== null);
    await until(async () => (await drafted()).length === 2, 'both drafts');
    assert.ok((await drafted()).some((one) => one.text === 'Thank you, Quinlan Smith.'));
    const others = Number((await inn.service.rows('select count(*) as n from mirror.automation_drafts'))[0]?.['n']) - 2;
    await inn.service.portal('POST', '/portal/erase_guest', { reservation_code: made.reservation_code });
    assert.deepEqual(await drafted(), []);
    const left = await inn.service.rows('select * from mirror.automation_drafts');
    assert.equal(left.length, others);
    assert.ok(!JSON.stringify(left).includes('Quinlan'));
    const plans = await inn.service.rows(
      `select rule, state, reason from mirror.automation_plans where conversation_id = '${made.conversation_id}' order by rule`,
    );
    assert.deepEqual(plans, [
      { rule: 'answers', state: 'cancelled', reason: 'erased' },
      { rule: 'thanks', state: 'cancelled', reason: 'erased' },
    ]);
  });

  it('the budget of a day is kept', async () => {
    await inn.service.run(
      `insert into mirror.ai_requests (connection, request_id, rule, model, started_at, outcome)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
       select 'local', 'old' || i, 'answers', 'obedient', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'answered' from n`,
    );
    const plan = await ask('Where is the parking?');
    assert.deepEqual([plan.reason, inn.model.received], ['ai_budget', []]);
  });

  it('without a model the rule has a mistake, unless it is a draft', async () => {
    await inn.service.restart({ STAYD_AI_URL: '', STAYD_AI_MODEL: '', STAYD_AI_LOCAL: '' });
    const { mistakes } = await inn.service.portal('GET', '/portal/automations');
    assert.deepEqual(
      mistakes.map((one: { path: string; problem: string }) => [one.path, one.problem]),
      [['do.ai_draft', 'needs a language model: set ai.url and ai.model in the configuration']],
    );
  });
});
