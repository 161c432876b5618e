import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CONNECTION } from '../sim/daemon.ts';
import { type House, openHouse, START } from './support/house.ts';

const MINUTE = 60_000;
const WIFI = `
name: wifi
state: live
when: message from guest
if: { says: [wifi] }
do:
  message: { text: "The network is called Sea View, {{ guest.first_name }}." }
`;
const EVERYTHING = `
name: anything
state: live
when: message from guest
max_turns: 2
do:
  message: { text: "Thank you: {{ message.text }}" }
`;

describe('replies to guests', () => {
  let house: House;
  before(async () => {
    house = await openHouse({ rules: WIFI });
  });
  after(() => house.close());
  let booked = 0;
  /** A conversation of a booking of its own. */
  const newConversation = async () => {
    booked += 1;
    const made = await house.book({ inDays: 20 + 5 * booked });
    await house.pass(5_000);
    return made.conversation_id;
  };
  const reasonsOf = async (conversation: string) => {
    const rows = await house.daemon.store.db
      .selectFrom('automation_plans')
      .select(['state', 'reason'])
      .where('conversation_id', '=', conversation)
      .orderBy('plan_id')
      .execute();
    return rows.map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));
  };

  /** Plans of a conversation that are being looked at. */
  const claimed = (conversation: string) =>
    house.daemon.store.db
      .selectFrom('automation_plans')
      .select('plan_id')
      .where('conversation_id', '=', conversation)
      .where('claimed_until', 'is not', null)
      .execute();

  it('answers what a guest asks, once, and nothing else', async () => {
    const conversation = await newConversation();
    await house.write(conversation, 'Is there WiFi?');
    await house.write(conversation, 'And a lift?');
    await house.pass(MINUTE);
    assert.deepEqual(await house.said(conversation), ['The network is called Sea View, Ada.']);
    assert.deepEqual(await reasonsOf(conversation), ['sent', 'skipped condition']);
  });

  it('says nothing when a person has answered in between, also in the marketplace’s own app', async () => {
    await house.use(WIFI.replace('if:', 'wait: 5 minutes\nif:'));
    const conversation = await newConversation();
    await house.write(conversation, 'wifi?');
    await house.pass(MINUTE);
    await house.write(conversation, 'Yes, it is called Sea View.', 'host');
    await house.pass(6 * MINUTE);
    assert.deepEqual(await house.said(conversation), ['Yes, it is called Sea View.']);
    assert.deepEqual(await reasonsOf(conversation), ['skipped answered']);
  });

  it('of two rules that match one message, one answers', async () => {
    await house.use(`${WIFI}---${WIFI.replace('name: wifi', 'name: wifi-too').replace('called', 'named')}`);
    const conversation = await newConversation();
    await house.write(conversation, 'wifi?');
    await house.pass(MINUTE);
    assert.equal((await house.said(conversation)).length, 1);
    assert.deepEqual((await reasonsOf(conversation)).toSorted(), ['sent', 'skipped answered']);
  });

  it('does not answer its own text when a channel brings it back as a guest’s, without blanks and signs', async () => {
    await house.use(WIFI.replace('The network', 'The wifi network'));
    const conversation = await newConversation();
    await house.write(conversation, 'wifi?');
    await house.pass(MINUTE);
    await house.write(conversation, 'the wifi network is called sea view ada');
    await house.pass(MINUTE);
    assert.equal((await house.said(conversation)).length, 1);
    assert.deepEqual(await reasonsOf(conversation), ['sent', 'skipped echo']);
  });

  it('R29: stops before a guest who answers every answer, and goes on when a person has written', async () => {
    await house.use(EVERYTHING);
    const conversation = await newConversation();
    for (let turn = 1; turn <= 8; turn += 1) {
      await house.write(conversation, `Message ${turn}`);
      await house.pass(MINUTE);
    }
    assert.equal((await house.said(conversation)).length, 2);
    assert.deepEqual((await reasonsOf(conversation)).slice(0, 3), ['sent', 'sent', 'awaiting_approval too_many_turns']);
    await house.write(conversation, 'Let me see to that myself.', 'host');
    await house.write(conversation, 'Thanks!');
    await house.pass(MINUTE);
    assert.equal((await house.said(conversation)).at(-1), 'Thank you: Thanks!');
  });

  it('waits for a person where a conversation is about several stays, and does what the person says', async () => {
    await house.use(WIFI);
    const { conversation_id: conversation } = await house.book({ inDays: 3 });
    const other = await house.book({ inDays: 8 });
    await house.change((change) =>
      change.trx
        .updateTable('reservations')
        .set({ conversation_id: conversation })
        .where('reservation_code', '=', other.reservation_code as never)
        .execute(),
    );
    await house.pass(5_000);
    await house.write(conversation, 'wifi?');
    await house.pass(MINUTE);
    assert.deepEqual(await house.said(conversation), []);
    assert.deepEqual(await reasonsOf(conversation), ['awaiting_approval several_stays']);
    const [waiting] = (await house.automations.pending({ limit: 10 })) as { plan_id: string; text: string }[];
    assert.equal(waiting?.text, 'The network is called Sea View, Ada.');
    await house.automations.approve(waiting?.plan_id ?? '', { text: 'It is called Sea View, in both houses.' });
    await house.pass(MINUTE);
    assert.deepEqual(await house.said(conversation), ['It is called Sea View, in both houses.']);
  });

  it('has nothing to say to what was written before it was armed', async () => {
    const conversation = await newConversation();
    await house.write(conversation, 'wifi, early?');
    await house.pass(MINUTE);
    await house.use(WIFI.replace('name: wifi', 'name: wifi-late'));
    await house.ends(house.daemon.daemon.rebuild(CONNECTION));
    await house.pass(MINUTE);
    assert.equal((await house.said(conversation)).length, 1);
    assert.deepEqual(await reasonsOf(conversation), ['sent']);
  });

  it('the kill switch is read before every action; what came meanwhile is not done when rules are armed again', async () => {
    await house.use(WIFI);
    const conversation = await newConversation();
    assert.equal(await house.automations.disarm(), true);
    await house.write(conversation, 'wifi?');
    await house.pass(MINUTE);
    assert.deepEqual(await house.said(conversation), []);
    assert.equal(await house.automations.arm(), true);
    await house.pass(MINUTE);
    assert.deepEqual(await house.said(conversation), []);
    assert.deepEqual(await reasonsOf(conversation), ['skipped disarmed']);
    await house.write(conversation, 'wifi, please?');
    await house.pass(MINUTE);
    assert.equal((await house.said(conversation)).length, 1);
  });

  it('does not answer what it learns of days later', async () => {
    await house.use(WIFI);
    const conversation = await newConversation();
    house.core.spoilDeliveries({ drop: 1, double: 0, reorder: 0, delay_ms: 0 });
    await house.write(conversation, 'wifi?');
    await house.pass(5_000);
    house.core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
    house.time.skipTo(house.time.elapsed() + 7 * 60 * MINUTE);
    await house.write(conversation, 'And a lift?');
    await house.pass(MINUTE);
    assert.deepEqual(await house.said(conversation), []);
    assert.ok((await house.log()).some(({ what, reason }) => what === 'skipped' && reason === 'too_late'));
  });

  for (const [name, stop, goOn] of [
    ['kill switch', () => house.automations.disarm(), () => house.automations.arm()],
    ['pause of a rule', () => house.automations.pause('wifi'), () => house.automations.resume('wifi')],
  ] as const) {
    it(`the ${name} is read in the very transaction in which something leaves`, async () => {
      await house.use(WIFI);
      const conversation = await newConversation();
      await house.write(conversation, 'wifi?');
      const isBegun = async () => (await claimed(conversation)).length === 1;
      house.conditions = { ...house.conditions, latencyMs: 8_000 };
      assert.ok(await house.time.runUntil(isBegun, house.time.elapsed() + MINUTE), 'it is looked at');
      assert.equal(await stop(), true);
      house.conditions = { ...house.conditions, latencyMs: 5 };
      await house.pass(MINUTE);
      assert.deepEqual(await house.said(conversation), []);
      assert.match((await reasonsOf(conversation))[0] ?? '', /^planned (disarmed|paused)$/);
      await goOn();
      await house.pass(MINUTE);
    });
  }

  it('has nothing to say to what was written before it was armed, though it becomes known only afterwards', async () => {
    const conversation = await newConversation();
    house.core.spoilDeliveries({ drop: 1, double: 0, reorder: 0, delay_ms: 0 });
    await house.write(conversation, 'wifi, some time ago?');
    await house.pass(5_000);
    house.core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
    await house.use(WIFI.replace('name: wifi', 'name: wifi-after'));
    await house.write(conversation, 'And a lift?');
    await house.pass(MINUTE);
    assert.deepEqual(await house.said(conversation), []);
    assert.deepEqual(await reasonsOf(conversation), ['skipped condition']);
    const log = (await house.log()).filter(({ rule }) => rule === 'wifi-after');
    assert.ok(log.some(({ what, reason }) => what === 'skipped' && reason === 'before_armed'));
  });

  it('answers what is written in the second in which it was armed, though the wire tells whole seconds only', async () => {
    const conversation = await newConversation();
    await house.pass(1_000 - (house.time.elapsed() % 1_000) + 300);
    await house.use(WIFI.replace('name: wifi', 'name: wifi-at-once'));
    await house.pass(300);
    await house.write(conversation, 'wifi, right now?');
    await house.pass(MINUTE);
    assert.equal((await house.said(conversation)).length, 1);
    const [rule] = await house.daemon.store.db
      .selectFrom('automation_rules')
      .select('armed_at')
      .where('rule', '=', 'wifi-at-once')
      .execute();
    const [asked] = await house.daemon.store.db
      .selectFrom('messages')
      .select('sent_at')
      .where('conversation_id', '=', conversation)
      .where('sender_role', '=', 'guest')
      .execute();
    assert.ok((asked?.sent_at ?? '') < (rule?.armed_at ?? ''), JSON.stringify({ asked, rule }));
  });

  it('a rule that does more in an hour than it may is paused, and goes on when a person says so', async () => {
    const busy = WIFI.replace('name: wifi', 'name: busy');
    await house.use(busy.replace('if:', 'max_per_hour: 2\nif:'));
    const conversations = [await newConversation(), await newConversation(), await newConversation()];
    for (const conversation of conversations) {
      await house.write(conversation, 'wifi?');
      await house.pass(10_000);
    }
    const said = await Promise.all(conversations.map((one) => house.said(one)));
    assert.deepEqual(
      said.map((one) => one.length),
      [1, 1, 0],
    );
    const { rules } = (await house.automations.list()) as { rules: { paused_because: string }[] };
    assert.match(rules[0]?.paused_because ?? '', /max_per_hour is 2/);
    await house.use(busy);
    await house.pass(MINUTE);
    assert.equal((await house.said(conversations[2] ?? '')).length, 0, 'a new text does not end a pause');
    assert.equal(await house.automations.resume('busy'), true);
    await house.pass(MINUTE);
    assert.equal((await house.said(conversations[2] ?? '')).length, 1);
  });

  it('a dry run looks at every message, however many were written within a second', async () => {
    await house.use('');
    const conversation = await newConversation();
    // Moments of the wire are whole seconds.
    const since = new Date(START + house.time.elapsed() - 1_000).toISOString();
    for (let number = 1; number <= 60; number += 1) await house.write(conversation, `Message ${number}`);
    await house.pass(5_000);
    await house.use(EVERYTHING.replace('state: live', 'state: draft'));
    const { rows } = await house.automations.test({ since, limit: 100 });
    assert.equal(new Set(rows.map(({ about }) => about)).size, 60);
  });
});
