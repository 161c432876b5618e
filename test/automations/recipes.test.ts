import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readRules } from '../../src/automations/rules/readRules.ts';
import { cancel } from '../../src/core/sandbox/change.ts';
import { review } from '../../src/core/sandbox/write.ts';
import { type Booked, type House, openHouse } from './support/house.ts';

const FOLDER = fileURLToPath(new URL('../../config/automations/recipes', import.meta.url));
const files = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
const MINUTE = 60_000;

describe('recipes', () => {
  let house: House;
  const posted: any[] = [];
  const { rules, mistakes } = readRules(files, { hooks: ['team'], secretFields: [] });
  /** One recipe alone, live; `change` shortens the way to its time. */
  const play = async (name: string, change: (text: string) => string = (text) => text) => {
    const texts = files.flatMap(({ text }) => text.split('---\n'));
    const text = texts.find((one) => one.includes(`name: ${name}\n`)) ?? '';
    await house.use(change(text.replace(/^state: test$/m, 'state: live')));
    assert.deepEqual((await house.automations.list()).mistakes, []);
  };
  /** At once after the booking in place of its own time. */
  const soon = (text: string) =>
    text.replace(/^when: .*$/m, 'when: 1 minute after booking').replace(/^if_past: .*\n/m, '');
  before(async () => {
    house = await openHouse({
      rules: '',
      settings: { hooks: { team: { url: 'https://team.example/', secret: 'whsec_dGVhbQ==' } } },
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
    for (const { name, state, about, do: deed } of rules) {
      assert.deepEqual([state, about !== undefined], [stateOf(deed.name), true], name);
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
    await house.reaches('check-in-info', 'sent', next.reservation_code);
    assert.match((await house.said(next.conversation_id))[0] ?? '', /code 271828/);
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
    await house.reaches('review-thanks', 'held');
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
});
