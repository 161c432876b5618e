import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { Briefing, NoticeAlarm, NoticeReport, NoticesContext } from '../../src/notices/context.ts';
import { noticeTroubles } from '../../src/notices/health.ts';
import { NoticeService, type PlaceDraft } from '../../src/notices/manage.ts';
import { sendWaiting } from '../../src/notices/sendWaiting.ts';
import { tellDay } from '../../src/notices/tellDay.ts';
import { watchAlarms } from '../../src/notices/watchAlarms.ts';
import { ServiceCaller } from '../../src/outbound/callService.ts';
import { MailSender } from '../../src/outbound/sendMail.ts';
import { targetRefusal } from '../../src/outbound/target.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { openStore } from '../../src/store/store.ts';
import type { Mirror, MirrorStore } from '../../src/sync/tables/database.ts';
import { manualClock, type ManualClock } from '../support/clock.ts';
import { CONNECTION, evenRandom, plainSealer } from '../support/mirror.ts';
import { putEmpty } from '../support/templates.ts';
import { type Ear, type Mailbox, openEar, openMailbox } from './support/told.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** What the kinds need whose server has a setting of its own. */
const SERVERS = {
  ntfy: { topic: 'house' },
  matrix: { token: 't', room: '!abc:example.org' },
  telegram: { token: '1:abcdefghijklmn', chat_id: '1' },
};
const DISK: NoticeAlarm = { alarm: 'disk space', says: '3.2 GB are free', remedy: 'make room' };

describe('notices', () => {
  let ear: Ear;
  let mailbox: Mailbox;
  let directory: string;
  let store: MirrorStore;
  let clock: ManualClock;
  let context: NoticesContext;
  let service: NoticeService;
  let alarms: NoticeAlarm[];
  let briefing: Omit<Briefing, 'date'>;
  let caller: ServiceCaller;
  before(async () => {
    ear = await openEar();
    mailbox = await openMailbox();
  });
  after(async () => {
    await ear.close();
    await mailbox.close();
  });
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'stayd-notices-'));
    await putEmpty('mirror', join(directory, 'mirror.db'));
    store = await openStore<Mirror>({ kind: 'sqlite', file: join(directory, 'mirror.db') });
    // Noon in UTC, one o'clock in Berlin.
    clock = manualClock(Date.parse('2026-11-20T12:00:00.000Z'));
    ear.answers(200);
    ear.heard.length = 0;
    mailbox.mails.length = 0;
    alarms = [];
    const nobody = { requests: 0, box: 0, identity: 0, deposits: 0 };
    briefing = { arrivals: [], departures: [], staying: 0, waiting: nobody };
    const policy = { allow: [ear.address] };
    caller = new ServiceCaller({ clock: systemClock, userAgent: 'test', policy, limitMs: 5_000 });
    const server = { host: '127.0.0.1', port: mailbox.port, security: 'none', user: null, password: null } as const;
    const mail = new MailSender({ ...server, from: 'Sea View <reception@rooms.example>' });
    context = {
      store,
      connection: CONNECTION,
      clock,
      ids: ulidMaker(clock, evenRandom),
      log: silentLogger,
      sealer: plainSealer,
      means: {
        refusalOf: (url) => targetRefusal(url, policy),
        call: (request) => caller.call(request),
        mail: (one) => mail.send(one),
      },
      reports: {
        problemOf: ({ name }) => (name === 'pace' ? 'report: pace is about no month' : undefined),
        read: async ({ name, month }) => ({ name: `${name}-${month}.csv`, type: 'text/csv', content: 'a,b\r\n' }),
      },
      zone: () => 'Europe/Berlin',
      alarms: () => Promise.resolve(alarms),
      briefing: (date) => Promise.resolve({ date, ...briefing }),
      page: (path) => `https://rooms.example/console/${path}`,
    };
    service = new NoticeService(context, () => {});
  });
  afterEach(async () => {
    await caller.close();
    await store.close();
    rmSync(directory, { recursive: true });
  });

  const add = (more: Partial<PlaceDraft> = {}) =>
    service.add({ name: 'Reception', kind: 'slack', settings: { url: `${ear.url}/hook/s3cret` }, ...more });
  /** Lets time pass as the service does: it looks every minute. */
  async function pass(ms: number): Promise<void> {
    for (const end = clock.now() + ms; clock.now() < end;) {
      clock.jump(Math.min(MINUTE, end - clock.now()));
      await watchAlarms(context);
      await tellDay(context);
      await sendWaiting(context, new AbortController().signal);
    }
  }
  const tell = (order: Omit<Parameters<NoticeService['tell']>[0], 'report'> & { report?: NoticeReport }) =>
    service.tell({ report: null, ...order });
  const texts = () => ear.heard.map(({ body }) => String(JSON.parse(body).text));
  const states = async () => (await service.log({ limit: 100 })).map((one) => (one as { state: string }).state);

  it('tell an alarm once when it holds, nothing while its figures change, and once when it is over', async () => {
    await add();
    alarms = [DISK];
    await pass(2 * MINUTE);
    assert.deepEqual(texts(), []);
    await pass(2 * MINUTE);
    assert.deepEqual(texts(), [
      'stayd needs you: disk space\n\n3.2 GB are free\nWhat to do: make room\n\nhttps://rooms.example/console/health',
    ]);
    for (let left = 31; left > 0; left -= 1) {
      alarms = [{ ...DISK, says: `${left / 10} GB are free` }];
      await pass(10 * MINUTE);
    }
    assert.equal(ear.heard.length, 1);
    alarms = [];
    await pass(9 * MINUTE);
    alarms = [DISK];
    await pass(20 * MINUTE);
    assert.equal(ear.heard.length, 1, 'it was missing for a moment only');
    alarms = [];
    await pass(15 * MINUTE);
    assert.deepEqual(texts().slice(1), ['It is over: disk space\n\n3.2 GB are free']);
    alarms = [DISK];
    await pass(10 * MINUTE);
    assert.match(String(texts()[2]), /^stayd needs you/, 'and tell it again when it comes back');
    alarms = [{ ...DISK, says: 'nothing is free' }];
    await pass(30 * MINUTE);
    assert.match(String(texts()[3]), /nothing is free/);
    assert.equal(ear.heard.length, 4, 'what says something else is told, and what it replaces is not over');
  });

  it('tell a place of an alarm that stood before it was added', async () => {
    await add();
    alarms = [DISK];
    await pass(10 * MINUTE);
    await add({ name: 'Phone', settings: { url: `${ear.url}/phone` } });
    await pass(HOUR);
    assert.deepEqual(
      ear.heard.map(({ path }) => path),
      ['/hook/s3cret', '/phone'],
    );
  });

  it('do not tell what passes by itself', async () => {
    await add();
    alarms = [DISK];
    await pass(MINUTE);
    alarms = [];
    await pass(HOUR);
    assert.deepEqual([ear.heard.length, await states()], [0, []]);
  });

  it('wait for the end of quiet hours and are told together then; what is over meanwhile is left out', async () => {
    await add({ quiet: '21:00-07:00' });
    await add({ name: 'Night', quiet: '21:00-07:00', wakes: true });
    clock.jump(9 * HOUR); // 22:00 in Berlin
    const smoke = { alarm: 'smoke', says: 'there is smoke', remedy: null };
    alarms = [DISK, smoke];
    await pass(5 * MINUTE);
    assert.equal(ear.heard.length, 1, 'Night alone is told');
    assert.match(String(texts()[0]), /^stayd: 2 notices[\s\S]*disk space[\s\S]*there is smoke/);
    alarms = [DISK];
    await tell({ id: 'p1', to: ['Reception'], rule: 'late', title: null, text: 'Somebody comes late.' });
    await pass(8 * HOUR);
    assert.ok(!texts().some((text) => text.includes('late')), 'still quiet');
    ear.heard.length = 0;
    await pass(2 * HOUR);
    assert.equal(ear.heard.length, 1);
    assert.match(String(texts()[0]), /^stayd: 2 notices[\s\S]*disk space[\s\S]*Rule late\nSomebody comes late\./);
    assert.ok(!texts().join('').includes('smoke'));
    assert.ok((await states()).includes('dropped'));
  });

  it('tell of the day once, at its time, without names unless asked', async () => {
    briefing = {
      arrivals: [{ property: 'Sea House', guests: 2, guest: 'A. Guest' }],
      departures: [{ property: null, guests: null, guest: 'B. Guest' }],
      staying: 3,
      waiting: { requests: 1, box: 0, identity: 2, deposits: 0 },
    };
    await add({ hears: ['today'], briefing_at: '07:30' });
    await add({ name: 'Chef', hears: ['today'], briefing_at: '07:30', persons: true, language: 'de' });
    await pass(10 * HOUR);
    assert.equal(ear.heard.length, 0, 'its time was over today');
    await pass(26 * HOUR);
    assert.deepEqual(texts().toSorted(), [
      'Sa., 21. Nov.: 1 Anreise, 1 Abreise\n\nAnreisen:\n- Sea House: 2 Gäste, A. Guest\n\nAbreisen:\n- noch ohne Unterkunft: B. Guest\n\nÜber Nacht im Haus: 3\n\n1 Anfrage wartet auf Antwort\n2 Aufenthalten fehlt ein Ausweis\n\nhttps://rooms.example/console/today',
      'Sat 21 Nov: 1 arrival, 1 departure\n\nArriving:\n- Sea House: 2 guests\n\nLeaving:\n- no property yet\n\nIn house over night: 3\n\n1 request waits for an answer\n2 stays lack a document\n\nhttps://rooms.example/console/today',
    ]);
    clock.jump(18 * HOUR + 2 * HOUR); // stopped until long after 07:30
    await pass(HOUR);
    assert.equal(ear.heard.length, 2, 'after a long stop it is no news');
  });

  it('are tried again until the place takes them, and say in the alarms that it does not', async () => {
    await add();
    await add({ name: 'Push', kind: 'ntfy', settings: { topic: 'rooms', server: ear.url, token: 'tk_s3cret' } });
    ear.answers(503);
    await tell({ id: 'p1', to: ['Reception'], rule: 'late', title: null, text: 'Late.' });
    await pass(9 * MINUTE);
    assert.deepEqual(await noticeTroubles(store.db, CONNECTION, clock.now()), []);
    await pass(5 * MINUTE);
    assert.ok(ear.heard.length >= 3 && ear.heard.length <= 5, `${ear.heard.length} attempts`);
    const [trouble] = await noticeTroubles(store.db, CONNECTION, clock.now());
    assert.match(String(trouble?.says), /^nothing has reached "Reception" since .*: it answers 503$/);
    ear.answers(200);
    await pass(3 * HOUR);
    assert.deepEqual(await states(), ['sent']);
    assert.deepEqual(await noticeTroubles(store.db, CONNECTION, clock.now()), []);
    ear.answers(404);
    await tell({ id: 'p2', to: ['Reception'], rule: 'late', title: null, text: 'Late.' });
    await pass(51 * HOUR);
    assert.deepEqual(await states(), ['dead', 'sent']);
    await service.change('Reception', { state: 'paused' });
    await tell({ id: 'p3', to: ['Reception'], rule: 'late', title: null, text: 'Late.' });
    await pass(49 * HOUR);
    ear.answers(200);
    const before = ear.heard.length;
    await service.change('Reception', { state: 'active' });
    await pass(5 * MINUTE);
    assert.deepEqual(
      [ear.heard.length, await states()],
      [before, ['dead', 'dead', 'sent']],
      'nothing old after a pause',
    );
    const [told] = (await service.list()) as { problem: string }[];
    assert.equal(told?.problem, 'it answers 404: there is no such address; is it still the right one?');
  });

  it('tell a place of one thing once, whoever asks again', async () => {
    await add();
    const order = { id: 'plan', to: ['Reception', 'Nobody'], rule: 'late', title: 'Late', text: 'Somebody.' };
    assert.equal(await tell(order), 'there is no place Nobody: ./stayd notices list');
    await tell(order);
    await pass(5 * MINUTE);
    await tell(order);
    await pass(5 * MINUTE);
    assert.deepEqual(texts(), ['Late\n\nSomebody.']);
    const { rows } = { rows: await store.db.selectFrom('notices').select(['text', 'state']).execute() };
    assert.deepEqual(rows, [{ text: '', state: 'sent' }], 'its text is gone when it is told');
  });

  it('carry reports to mailboxes only, and each once when several are told together', async () => {
    await add({ name: 'Owner', kind: 'email', settings: { to: ['owner@owners.example'] } });
    await add();
    const report = { name: 'house', month: '2026-10' };
    const order = { to: ['Owner', 'Reception'], rule: 'monthly', title: null, text: 'Your month.', report };
    assert.equal(await tell({ ...order, id: 'p1' }), 'Reception takes no report: only mail does');
    await tell({ ...order, id: 'p2', to: ['Owner'] });
    assert.match(
      String(await tell({ ...order, id: 'p3', report: { ...report, name: 'pace' } })),
      /pace is about no month/,
    );
    await pass(MINUTE);
    assert.equal(mailbox.mails.length, 1);
    assert.equal(mailbox.mails[0]?.text.match(/filename=house-2026-10\.csv/g)?.length, 1);
    assert.equal(ear.heard.length, 0);
  });

  it('speak to each kind as its own documents say', async () => {
    await add({ name: 'a', kind: 'ntfy', settings: { topic: 'rooms', server: ear.url, token: 'tk_s3cret' } });
    const bot = { server: ear.url, token: '123456:ABCDEFGHIJKLMN', chat_id: '-42' };
    await add({ name: 'b', kind: 'telegram', settings: bot });
    await add({ name: 'c', kind: 'matrix', settings: { server: ear.url, token: 'mx', room: '!a:b.example' } });
    const body = 'To=%2B49301&Say={{ title | url_encode }}';
    const form = {
      url: `${ear.url}/calls`,
      body,
      content_type: 'application/x-www-form-urlencoded',
      headers: { 'X-Key': 'k' },
    };
    await add({ name: 'd', kind: 'webhook', settings: form });
    await add({ name: 'e', kind: 'email', settings: { to: ['reception@rooms.example', 'boss@rooms.example'] } });
    await add({ name: 'f' });
    const text = 'Ünder <!channel> & "co"\r\nBcc: x@y.example';
    await tell({ id: 'p', to: ['a', 'b', 'c', 'd', 'e', 'f'], rule: 'r', title: 'Late & more', text });
    await pass(MINUTE);
    const [push, chat, room, call, slack] = ear.heard;
    assert.deepEqual(JSON.parse(push?.body ?? ''), {
      topic: 'rooms',
      title: 'Late & more',
      message: text,
      priority: 3,
    });
    assert.equal(push?.headers['authorization'], 'Bearer tk_s3cret');
    assert.equal(chat?.path, '/bot123456:ABCDEFGHIJKLMN/sendMessage');
    assert.equal(JSON.parse(chat?.body ?? '').text, `Late & more\n\n${text}`);
    assert.match(
      `${room?.method} ${room?.path}`,
      /^PUT \/_matrix\/client\/v3\/rooms\/!a%3Ab\.example\/send\/m\.room\.message\/note_/,
    );
    assert.deepEqual([call?.body, call?.headers['x-key']], ['To=%2B49301&Say=Late+%26+more', 'k']);
    assert.match(JSON.parse(slack?.body ?? '').text, /&lt;!channel&gt; &amp; "co"/);
    const [mail] = mailbox.mails;
    assert.deepEqual(mail?.to, ['reception@rooms.example', 'boss@rooms.example']);
    const [head = ''] = mail?.text.split('\r\n\r\n') ?? [];
    assert.match(head, /^Auto-Submitted: auto-generated$/m);
    assert.match(head, /^Message-ID: <note_\w+@rooms\.example>$/m);
    assert.doesNotMatch(head, /^Bcc:/m);
  });

  it('send a test at once, in quiet hours too, and say why it does not arrive', async () => {
    await add({ quiet: '00:00-23:59' });
    assert.deepEqual(await service.test('Reception'), { name: 'Reception', sent: true, problem: null });
    ear.answers(401);
    const refused = { name: 'Reception', sent: false, problem: 'it answers 401: its token is wrong' };
    assert.deepEqual(await service.test('Reception'), refused);
    assert.deepEqual(await states(), ['dead', 'sent'], 'it is not tried again');
    await service.change('Reception', { state: 'paused' });
    await assert.rejects(service.test('Reception'), /paused; resume it first/);
    await add({ name: 'e', kind: 'email', settings: { to: ['nobody@rooms.example'] } });
    mailbox.refuses('nobody@rooms.example');
    assert.match(String((await service.test('e')).problem), /nobody of that name/);
  });

  it('reach no address inside, and keep every secret', async () => {
    const inner = ['http://127.0.0.1:1/x', 'https://169.254.169.254/latest', 'https://[::1]/', 'https://2130706433/'];
    const refused = /(must begin with https:|leads into a private network).*outbound\.allow/;
    for (const url of inner) {
      await assert.rejects(add({ settings: { url } }), (error: Error) => {
        return error.message.startsWith('settings.url: ') && refused.test(error.message);
      });
    }
    assert.deepEqual(await service.list(), []);
    for (const [kind, more] of Object.entries(SERVERS)) {
      const settings = { server: 'https://10.0.0.1/', ...more };
      await assert.rejects(add({ kind, settings }), /settings\.server: leads into a private network/, kind);
    }
    // What was permitted once is asked again at each call.
    context.means = { ...context.means, refusalOf: () => undefined };
    for (const [index, url] of inner.entries()) {
      await add({ name: `in${index}`, settings: { url } });
      assert.match(String((await service.test(`in${index}`)).problem), refused, url);
    }
    await assert.rejects(
      add({ name: 'none', settings: { url: 'rooms.example/hook' } }),
      /settings.url: must be a whole address such as https/,
    );
    await add();
    await service.test('Reception');
    const shown = JSON.stringify([await service.list(), await service.log({ limit: 100 })]);
    assert.doesNotMatch(shown, /s3cret/);
    const bytes =
      readFileSync(join(directory, 'mirror.db'), 'latin1') + readFileSync(join(directory, 'mirror.db-wal'), 'latin1');
    assert.ok(!bytes.includes('s3cret'));
  });

  it('refuse what cannot work, with the field', async () => {
    const wrong: [Partial<PlaceDraft>, RegExp][] = [
      [{ name: 'a\nb' }, /^name/],
      [{ kind: 'pigeon' }, /^kind: must be one of email, ntfy/],
      [{ settings: {} }, /^settings\.url/],
      [{ settings: { url: `${ear.url}/a`, more: 1 } }, /^settings/],
      [{ quiet: '25:00-07:00' }, /^quiet: must be hours/],
      [{ briefing_at: '7:30' }, /^briefing_at/],
      [{ kind: 'email', settings: { to: ['nobody'] } }, /^settings\.to\.0/],
      [{ kind: 'webhook', settings: { url: ear.url, body: '{"a": "{{ text }}"}' } }, /^settings\.body: makes no JSON/],
      [{ kind: 'webhook', settings: { url: ear.url, body: '{{ nothing }}' } }, /^settings\.body: cannot be filled/],
      [{ kind: 'telegram', settings: { token: 'x', chat_id: '1' } }, /^settings\.token/],
    ];
    for (const [draft, why] of wrong)
      await assert.rejects(add(draft), (error: Error) => why.test(error.message), `${why}`);
    assert.deepEqual(await service.list(), []);
    await add();
    await assert.rejects(add(), /there is a Reception already/);
    await assert.rejects(service.test('None'), /there is no None/);
  });
});
