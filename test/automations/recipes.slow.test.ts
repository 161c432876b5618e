import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readRules } from '../../src/automations/rules/readRules.ts';
import { momentOf } from '../../src/kernel/quietHours.ts';
import { cancel, moveDeposit, pay } from '../../src/sandbox/change.ts';
import { review } from '../../src/sandbox/write.ts';
import { addDays } from '../../src/kernel/dates.ts';
import { CONNECTION } from '../sim/daemon.ts';
import { type Booked, type House, openHouse, START } from './support/house.ts';
import { recipe, recipeFiles as files, soon } from './support/recipes.ts';

const MINUTE = 60_000;

describe('recipes', () => {
  let house: House;
  const posted: any[] = [];
  /** Where the core has pages for guests. */
  let pages: string | undefined;
  /** Where guests of direct bookings pay. */
  let bookings: string | undefined;
  const { rules, mistakes } = readRules(files, { hooks: ['team'], secretFields: [], ai: false });
  /** One recipe alone, live; `change` shortens the way to its time. */
  const play = async (name: string, change: (text: string) => string = (text) => text) => {
    await house.use(change(recipe(name)));
    assert.deepEqual((await house.automations.list()).mistakes, []);
  };
  before(async () => {
    house = await openHouse({
      rules: '',
      settings: {
        hooks: { team: { url: 'https://team.example/', secret: 'whsec_dGVhbQ==' } },
        paidByChannel: [],
      },
      guestLinkOf: (kind, code) => {
        const base = kind === 'guest_page' ? pages : bookings;
        return Promise.resolve(base && `${base}/${code}`);
      },
      post: (_hook, _id, body) => {
        posted.push(JSON.parse(body));
        return Promise.resolve({ outcome: 'delivered', detail: 'delivered (200)' });
      },
    });
  });
  after(() => house.close());
  let days = 2;
  const book = async (more: object = {}): Promise<Booked> => house.book({ inDays: (days += 8), nights: 4, ...more });
  const named = ({ channel_id }: Booked) => ({ channel_type: house.listing.channel_type, channel_id });
  const stayOf = async (code: string) =>
    (await house.host('GET', `/reservations?reservation_code=${code}`)).data.reservations[0];

  it('are free of mistakes, in test, and explain themselves', () => {
    assert.deepEqual(mistakes, []);
    assert.ok(rules.length >= 15, `${rules.length}`);
    // What asks a language model does nothing at all until somebody says so.
    const stateOf = (action: string) => (action === 'ai_draft' ? 'draft' : 'test');
    for (const { name, state, about, do: action } of rules) {
      assert.deepEqual([state, about !== undefined], [stateOf(action.name), true], name);
    }
  });

  const messages: [name: string, said: RegExp][] = [
    ['booking-confirmation', /^Hello Ada, thank you for booking Sea View from \d\d \w+ 20\d\d/],
    ['before-arrival', /^Hello Ada, one more week until Sea View!/],
    ['mid-stay', /^Good morning Ada,/],
    ['check-out-info', /^Hello Ada, please leave the key/],
    ['review-request', /A review would mean a lot/],
  ];
  for (const [name, said] of messages) {
    it(`${name} says its words once`, async () => {
      await play(name, soon);
      const made = await book();
      await house.reaches(name, 'sent', made.reservation_code);
      const words = await house.said(made.conversation_id);
      assert.equal(words.length, 1);
      assert.match(words[0] ?? '', said);
    });
  }

  it('check-in-info waits for its code, which another recipe makes, and which goes with the stay', async () => {
    await play('lock-code', soon);
    const made = await house.book({ inDays: 2, nights: 1 });
    await house.reaches('lock-code', 'sent', made.reservation_code);
    const code = (await stayOf(made.reservation_code)).check_in_details.lock_code;
    assert.match(code, /^\d{6}$/);
    await play('check-in-info', (text) => soon(text).replace('{{ property.address }}', '1 Sea Road'));
    await house.change((change) => cancel(change, named(made)));
    const next = await house.book({ inDays: 2, nights: 1 });
    await house.pass(2 * MINUTE);
    assert.deepEqual(await house.said(next.conversation_id), []);
    await house.host('PATCH', `/reservations/${next.reservation_code}/check_in_details`, { lock_code: '271828' });
    await house.pass(2 * MINUTE);
    assert.deepEqual(await house.said(next.conversation_id), [], 'not before it is paid');
    await house.change((change) => pay(change, named(next), {}));
    await house.reaches('check-in-info', 'sent', next.reservation_code);
    assert.match((await house.said(next.conversation_id))[0] ?? '', /code 271828/);
  });

  it('guest-page-link waits where there is no such page, and sends the link where there is', async () => {
    const first = (text: string) => soon(text).replace('secrets_within: 5 days', 'secrets_within: 99 days');
    await play('guest-page-link', first);
    const made = await book();
    await house.change((change) => pay(change, named(made), {}));
    await house.pass(2 * MINUTE);
    assert.deepEqual(await house.said(made.conversation_id), []);
    const rows = await house.automations.pending({ rule: 'guest-page-link', limit: 10 });
    assert.match(JSON.stringify(rows), /stay\.guest_page_url is not known|guest_page_url/);
    pages = 'https://rooms.example/stay';
    await house.reaches('guest-page-link', 'sent', made.reservation_code);
    const [said] = await house.said(made.conversation_id);
    assert.ok(said?.includes(`https://rooms.example/stay/${made.reservation_code}`), said);
  });

  it('turnover makes a cleaning that says who comes on the same day', async () => {
    await play('turnover', soon);
    const made = await book();
    await house.book({ inDays: days + 4, nights: 1 });
    await house.reaches('turnover', 'sent', made.reservation_code);
    const { tasks } = (await house.host('GET', '/tasks?limit=100')).data;
    const mine = tasks.find((one: any) => one.stay_code === made.reservation_code);
    assert.deepEqual([mine.type, mine.note], ['cleaning', 'Sea View, 2 guests leave; next guests arrive TODAY']);
    days += 4;
  });

  it('new-booking and upset-guest reach the team; review-thanks waits for approval', async () => {
    await play('new-booking');
    const made = await book();
    await house.reaches('new-booking', 'sent');
    assert.equal(posted.at(-1).data.reservation_code, made.reservation_code);
    await play('upset-guest');
    await house.write(made.conversation_id, 'The bathroom is DIRTY!');
    await house.reaches('upset-guest', 'sent');
    assert.deepEqual(posted.at(-1).data, { text: 'Ada Guest needs you now', message: 'The bathroom is DIRTY!' });
    await play('review-thanks');
    const past = await house.book({ inDays: -9, nights: 2 });
    await house.pass(5_000);
    await house.change((change) => review(change, named(past), { score: 5, content: 'Lovely' } as never));
    await house.reaches('review-thanks', 'awaiting_approval');
  });

  it('wifi-answer and parking-answer answer what is asked, once and in the guest’s language; read-and-noted all else', async () => {
    const replies = files.find(({ name }) => name === 'replies.yaml')?.text ?? '';
    const live = replies.replaceAll(/^state: test$/gm, 'state: live');
    await house.use(live);
    const [asking, parking, telling, both, answered] = [
      await book(),
      await book(),
      await book(),
      await book(),
      await book(),
    ];
    await house.pass(5_000);
    await house.host('PATCH', `/reservations/${parking.reservation_code}/custom_fields`, {
      custom_fields: { language: 'de' },
    });
    await house.write(asking.conversation_id, 'Is there Wi-Fi?');
    await house.write(parking.conversation_id, 'Wo können wir parken?');
    await house.write(telling.conversation_id, 'We are looking forward to it.');
    await house.write(both.conversation_id, 'Is there parking, and wlan?');
    await house.write(answered.conversation_id, 'May we bring the dog?');
    await house.pass(10 * MINUTE);
    const said = async ({ conversation_id }: Booked) => (await house.said(conversation_id)).join(' | ');
    assert.match(await said(asking), /^Hello Ada, there is wifi in every room; [^|]+$/);
    assert.match(await said(parking), /^Hallo Ada, parken können Sie vor dem Haus, kostenlos\.$/);
    assert.match(await said(both), /^Hello Ada, (there is wifi|you can park)[^|]+$/, 'one answers');
    assert.equal(await said(telling), '', 'it is left to a person for a quarter of an hour');
    await house.write(answered.conversation_id, 'Yes, you may.', 'host');
    await house.pass(6 * MINUTE);
    const noted = /^Hello Ada, we have read your message and will answer within the day\.$/;
    assert.match(await said(telling), noted);
    assert.equal(await said(answered), 'Yes, you may.');
    for (const one of [asking, parking, both]) assert.doesNotMatch(await said(one), /\|/, 'no second word');
    await house.write(telling.conversation_id, 'And we bring a cot.');
    await house.pass(16 * MINUTE);
    assert.match(await said(telling), noted, 'not a second time before a person has written');
  });

  it('gap-nights makes the nights between two stays cheaper, and touches no others', async () => {
    await house.book({ inDays: 40, nights: 2 });
    await house.book({ inDays: 44, nights: 2 });
    await house.pass(10_000);
    const now = new Date(house.time.elapsed() + Date.parse('2026-11-20T12:00:00Z') + 2 * MINUTE);
    const soonAt = now.toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' });
    await play('gap-nights', (text) => text.replace('06:00', soonAt));
    await house.reaches('gap-nights', 'sent');
    const [row] = await house.daemon.store.db
      .selectFrom('automation_plans')
      .select('result')
      .where('rule', '=', 'gap-nights')
      .execute();
    const { prices } = JSON.parse(row?.result ?? '') as { prices: { date: string; from: number; to: number }[] };
    assert.ok(prices.length >= 2 && prices.every(({ from, to }) => from === 90 && to === 72), JSON.stringify(prices));
  });

  /** Sleeps until shortly before a moment where the house is, and lets it come. */
  const comes = async (date: string, time: string) => {
    house.time.skipTo(Date.parse(momentOf(date, time, 'Europe/Berlin')) - START - 5_000);
    await house.pass(MINUTE);
  };

  it('lock-code-ends takes the code away two hours after the guests have left, and not before', async () => {
    await play('lock-code-ends');
    const { reservation_code: code } = await house.book({ inDays: 1, nights: 1 });
    await house.host('PATCH', `/reservations/${code}/check_in_details`, { lock_code: '314159' });
    await house.reaches('lock-code-ends', 'planned', code);
    const { check_out_date } = await stayOf(code);
    await comes(check_out_date, '12:50');
    assert.equal((await stayOf(code)).check_in_details.lock_code, '314159');
    await comes(check_out_date, '13:00');
    await house.reaches('lock-code-ends', 'sent', code);
    assert.equal((await stayOf(code)).check_in_details.lock_code, null);
  });

  it('payment-reminder reminds who still owes, a week ahead, and nobody else', async () => {
    await play('payment-reminder');
    const owing = await house.book({ inDays: 150, nights: 2 });
    const paid = await house.book({ inDays: 152, nights: 2, guest: 'Grace Hopper' });
    await house.change((change) => pay(change, named(paid), {}));
    for (const one of [owing, paid]) await house.reaches('payment-reminder', 'planned', one.reservation_code);
    const { check_in_date } = await stayOf(owing.reservation_code);
    await comes(addDays(check_in_date, -7), '10:50');
    assert.deepEqual(await house.said(owing.conversation_id), []);
    for (const day of [-7, -5]) await comes(addDays(check_in_date, day), '11:00');
    await house.reaches('payment-reminder', 'skipped', paid.reservation_code);
    assert.match(
      (await house.said(owing.conversation_id)).join(),
      /^Hello Ada, \d+(\.\d\d)? EUR are still open for .*Sea View\.$/,
    );
    assert.deepEqual(await house.said(paid.conversation_id), []);
    // Who booked on a page of ours reads where to pay.
    bookings = 'https://rooms.example/book/of';
    const direct = await house.book({ inDays: 160, nights: 2 });
    await house.reaches('payment-reminder', 'planned', direct.reservation_code);
    await comes(addDays((await stayOf(direct.reservation_code)).check_in_date, -7), '11:00');
    await house.reaches('payment-reminder', 'sent', direct.reservation_code);
    const [said] = await house.said(direct.conversation_id);
    assert.ok(said?.endsWith(`Sea View. Here you pay: ${bookings}/${direct.reservation_code}`), said);
    bookings = undefined;
  });

  it('deposit-reminder reminds who has not left it, three days ahead, and nobody else', async () => {
    await play('deposit-reminder');
    const owing = await house.book({ inDays: 30, nights: 2 });
    const left = await house.book({ inDays: 32, nights: 2, guest: 'Grace Hopper' });
    for (const one of [owing, left]) {
      const required = { room: 0, event: 'required' as const, amount: 200 };
      await house.change((change) => moveDeposit(change, named(one), required));
      await house.reaches('deposit-reminder', 'planned', one.reservation_code);
    }
    await house.change((change) => moveDeposit(change, named(left), { room: 0, event: 'paid', amount: 200 }));
    const { check_in_date } = await stayOf(owing.reservation_code);
    for (const day of [-3, -1]) await comes(addDays(check_in_date, day), '11:00');
    await house.reaches('deposit-reminder', 'skipped', left.reservation_code);
    assert.match(
      (await house.said(owing.conversation_id)).join(),
      /^Hello Ada, please leave the deposit of 200(\.00)? EUR/,
    );
    assert.deepEqual(await house.said(left.conversation_id), []);
  });

  it('morning-digest tells the figures of the day, once a morning', async () => {
    await play('morning-digest');
    const { reservation_code } = await house.book({ inDays: 1, nights: 1 });
    await house.pass(5_000);
    const { check_in_date } = await stayOf(reservation_code);
    const before = posted.length;
    await comes(check_in_date, '07:00');
    await house.reaches('morning-digest', 'sent');
    assert.match(posted.at(-1).data.text, /^[1-9] arrive, \d leave, [1-9] of 1 taken; next week \d+ %$/);
    await house.pass(10 * MINUTE);
    assert.equal(posted.length, before + 1);
    await comes(addDays(check_in_date, 1), '07:00');
    assert.equal(posted.length, before + 2);
  });

  it('a rule of one’s own follows a change that no event has told of: a deposit that was paid', async () => {
    await house.use(
      'name: deposit-told\nstate: live\nwhen: { event: deposit_paid }\ndo:\n  http: { to: team, body: { text: "{{ guest.name }} has left {{ stay.deposit }}", event: "{{ change.event }}" } }\n',
    );
    const made = await house.book({ inDays: 30, guest: 'Grace Hopper' });
    await house.change((change) => moveDeposit(change, named(made), { room: 0, event: 'required', amount: 150 }));
    await house.ends(house.daemon.daemon.reconcile(CONNECTION, 'reservation'));
    await house.change((change) => moveDeposit(change, named(made), { room: 0, event: 'paid', amount: 150 }));
    await house.ends(house.daemon.daemon.reconcile(CONNECTION, 'reservation'));
    await house.reaches('deposit-told', 'sent', made.reservation_code);
    assert.match(posted.at(-1).data.text, /^Grace Hopper has left 150/);
    assert.equal(posted.at(-1).data.event, 'deposit_paid');
    const told = posted.length;
    await house.ends(house.daemon.daemon.reconcile(CONNECTION, 'reservation'));
    await house.pass(MINUTE);
    assert.equal(posted.length, told, 'once');
  });
});
