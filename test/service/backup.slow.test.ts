import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { filesOf } from '../../src/compose/backup/openArchive.ts';
import { addDays, instantOf } from '../../src/kernel/dates.ts';
import { runEach, runOne } from '../cli/support/runMany.ts';
import { pngWith } from '../support/pictures.ts';
import { call, dataDirectory, startTestService, type TestService, until } from '../support/service.ts';
import { earlierArchive, earlierHeader } from './support/earlierArchive.ts';
import { stayd } from './support/process.ts';

/** Rules that would speak to everybody, were they let. */
const RULES = `
name: thanks
state: live
when: message from guest
if: { says_not: [question] }
cancel_if_host_replied: false
quiet: "off"
do: { message: { text: "Thank you for: {{ message.text }}" } }
---
name: answer
state: live
when: message from guest
if: { says: [question] }
cancel_if_host_replied: false
quiet: "off"
do: { draft: { text: "An answer" } }
`;

const today = instantOf(Date.now()).slice(0, 10);

/** Nights of one property; the next ones are of another, since none can be booked more than three years ahead. */
const MOST_NIGHTS = 1_000;

/** Books one night after the other until it is stopped. @returns the codes answered so far */
function writing(service: TestService, first: number) {
  let property = first;
  const answered: string[] = [];
  let night = 0;
  let going = true;
  const ended = (async () => {
    while (going) {
      night += 1;
      if (night > MOST_NIGHTS) {
        ({ property_id: property } = await service.v3('POST', '/properties', { name: 'Another' }));
        night = 1;
      }
      const booked = await service.v3('POST', '/reservations', {
        property_id: property,
        check_in_date: addDays(today, night),
        check_out_date: addDays(today, night + 1),
        guest_name: 'Ada',
        rate_amount: 100,
        commission_amount: 0,
        received_amount: 50,
      });
      answered.push(booked.reservation_code);
      await wait(5);
    }
  })();
  return {
    answered,
    stop() {
      going = false;
      return ended;
    },
  };
}

/** Who is to be erased. */
const CANARY = 'Quinlan';

const stillThere = (service: TestService) =>
  service.rows(`select guest_key from mirror.guests where name like '${CANARY}%'`);

describe('the drill: backup while writes flow, restore into an empty folder', () => {
  const [home, elsewhere] = [dataDirectory(), dataDirectory()];
  const file = join(elsewhere, 'daily.tar.gz');
  let service: TestService;
  let known: string[] = [];
  let erased = '';
  let restored: TestService | undefined;
  const fresh = join(elsewhere, 'fresh');
  const rules = mkdtempSync(join(tmpdir(), 'stayd-rules-'));
  let listing = '';
  let firstConversation = '';
  /** Of a guest whom the core's own rule had yet to welcome when the backup was made. */
  let newcomers = '';
  const act = (on: TestService, path: string, body: object) => on.portal('POST', `/portal/sandbox/${path}`, body);
  const write = (to: TestService, content: string, conversation_id = firstConversation) =>
    act(to, 'messages', { conversation_id, content });
  /** The look of the account when the backup was made, as it was answered, with the bytes of its logo and its public page. */
  let look: Awaited<ReturnType<typeof lookOf>>;
  let shared = '';
  const lookOf = async (on: TestService) => {
    const brand = await on.portal('GET', '/portal/brand?account=demo');
    const logo = await fetch(`${on.url}${brand.logo.address}`);
    const calendar = await (await fetch(`${on.url}${shared}`)).text();
    return {
      brand,
      type: logo.headers.get('content-type'),
      bytes: Buffer.from(await logo.arrayBuffer()).toString('base64'),
      masthead: /<header class="masthead">[^]*?<\/header>/.exec(calendar)?.[0],
    };
  };
  /** Books by a channel for so many days ahead. @returns the conversation with the guest */
  const book = async (on: TestService, inDays: number): Promise<string> => {
    const nights = { check_in_date: addDays(today, inDays), check_out_date: addDays(today, inDays + 2) };
    const guest = { name: 'Ada Guest' };
    const body = { channel_type: 'marketplace_a', listing_id: listing, ...nights, guest };
    return (await act(on, 'bookings', body)).conversation_id;
  };
  /** What the host's side has said, the oldest first. */
  const said = async (by: TestService, conversation = firstConversation): Promise<string[]> =>
    (await by.v3('GET', `/conversations/${conversation}`)).messages
      .filter((one: { sender_role: string }) => one.sender_role === 'host')
      .map((one: { content: string }) => one.content)
      .toReversed();
  const pending = async (of: TestService): Promise<{ plan_id: string }[]> =>
    (await of.portal('GET', '/portal/automations/pending')).plans;
  const afterArming = async (of: TestService): Promise<void> => {
    const [{ armed_at }] = (await of.portal('GET', '/portal/automations')).rules;
    await until(() => Date.now() > Date.parse(armed_at) + 1_100, 'the second after the arming');
  };

  before(async () => {
    writeFileSync(join(rules, 'rules.yaml'), RULES);
    service = await startTestService({ STAYD_AUTOMATIONS_RULES: rules }, { dataDir: home });
    await service.settled();
    const { property_id } = await service.v3('POST', '/properties', { name: 'Mill' });
    const { channel_account_id } = await act(service, 'channel_accounts', { channel_type: 'marketplace_a' });
    listing = (await act(service, 'listings', { channel_account_id, property_id, base_price: 100 })).listing_id;
    firstConversation = await book(service, 60);
    await service.portal('PUT', '/portal/accounts/demo', { automations: 'held' });
    await service.portal('POST', '/portal/automation_rules', {
      type: 'message',
      name: 'Welcome',
      event: 'booking',
      hours: 0,
      channel_types: ['marketplace_a'],
      action: { content: 'Welcome {guest_name}' },
    });
    newcomers = await book(service, 70);
    const logo_base64 = pngWith({ width: 320, height: 96 }).toString('base64');
    const brand = { account: 'demo', name: 'Sea & Sons', color: '#0b57a8', logo_base64 };
    await service.portal('PATCH', '/portal/brand', brand);
    shared = new URL((await service.v3('POST', '/calendar_share_links', { scope: 'entire' })).url).pathname;
    look = await lookOf(service);
    await afterArming(service);
    await write(service, 'one');
    await until(async () => (await said(service)).length === 1, 'an answer');
    await write(service, 'a question', newcomers);
    await until(async () => (await pending(service)).length === 1, 'a draft');
  });
  after(async () => {
    await restored?.stop();
    await service.remove();
    for (const folder of [elsewhere, rules]) rmSync(folder, { recursive: true, force: true });
  });

  it('a backup that is killed leaves no file; one that ends does, while bookings go on', async () => {
    const property = (await service.v3('POST', '/properties', { name: 'House' })).property_id;
    const guest = { guest_name: `${CANARY} Smith`, email: `${CANARY}@guest.example` };
    const dates = { check_in_date: addDays(today, -30), check_out_date: addDays(today, -28) };
    const money = { rate_amount: 100, commission_amount: 0, received_amount: 0 };
    const booked = await service.v3('POST', '/reservations', { property_id: property, ...dates, ...money, ...guest });
    erased = booked.reservation_code;
    await service.settled();
    const writer = writing(service, property);
    try {
      const killed = stayd(['backup', file], { STAYD_DATA_DIR: home });
      await until(() => existsSync(`${file}.partial`), 'the backup to begin');
      await killed.kill('SIGKILL');
      assert.equal(existsSync(file), false);
      await until(() => writer.answered.length > 20, 'some bookings');
      known = [...writer.answered];
      const { code, stdout, stderr } = await runOne(['backup', file], { STAYD_DATA_DIR: home });
      assert.equal(code, 0, stderr);
      assert.match(stdout, /the secret key \([0-9a-f]{8}\) is left out/);
      const enough = writer.answered.length + 10;
      await until(() => writer.answered.length > enough, 'bookings after the backup');
    } finally {
      await writer.stop();
    }
    const { actions } = await service.v3('GET', '/automation/actions');
    await service.v3('POST', `/automation/actions/${actions[0].plan_id}/execute`);
    for (const { plan_id } of await pending(service)) {
      await service.portal('POST', `/portal/automations/plans/${plan_id}/approve`, {});
    }
    await write(service, 'later');
    await service.portal('PATCH', '/portal/brand', { account: 'demo', name: 'Other', color: null, logo_base64: null });
    assert.deepEqual(readdirSync(elsewhere), ['daily.tar.gz'], 'nothing is left of the one that was killed');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(readFileSync(file).includes(readFileSync(join(home, 'secret.key'))), false);
  });

  it('a guest erased after the backup is written down beside the databases', async () => {
    assert.ok((await stillThere(service)).length > 0);
    const { code, stderr } = await runOne(['erase-guest', '--reservation-code', erased, '--yes'], {
      STAYD_DATA_DIR: home,
    });
    assert.equal(code, 0, stderr);
    assert.deepEqual(await stillThere(service), []);
  });

  it('restores what was acknowledged before it, catches up, and verify is clean', async () => {
    await until(async () => (await said(service)).length === 2, 'what is said after the backup');
    await until(async () => (await said(service, newcomers)).length === 2, 'welcome and answer, after the backup');
    await service.stop();
    const { code, stdout, stderr } = await runOne(['restore', file], { STAYD_DATA_DIR: fresh });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /restored the backup of \d{4}-.*automations are disarmed/s);
    assert.match(stdout, new RegExp(`^1 erasure made after the backup will be carried out again.* in ${home}$`, 'm'));
    assert.match(stderr, /put the secret\.key with the id [0-9a-f]{8}/);
    assert.deepEqual(readdirSync(fresh).toSorted(), ['core.db', 'erasures.log', 'mirror.db', 'stayd.lock']);
    copyFileSync(join(home, 'secret.key'), join(fresh, 'secret.key'));
    restored = await startTestService({ STAYD_AUTOMATIONS_RULES: rules }, { dataDir: fresh });
    await restored.settled();
    const codes = await restored.rows('select reservation_code from core.reservations');
    const inCore = new Set(codes.map((row) => row['reservation_code']));
    assert.deepEqual(
      known.filter((one) => !inCore.has(one)),
      [],
    );
    assert.equal((await restored.portal('POST', '/portal/verify', {})).clean, true);
    assert.deepEqual(await stillThere(restored), [], 'erased again');
    const webhooks = await restored.rows('select url from core.webhooks');
    assert.equal(webhooks.length, 1, 'the registration of before is found again');
  });

  it('the account looks as it did: name, colour and the bytes of the logo, at the same addresses', async () => {
    assert.ok(restored);
    assert.deepEqual([look.brand.name, look.brand.color, look.type], ['Sea & Sons', '#0b57a8', 'image/png']);
    assert.match(String(look.masthead), /<img src="\/brand\/[\w-]{32}"[^]*Sea &amp; Sons/);
    assert.deepEqual(await lookOf(restored), look);
  });

  it('automations stay disarmed until a person arms them', async () => {
    assert.ok(restored);
    const { automations } = (await restored.portal('GET', '/portal/status')).connections.local;
    assert.equal(automations.armed, false);
    assert.match(automations.because, /restored from the backup of \d{4}-/);
    const { stdout } = await runOne(['status'], { STAYD_DATA_DIR: fresh });
    assert.match(stdout, /^connection local: automations are disarmed since /m);
    await restored.restart();
    assert.equal((await restored.portal('GET', '/portal/status')).connections.local.automations.armed, false);
    await restored.settled();
    await write(restored, 'two');
    const by = restored;
    await until(async () => (await pending(by)).length === 3, 'the draft of before, and what each rule would say');
    assert.equal((await restored.portal('POST', '/portal/automations/arm', {})).were_disarmed, true);
    assert.deepEqual(await pending(restored), [], 'what was due meanwhile is not done');
    await afterArming(restored);
    await write(restored, 'three');
    await until(async () => (await said(by)).length === 2, 'the next answer');
    assert.deepEqual(await said(restored), ['Thank you for: one', 'Thank you for: three']);
    assert.equal((await restored.portal('GET', '/portal/status')).connections.local.automations.armed, true);
    const refused = await call(restored, 'POST', '/portal/automations/arm', { token: 'nobody', body: {} });
    assert.equal(refused.http, 401);
  });

  it('what the core has planned waits for a person, too', async () => {
    assert.ok(restored);
    const [account] = (await restored.portal('GET', '/portal/accounts')).accounts;
    assert.match(account.automations_held, /restored from the backup of \d{4}-/);
    const { stdout } = await runOne(['status'], { STAYD_DATA_DIR: fresh });
    assert.match(stdout, /^account demo: planned actions are held: restored from .*--automations armed$/m);
    assert.match(stdout, /^account demo: 1 planned action may have gone out before the restore/m);
    const afterwards = await book(restored, 80);
    const armed = await runOne(['account', 'change', 'demo', '--automations', 'armed'], { STAYD_DATA_DIR: fresh });
    assert.equal(armed.code, 0, armed.stderr);
    assert.equal((await restored.portal('GET', '/portal/accounts')).accounts[0].automations_held, null);
    await restored.restart();
    const by = restored;
    await until(async () => (await said(by, afterwards)).length === 1, 'the welcome of a booking after the restore');
    assert.deepEqual(await said(restored, newcomers), [], 'nobody knows whether this guest was welcomed');
    const { actions } = await restored.v3('GET', '/automation/actions');
    await restored.v3('POST', `/automation/actions/${actions[0].plan_id}/execute`);
    assert.deepEqual(await said(restored, newcomers), ['Welcome Ada Guest'], 'a person may say so');
    assert.deepEqual(await said(restored, afterwards), ['Welcome Ada Guest']);
  });

  it('on another machine a record of erasures is named: the file, its folder, or a later backup', async () => {
    const dir = dirname(file);
    const later = join(dir, 'later.tar');
    assert.equal((await runOne(['backup', later], { STAYD_DATA_DIR: home })).code, 0);
    // A directory of the same name elsewhere is not the one that the backup was made of.
    const instance = readFileSync(join(home, 'instance.id'), 'utf8');
    writeFileSync(join(home, 'instance.id'), 'another\n');
    const log = join(home, 'erasures.log');
    writeFileSync(join(dir, 'none.log'), '{"who":"Ann"}\n');
    const cases: [string, string[], number, RegExp][] = [
      ['without', [], 0, /no record of later erasures was found: whoever was erased after \d{4}-/],
      ['of-file', ['--erasures', log], 0, /^1 erasure made after the backup/m],
      ['of-folder', ['--erasures', home], 0, /^1 erasure made after the backup/m],
      ['of-backup', ['--erasures', later], 0, /^1 erasure made after the backup/m],
      ['of-old', ['--erasures', file], 0, /^nobody was erased after the backup/m],
      ['of-none', ['--erasures', join(dir, 'none.log')], 1, /line 1 of .*none\.log is no line of a record/],
      ['of-nothing', ['--erasures', join(dir, 'nothing')], 2, /there is no .*nothing/],
    ];
    const outcomes = await runEach(
      cases.map(([name, args]) => ({
        args: ['restore', file, ...args],
        environment: { STAYD_DATA_DIR: join(dir, name) },
      })),
    );
    writeFileSync(join(home, 'instance.id'), instance);
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      const [name, , wanted, says] = cases[index] ?? ['', [], 0, /never/];
      assert.match(stdout + stderr, says, name);
      assert.equal(code, wanted, `${name}: ${stderr}`);
      if (stdout.includes('1 erasure'))
        assert.equal(readFileSync(join(dir, name, 'erasures.log'), 'utf8'), readFileSync(log, 'utf8'));
    }
    assert.equal(existsSync(join(dir, 'without', 'erasures.log')), false);
  });

  it('a backup of the time before a library wrote them restores as well, whatever its size', async () => {
    const dir = dirname(file);
    const files: [string, Buffer][] = [];
    for await (const { header, body } of filesOf(file)) files.push([header.name, await buffer(body)]);
    assert.deepEqual(
      files.map(([name]) => name),
      ['core.db', 'mirror.db', 'erasures.log', 'stayd-backup.json'],
    );
    const earlier = earlierArchive(files);
    const [packed, plain] = [join(dir, 'earlier.tar.gz'), join(dir, 'earlier.tar')];
    writeFileSync(packed, gzipSync(earlier));
    writeFileSync(plain, earlier);
    for (const [index, archive] of [packed, plain].entries()) {
      const { code, stderr } = await runOne(['restore', archive], { STAYD_DATA_DIR: join(dir, `earlier-${index}`) });
      assert.equal(code, 0, stderr);
    }
    const bytes = 9 * 1024 ** 3;
    writeFileSync(plain, Buffer.concat([earlierHeader('core.db', bytes), Buffer.alloc(4_096)]));
    for await (const { header, body } of filesOf(plain)) {
      assert.equal(header.size, bytes);
      await body.cancel();
      break;
    }
  });

  it('says what it will not do: over data, over a file, from half a backup, from none', async () => {
    const dir = dirname(file);
    const half = join(dir, 'half.tar.gz');
    writeFileSync(half, readFileSync(file).subarray(0, Math.floor(statSync(file).size / 2)));
    const bent = join(dir, 'bent.tar');
    const none = join(dir, 'none');
    await runOne(['backup', bent], { STAYD_DATA_DIR: home });
    const bytes = readFileSync(bent);
    bytes[70_000] = (bytes[70_000] ?? 0) ^ 1;
    writeFileSync(bent, bytes);
    writeFileSync(join(dir, 'text'), 'no backup at all\n'.repeat(100));
    const cases: [string[], string, number, RegExp][] = [
      [['restore', file], fresh, 2, /core\.db is there already/],
      [['backup', file], fresh, 2, /is there already/],
      [['backup', join(dir, 'a', 'b')], fresh, 2, /there is no folder/],
      [['restore', join(dir, 'nowhere')], none, 2, /there is no file/],
      [['restore', file, '--loaded'], none, 2, /--loaded is for PostgreSQL/],
      [['restore', half], none, 1, /no whole backup/],
      [['restore', bent], none, 1, /no whole backup: core\.db is not what was written/],
      [['restore', join(dir, 'text')], none, 1, /no whole backup: Invalid tar/],
      [['backup', join(dir, 'empty.tar')], none, 2, /there is no stayd in /],
    ];
    const outcomes = await runEach(
      cases.map(([args, dataDir]) => ({ args, environment: { STAYD_DATA_DIR: dataDir } })),
    );
    for (const [index, { code, stderr }] of outcomes.entries()) {
      const [args, , wanted, says] = cases[index] ?? [[], '', 0, /never/];
      assert.match(stderr, says, args.join(' '));
      assert.equal(code, wanted, args.join(' '));
    }
    assert.deepEqual(readdirSync(none), ['stayd.lock'], 'a failed restore leaves nothing');
  });

  it('on PostgreSQL each names the program that does it, without the password', async () => {
    const environment = { STAYD_DATA_DIR: home, STAYD_DATABASE_URL: 'postgres://me:hidden@db.example/stayd' };
    const [dump, load] = await runEach(
      ['backup', 'restore'].map((name) => ({ args: [name, '/tmp/b.dump'], environment })),
    );
    assert.match(dump?.stderr ?? '', /pg_dump .*--schema=core --schema=mirror .*'postgres:\/\/me@db\.example\/stayd'/);
    assert.match(
      load?.stderr ?? '',
      /pg_restore .*'postgres:\/\/me@db\.example\/stayd' '.*' && \.\/stayd restore --loaded '\/tmp\/b\.dump'/,
    );
    assert.deepEqual([dump?.code, load?.code], [2, 2]);
  });
});
