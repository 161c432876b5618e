import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runChange } from '../../../src/core/change.ts';
import { makeGuestPage, revokeGuestPage } from '../../../src/core/guestPages/link.ts';
import { bookDirect } from '../../../src/core/reservations/book.ts';
import { openConversation } from '../../support/conversations.ts';
import { linkReservation } from '../../../src/core/conversations/receive.ts';
import type { ReservationCode } from '../../../src/kernel/ids.ts';
import { type GuestWorld, once, startGuestWorld } from './support/guestWorld.ts';

describe('the page of a reservation for its guests', () => {
  let world: GuestWorld;
  before(async () => (world = await startGuestWorld()));
  after(() => world.core.close());

  const body = async (path: string, headers?: Record<string, string>) => (await world.see(path, headers)).text;

  it('shows what guests need, as the host has it now', async () => {
    const code = await world.book(world.sea, '2026-12-01', '2026-12-05');
    await world.tell(world.sea, { guide: 'The key box is left.\nWi-Fi: sea-guest', phone: '+49 30 12345' });
    const path = await world.link(code);
    const seen = await world.see(path);
    assert.equal(seen.http, 200);
    for (const text of ['Sea House', '1 December 2026', 'Wi-Fi: sea-guest', 'tel:+493012345', '€300.00']) {
      assert.ok(seen.text.includes(text), text);
    }
    assert.match(await body(path, { 'accept-language': 'fr;q=0.2, de-AT' }), /lang="de"[\s\S]*Dienstag,? 1. Dezember/);
    assert.match(await body(`${path}?lang=en`, { 'accept-language': 'de' }), /Tuesday,? 1 December/);
    await world.core.call('updateReservation', {
      stay_code: code,
      check_in_date: '2026-12-02',
      check_out_date: '2026-12-06',
    });
    assert.match(await body(path), /Wednesday,? 2 December 2026[\s\S]*Sunday,? 6 December 2026/);
  });

  it('is for its reader alone: no cache, no frame, no referrer, no script, no search engine', async () => {
    const code = await world.book(world.sea, '2026-12-10', '2026-12-11');
    const { headers } = await world.see(await world.link(code));
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(String(headers['x-robots-tag']), /noindex/);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /script-src|unsafe/);
  });

  it('has one answer for tokens that never were, were revoked, were renewed, or whose time is over', async () => {
    const [first, second] = [
      await world.book(world.sea, '2026-12-12', '2026-12-13'),
      await world.book(world.sea, '2026-12-13', '2026-12-14'),
    ];
    const old = await world.link(first);
    const renewed = await world.link(first, true);
    assert.equal(await world.link(first), renewed, 'asked for again it is the same');
    assert.equal((await world.see(renewed)).http, 200);
    const revoked = await world.link(second);
    await revokeGuestPage(world.core.core, world.who, second);
    await assert.rejects(revokeGuestPage(world.core.core, world.who, second), /no guest page/);
    const answers = [];
    for (const path of [`/stay/${'x'.repeat(32)}`, '/stay/short', `/stay/${'x'.repeat(4_000)}`, old, revoked]) {
      answers.push(await world.see(path));
    }
    const moment = new Date(world.core.clock.now()).toISOString();
    world.at('2026-12-20T22:59:00Z');
    assert.equal((await world.see(renewed)).http, 200, 'seven days after the check-out, before midnight');
    world.at('2026-12-20T23:01:00Z');
    answers.push(await world.see(renewed));
    world.at(moment);
    for (const { http, text } of answers) assert.deepEqual([http, text], [404, answers[0]?.text]);
  });

  it('shows the door code from its hour on the day of arrival until the guests leave', async () => {
    const code = await world.book(world.sea, '2026-12-15', '2026-12-17');
    const path = await world.link(code);
    const visible = { lock_code: '47-11', lock_code_visible_after: '14:30', departure_at: { hour: 10, minute: 0 } };
    await world.core.call('updateCheckInDetails', { stay_code: code, ...visible });
    const start = new Date(world.core.clock.now()).toISOString();
    // Berlin is an hour ahead.
    const rows = [
      ['2026-12-14T12:00:00Z', false],
      ['2026-12-15T13:29:59Z', false],
      ['2026-12-15T13:30:00Z', true],
      ['2026-12-17T08:59:59Z', true],
      ['2026-12-17T09:00:00Z', false],
    ] as const;
    for (const [moment, isThere] of rows) {
      world.at(moment);
      const text = await body(path);
      assert.equal(text.includes('47-11'), isThere, moment);
      assert.equal(text.includes('from 14:30'), moment < '2026-12-15T13:30', moment);
    }
    world.at('2026-12-16T12:00:00Z');
    await world.core.call('updateStayStatus', { stay_code: code, stay_status: 'stay_completed' });
    assert.doesNotMatch(await body(path), /47-11/, 'who has left has no code');
    world.at(start);
  });

  it('shows neither code nor guide of a cancelled reservation, and says so', async () => {
    const code = await world.book(world.sea, '2026-11-20', '2026-11-22');
    const path = await world.link(code);
    await world.core.call('updateCheckInDetails', { stay_code: code, lock_code: '88-99' });
    assert.match(await body(path), /88-99[\s\S]*sea-guest/);
    await world.core.call('cancelReservation', { reservation_code: code });
    const { http, text } = await world.see(path);
    assert.equal(http, 200);
    assert.match(text, /cancelled/);
    assert.doesNotMatch(text, /88-99|sea-guest|to be paid|<textarea/i);
  });

  it('shows every room of a reservation', async () => {
    const room = (property_id: number) => ({
      property_id,
      check_in_date: '2026-12-20',
      check_out_date: '2026-12-21',
      rate: 10_000,
      commission: 0,
      number_of_guests: 1,
    });
    const { reservation_code: code } = await world.core.change(world.core.own.account, (change) =>
      bookDirect(change, {
        rooms: [room(world.sea), room(world.hill)],
        guest: { name: 'Ada' },
        currency: 'EUR',
        booked_at: new Date(change.now).toISOString(),
      }),
    );
    assert.match(await body(await world.link(code)), /Sea House[\s\S]*Hill House/);
  });

  it('takes a message into the conversation once, and says whom to call where there is none', async () => {
    const code = await world.book(world.sea, '2026-12-22', '2026-12-23');
    const path = await world.link(code);
    assert.match(await body(path), /cannot reach your host\.\s+Please call \+49 30 12345/);
    assert.equal((await world.send(`${path}/message`, { text: 'Hello', once: once() })).http, 409);
    const conversation = await openConversation(world.core);
    const { core, own } = world.core;
    await runChange(core, { account: own.account, operator: null }, (change) =>
      linkReservation(change, conversation, code as ReservationCode),
    );
    const form = { text: 'Is there a <b>cot</b>?', once: once() };
    for (let sent = 0; sent < 2; sent += 1) {
      const answer = await world.send(`${path}/message?lang=de`, form);
      assert.deepEqual([answer.http, answer.headers['location']], [303, `${path}?lang=de&said=sent`]);
    }
    const { messages } = await world.core.call('getConversation', { conversation_id: conversation });
    assert.deepEqual(
      messages.map((one: Record<string, unknown>) => [one['sender_role'], one['content'], one['sender_name']]),
      [['guest', 'Is there a <b>cot</b>?', 'Ada Guest']],
    );
    const events = await world.core.events();
    assert.equal(events.filter(({ event }) => event === 'message_created').length, 1);
    assert.match(await body(`${path}?said=sent`), /Your message is sent/);
    const long = await world.send(`${path}/message`, { text: `<i>${'x'.repeat(10_000)}`, once: once() });
    assert.equal(long.http, 422);
    assert.match(long.text, /at most 2000 characters[\s\S]*&lt;i&gt;xxx/, 'what was typed stays');
    assert.match((await world.send(`${path}/message`, { text: ' ', once: once() })).text, /write something/);
    assert.equal((await world.send(`${path}/message`, { text: 'x', once: 'twice' })).http, 422);
    assert.equal((await world.send(`${path}/message`, { text: 'x'.repeat(90_000), once: once() })).http, 413);
  });

  it('takes nothing from pages of other sites, and no other form of body', async () => {
    const code = await world.book(world.sea, '2026-12-24', '2026-12-25');
    const path = await world.link(code);
    const form = { text: 'Hello', once: once() };
    const foreign = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }];
    for (const headers of foreign) {
      const { http, text } = await world.send(`${path}/message`, form, headers as Record<string, string>);
      assert.equal(http, 403);
      assert.doesNotMatch(text, /Sea House/);
    }
    const json = await world.send(`${path}/message`, form, { 'content-type': 'application/json' });
    assert.equal(json.http, 415);
    assert.match(json.text, /<!doctype html>/);
    assert.equal((await world.send(`/stay/${'y'.repeat(32)}/message`, form)).http, 404);
  });

  it('is refused for a minute to who asks too often', async () => {
    const code = await world.book(world.sea, '2026-12-26', '2026-12-27');
    const path = await world.link(code);
    const answers = new Set<number>();
    for (let visit = 0; visit < 121; visit += 1) answers.add((await world.see(path)).http);
    assert.deepEqual([...answers], [200, 429]);
    world.at(new Date(world.core.clock.now() + 60_000).toISOString());
    assert.equal((await world.see(path)).http, 200);
  });

  it('leaves out what is of another account, and what a sub-account does not see', async () => {
    const code = await world.book(world.sea, '2026-12-28', '2026-12-29');
    const { account } = await world.core.addAccount('other');
    const strangers = [
      { ...world.who, account },
      { ...world.who, visible: [world.hill] },
    ];
    for (const who of strangers) await assert.rejects(makeGuestPage(world.core.core, who, code, false), { code: 404 });
  });
});
