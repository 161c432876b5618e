import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hotelCsv } from '../imports/support/hotel.ts';
import { dataDirectory, startTestService, type TestService } from '../support/service.ts';
import { runEach, runMany, runOne } from './support/runMany.ts';

const COMMANDS = [
  ['start'],
  ['connect'],
  ['disconnect'],
  ['migrate'],
  ['account'],
  ['account', 'list'],
  ['account', 'create'],
  ['account', 'change'],
  ['sub-account'],
  ['sub-account', 'list'],
  ['sub-account', 'create'],
  ['sub-account', 'change'],
  ['feeds'],
  ['feeds', 'list'],
  ['feeds', 'add'],
  ['feeds', 'read'],
  ['feeds', 'pause'],
  ['feeds', 'resume'],
  ['feeds', 'remove'],
  ['guest-page'],
  ['rates'],
  ['rates', 'show'],
  ['rates', 'set'],
  ['rates', 'remove'],
  ['rates', 'quote'],
  ['book-pages'],
  ['book-pages', 'list'],
  ['book-pages', 'add'],
  ['book-pages', 'revoke'],
  ['payments'],
  ['payments', 'show'],
  ['payments', 'transfer'],
  ['payments', 'stripe'],
  ['payments', 'cancellations'],
  ['bookings'],
  ['bookings', 'show'],
  ['bookings', 'paid'],
  ['bookings', 'link'],
  ['bookings', 'look'],
  ['bookings', 'refund'],
  ['bookings', 'deposit'],
  ['bookings', 'refund-done'],
  ['bookings', 'refund-dropped'],
  ['bookings', 'settle'],
  ['mail'],
  ['mail', 'list'],
  ['mail', 'add'],
  ['mail', 'test'],
  ['mail', 'read'],
  ['mail', 'pause'],
  ['mail', 'resume'],
  ['mail', 'remove'],
  ['mail', 'log'],
  ['mail', 'settle'],
  ['mail', 'take'],
  ['token'],
  ['token', 'create'],
  ['token', 'list'],
  ['token', 'revoke'],
  ['login'],
  ['login', 'invite'],
  ['oauth'],
  ['oauth', 'client'],
  ['oauth', 'client', 'add'],
  ['oauth', 'client', 'list'],
  ['oauth', 'client', 'remove'],
  ['oauth', 'connected'],
  ['oauth', 'disconnect'],
  ['mcp'],
  ['mcp', 'config'],
  ['dictionary'],
  ['dictionary', 'list'],
  ['dictionary', 'create'],
  ['dictionary', 'rename'],
  ['custom-channel'],
  ['custom-channel', 'list'],
  ['custom-channel', 'create'],
  ['custom-channel', 'rename'],
  ['deposit'],
  ['import'],
  ['import', 'bookings'],
  ['status'],
  ['verify'],
  ['backfill'],
  ['reconcile'],
  ['rebuild-mirror'],
  ['report'],
  ['analysts'],
  ['analysts', 'list'],
  ['analysts', 'grant'],
  ['analysts', 'revoke'],
  ['export'],
  ['export', 'list'],
  ['export', 'run'],
  ['export', 'map'],
  ['export', 'ack'],
  ['export', 'close'],
  ['export', 'reopen'],
  ['export', 'confirm-settings'],
  ['export', 'match'],
  ['export', 'verify'],
  ['events'],
  ['events', 'list'],
  ['events', 'show'],
  ['events', 'replay'],
  ['events', 'quarantined'],
  ['webhook'],
  ['webhook', 'register'],
  ['endpoints'],
  ['endpoints', 'list'],
  ['endpoints', 'add'],
  ['endpoints', 'change'],
  ['endpoints', 'remove'],
  ['endpoints', 'rotate'],
  ['endpoints', 'ping'],
  ['endpoints', 'log'],
  ['endpoints', 'replay'],
  ['notices'],
  ['notices', 'list'],
  ['notices', 'add'],
  ['notices', 'test'],
  ['notices', 'pause'],
  ['notices', 'resume'],
  ['notices', 'remove'],
  ['notices', 'log'],
  ['comparisons'],
  ['comparisons', 'list'],
  ['comparisons', 'add'],
  ['comparisons', 'findings'],
  ['comparisons', 'read'],
  ['comparisons', 'settle'],
  ['comparisons', 'remove'],
  ['profile'],
  ['profile', 'list'],
  ['profile', 'check'],
  ['automations'],
  ['automations', 'list'],
  ['automations', 'pending'],
  ['automations', 'test'],
  ['automations', 'log'],
  ['automations', 'approve'],
  ['automations', 'cancel'],
  ['automations', 'pause'],
  ['automations', 'resume'],
  ['automations', 'disarm'],
  ['automations', 'arm'],
  ['erase-guest'],
  ['audit'],
  ['simulate'],
  ['secrets'],
  ['secrets', 'rotate'],
  ['backup'],
  ['backups'],
  ['backups', 'list'],
  ['backups', 'run'],
  ['backups', 'drill'],
  ['backups', 'get'],
  ['restore'],
  ['doctor'],
];

describe('the command line, whatever the configuration is', () => {
  it('every command explains itself, even with a broken configuration, and exits 0', async () => {
    const outcomes = await runMany(
      COMMANDS.map((words) => [...words, '--help']),
      { STAYD_PORT: 'nonsense' },
    );
    for (const [index, { code, stdout }] of outcomes.entries()) {
      const words = COMMANDS[index]?.join(' ') ?? '';
      assert.equal(code, 0, words);
      assert.match(stdout, new RegExp(`^Usage: stayd ${words} `), words);
      assert.match(stdout, /\n\n[a-z]/, `${words} says what it is for`);
    }
  });

  it('the list of commands above is the whole list', async () => {
    const { stdout } = await runOne(['--help'], {});
    const names = [...stdout.matchAll(/^ {2}([a-z-]+)(?: \[| <| {2})/gm)].map((match) => match[1]);
    const known = new Set(COMMANDS.map(([name]) => name));
    assert.deepEqual(
      names.filter((name) => name !== 'help'),
      [...known],
    );
  });

  it('wrong use exits 2 and says what is allowed', async () => {
    const dir = dataDirectory();
    const cases: [string[], Record<string, string>, RegExp][] = [
      [['frobnicate'], {}, /unknown command 'frobnicate'/],
      [['token', 'create', '--name', 'x'], {}, /--scope/],
      [['import', 'bookings', join(dir, 'none.csv'), '--mapping', 'hotel-bookings'], {}, /there is no file/],
      [['status'], { STAYD_PORTT: '1' }, /STAYD_PORTT is no setting\n.*did you mean STAYD_PORT\?/],
      [['status'], { STAYD_LOG_LEVEL: 'loud' }, /STAYD_LOG_LEVEL: log_level: .*\n.*debug, info, warn, error, silent/],
    ];
    try {
      const outcomes = await runEach(
        cases.map(([args, environment]) => ({
          args,
          environment: { STAYD_DATA_DIR: dir, STAYD_PORT: '0', ...environment },
        })),
      );
      for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
        const [args = [], , expected = /never/] = cases[index] ?? [];
        assert.match(stderr, expected);
        assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
        assert.equal(stdout, '');
        assert.doesNotMatch(stderr, /\n\s+at /);
      }
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it('a wrong key in a file: the key, the file and what is allowed there', async () => {
    const dir = dataDirectory();
    const file = join(dir, 'mine.yaml');
    writeFileSync(file, 'faults:\n  dropp: 0.5\n');
    try {
      const { code, stderr } = await runOne(['status'], { STAYD_CONFIG: file, STAYD_DATA_DIR: dir });
      assert.equal(code, 2);
      assert.ok(stderr.includes(file), stderr);
      assert.match(stderr, /faults\.dropp is no known key\n.*did you mean drop\?/);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

for (const kind of ['running', 'started for the command'] as const) {
  describe(`commands on a service that is ${kind}`, () => {
    let service: TestService;
    let environment: Record<string, string>;

    before(async () => {
      service = await startTestService();
      environment = { STAYD_PORT: '0', STAYD_DATA_DIR: service.dataDir };
      await service.settled();
      if (kind !== 'running') await service.stop();
    });
    after(() => service.remove());

    it('--json output is JSON and nothing else', async () => {
      const commands = [
        ['account', 'list'],
        ['token', 'list'],
        ['status'],
        ['events', 'list'],
        ['reconcile', 'account'],
        ['verify'],
      ];
      const outcomes = await runMany(
        commands.map((words) => [...words, '--json']),
        environment,
      );
      for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
        const words = commands[index]?.join(' ');
        assert.ok(JSON.parse(stdout), words);
        assert.equal(stderr, '', words);
        assert.equal(code, 0, `${words}: ${stdout}`);
      }
    });

    it('token create prints the token alone; revoke ends it', async () => {
      const { code, stdout } = await runOne(['token', 'create', '--name', 'cli', '--scope', 'read'], environment);
      assert.equal(code, 0);
      assert.match(stdout, /^\S+\n$/);
      const listed = JSON.parse((await runOne(['token', 'list', '--json'], environment)).stdout) as {
        id: number;
        name: string;
        hint: string;
      }[];
      const made = listed.find((token) => token.name === 'cli');
      assert.ok(made);
      assert.ok(!JSON.stringify(listed).includes(stdout.trim()), 'the list does not show it again');
      const revoke = ['token', 'revoke', String(made.id)];
      const [first, again] = await runMany([revoke, revoke], environment);
      assert.equal(first?.code, 0, first?.stderr);
      assert.ok(again);
      assert.deepEqual([again.code, /there is no live token/.test(again.stderr)], [2, true]);
    });

    it('what people read: a table with every resource by its name', async () => {
      const outcomes = await runMany([['reconcile'], ['verify'], ['status']], environment);
      const [reconciled, verified, status] = outcomes;
      assert.ok(reconciled && verified && status);
      assert.equal(reconciled.code, 0, reconciled.stderr);
      assert.match(reconciled.stdout, /^resource +rows /);
      assert.match(reconciled.stdout, /^reservation +0 /m);
      assert.equal(verified.code, 0, verified.stdout);
      assert.match(verified.stdout, /^reservation +0 +0 +0 +0 +0$/m);
      assert.match(verified.stdout, /the mirror equals its source/);
      assert.equal(status.code, 0);
    });

    it('plans say before anything is read what it costs, when it is over, and how fresh the mirror stays', async () => {
      const size = ['--listings', '1000', '--bookings', '120000'];
      const outcomes = await runMany(
        [
          ['backfill', '--plan'],
          ['backfill'],
          ['reconcile', '--plan', ...size],
          ['reconcile', '--plan', '--listings', '5'],
        ],
        environment,
      );
      const [plan, read, reconciliations, half] = outcomes;
      assert.ok(plan && read && reconciliations && half);
      assert.equal(plan.code, 0, plan.stderr);
      assert.match(plan.stdout, /^listReservations +3$/m);
      assert.match(plan.stdout, /^\d+ requests for [\d,]+ rows?; over at \S+Z, in \d+ s$/m);
      assert.equal(read.code, 0, read.stdout + read.stderr);
      assert.match(read.stdout, /^reservation, now +0 +1 +done$/m);
      assert.match(read.stdout, /^over at \S+; expected at \S+$/m);
      assert.equal(reconciliations.code, 0, reconciliations.stderr);
      assert.match(reconciliations.stdout, /^reservation\.near +15 min +15 min /m);
      assert.match(reconciliations.stdout, /^account +[\d,]+ +\d+\.\d %$/m);
      assert.equal(half.code, 2, 'one of the two numbers alone is wrong use');
    });

    it('an import prints its totals, and exits 1 when a row of before has changed', async () => {
      const file = join(service.dataDir, 'rows.csv');
      const args = ['import', 'bookings', file, '--mapping', 'hotel-bookings'];
      writeFileSync(file, hotelCsv([{}, {}, { adr: '-1' }]));
      const first = await runOne([...args, '--json'], environment);
      assert.equal(first.code, 0, first.stderr);
      assert.equal((JSON.parse(first.stdout) as { created: number }).created, 2);
      writeFileSync(file, hotelCsv([{ adr: '7' }, {}, { adr: '-1' }]));
      const second = await runOne(args, environment);
      assert.equal(second.code, 1);
      assert.match(second.stdout, /line 2: \S+/);
    });

    it('an event that never came: exit 2, named', async () => {
      const { code, stderr } = await runOne(['events', 'show', '01NONE'], environment);
      assert.equal(code, 2);
      assert.match(stderr, /no event 01NONE was received/);
    });
  });
}

describe('verify on a mirror that differs', () => {
  it('exits 1 and shows where', async () => {
    const service = await startTestService();
    try {
      await service.v3('POST', '/properties', { name: 'House' });
      await service.settled();
      await service.portal('POST', '/portal/reconcile', {});
      await service.run("update mirror.properties set name = 'Hut'");
      const { code, stdout } = await runOne(['verify'], { STAYD_PORT: '0', STAYD_DATA_DIR: service.dataDir });
      assert.equal(code, 1);
      assert.match(stdout, /^property +1 +1 +0 +0 +1$/m);
      assert.match(stdout, /property \d+ different: .*name/);
      assert.match(stdout, /the mirror differs/);
    } finally {
      await service.remove();
    }
  });
});

describe('commands about people', () => {
  let service: TestService;
  let environment: Record<string, string>;
  before(async () => {
    service = await startTestService();
    environment = { STAYD_PORT: '0', STAYD_DATA_DIR: service.dataDir };
  });
  after(() => service.remove());

  it('calendars of a property: one is added, read, paused and removed; mistakes are said', async () => {
    const of = ['--account', 'demo'];
    const { property_id } = await service.v3('POST', '/properties', { name: 'Mill' });
    const property = String(property_id);
    const made = await runOne(
      ['feeds', 'add', '--property', property, '--name', 'Phone', '--private', ...of],
      environment,
    );
    assert.match(made.stdout, /\/feeds\/[\w-]{32}\.ics\n$/, made.stderr);
    const listed = await runOne(['feeds', 'list', '--json', ...of], environment);
    const id = String(
      (JSON.parse(listed.stdout) as { id: number; name: string }[]).find(({ name }) => name === 'Phone')?.id,
    );
    const outcomes = await runEach(
      [
        ['feeds', 'list', ...of],
        ['feeds', 'add', '--property', '999999', '--name', 'x', ...of],
        ['feeds', 'add', '--property', property, '--name', 'x', '--source', 'elsewhere', ...of],
        ['feeds', 'add', '--property', property, '--name', 'y', '--source', 'vrbo', ...of],
        ['feeds', 'add', '--property', property, '--name', 'z', '--source', 'automatic', ...of],
        ['feeds', 'add', '--property', property, '--name', 'x', '--url', 'http://127.0.0.1/c.ics', ...of],
        ['feeds', 'read', id, ...of],
        ['feeds', 'pause', id, ...of],
        ['feeds', 'resume', id, ...of],
        ['feeds', 'remove', id, '--cancel', ...of],
        ['feeds', 'remove', id, ...of],
      ].map((args) => ({ args, environment })),
    );
    const says = [
      /^id +property +name +from +read +events +ours fetched +sold twice\?\n/,
      /property_id not found/,
      /'elsewhere' is invalid. Allowed choices are airbnb, booking_com, vrbo, generic, automatic/,
      /\.ics\n$/,
      /\.ics\n$/,
      /url: cannot be read: the address must begin with https:.*outbound\.allow/,
      /Nothing is read from this feed/,
      /^$/,
      /^$/,
      /^$/,
      /id not found/,
    ];
    outcomes.forEach(({ stdout, stderr }, index) => assert.match(stdout + stderr, says[index] ?? /never/));
    const { feeds } = await service.portal('GET', `/portal/feeds?property_id=${property}`);
    assert.deepEqual(
      feeds.map(({ name, source }: { name: string; source: string }) => [name, source]),
      [
        ['y', 'vrbo'],
        ['z', 'generic'],
      ],
    );
  });

  it('the page of a reservation for its guests: made, renewed and ended; mistakes are said', async () => {
    const of = ['--account', 'demo'];
    const { property_id } = await service.v3('POST', '/properties', { name: 'Lake' });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const { reservation_code: code } = await service.v3('POST', '/reservations', {
      property_id,
      check_in_date: inDays(10),
      check_out_date: inDays(12),
      guest_name: 'Ada',
      number_of_guests: 2,
      rate_amount: 100,
      commission_amount: 0,
      received_amount: 0,
    });
    await service.portal('PATCH', `/portal/guest_guides/${property_id}`, { account: 'demo', country: 'DE' });
    const made = await runOne(['guest-page', code, ...of], environment);
    assert.match(made.stdout, /\/stay\/[\w-]{32}\n$/, made.stderr);
    assert.match(made.stderr, /0 of 2 guests registered/);
    const outcomes = await runEach(
      [
        ['guest-page', code, ...of],
        ['guest-page', 'none', ...of],
        ['guest-page', code, '--renew', '--revoke', ...of],
      ].map((args) => ({ args, environment })),
    );
    assert.equal(outcomes[0]?.stdout, made.stdout);
    assert.match(outcomes[1]?.stderr ?? '', /no longer available/);
    assert.match(outcomes[2]?.stderr ?? '', /exclude each other/);
    const renewed = await runOne(['guest-page', code, '--renew', '--json', ...of], environment);
    assert.notEqual(`${JSON.parse(renewed.stdout).url}\n`, made.stdout);
    assert.match((await runOne(['guest-page', code, '--revoke', ...of], environment)).stderr, /has ended/);
    assert.match((await runOne(['guest-page', code, '--revoke', ...of], environment)).stderr, /has no guest page/);
  });

  it('a rate plan is set from a file, tried and removed', async () => {
    const of = ['--account', 'demo'];
    const { property_id } = await service.v3('POST', '/properties', { name: 'Barn' });
    const property = String(property_id);
    const file = join(service.dataDir, 'plan.yaml');
    const wrong = join(service.dataDir, 'wrong.yaml');
    const text = readFileSync('config/rates/example.yaml', 'utf8').replace('[1]', `[${property}]`);
    writeFileSync(file, text);
    writeFileSync(wrong, text.replace('base_price:', 'base_prise:').replace('from: 06-15', 'from: June'));
    const stay = ['--from', '2027-10-04', '--to', '2027-10-07', '--booked-on', '2027-05-01'];
    const set = await runOne(['rates', 'set', file, ...of], environment);
    assert.match(set.stdout, new RegExp(`^plan \\d+, version 1: Standard for property ${property}\n$`), set.stderr);
    const outcomes = await runEach(
      [
        ['rates', 'set', wrong, ...of],
        ['rates', 'set', join(service.dataDir, 'none.yaml'), ...of],
        ['rates', 'show', ...of],
        ['rates', 'show', property, ...of],
        ['rates', 'quote', property, ...stay, '--adults', '2', '--children', '1,7', '--pets', '1', ...of],
        ['rates', 'quote', property, ...stay, '--choose', 'Breakfast', '--json', ...of],
        ['rates', 'quote', property, ...stay, '--adults', '9', '--pets', '0', ...of],
        ['rates', 'quote', property, ...stay, '--children', 'three', ...of],
        ['rates', 'remove', property, ...of],
        ['rates', 'show', property, ...of],
      ].map((args) => ({ args, environment })),
    );
    const says = [
      /line 5: base_prise is no known key[^]*line 11: seasons\.0\.from must be a date, YYYY-MM-DD, or a day of every year, MM-DD/,
      /there is no file .*none\.yaml/,
      /^plan +version +name +properties +a night +seasons +changed\n[^]*Standard +\d+ +120 EUR +2/,
      new RegExp(`^properties:\n  - ${property}\nname: Standard\ncurrency: EUR\nbase_price: 120\n`),
      /Nights +3 +120 +360\nCleaning +1 +80 +80\nPet +3 +5 +15\nCity tax +6 +2\.5 +15\ntotal +470 EUR\ncontains VAT: [^]*by 2027-09-04: 329\ncancellation \(custom\): 100 % until 2027-09-04/,
      /"name": "Breakfast"/,
      /^There is room for 6 guests\.\n$/,
      /Write ages from 0 to 17, separated by commas/,
      /^$/,
      /the property has no rate plan; set one/,
    ];
    outcomes.forEach(({ stdout, stderr }, index) => assert.match(stdout + stderr, says[index] ?? /never/));
  });

  it('a page where guests book: one is made, listed and revoked; ways to pay are set; mistakes are said', async () => {
    const of = ['--account', 'demo'];
    const { property_id } = await service.v3('POST', '/properties', { name: 'Loft' });
    const files = dataDirectory();
    const file = (name: string, text: string) => {
      writeFileSync(join(files, name), text);
      return join(files, name);
    };
    const [bank, key, wrong] = [
      file('bank.txt', 'Barn Ltd\nDE02 1203\n'),
      file('key.txt', 'sk_test_BarnBarnBarn\n'),
      file('wrong.txt', 'pk_test_BarnBarnBarn\n'),
    ];
    const made = await runOne(
      ['book-pages', 'add', '--property', String(property_id), '--name', 'Barn', ...of],
      environment,
    );
    assert.match(made.stdout, /\/book\/[\w-]{32}\n$/, made.stderr);
    const listed = await runOne(['book-pages', 'list', '--json', ...of], environment);
    const id = String((JSON.parse(listed.stdout) as { id: number }[])[0]?.id);
    const outcomes = await runEach(
      [
        ['book-pages', 'list', ...of],
        ['book-pages', 'add', '--property', '999999', '--name', 'x', ...of],
        ['payments', 'transfer', '--text-file', bank, '--hours', '24', ...of],
        ['payments', 'transfer', '--text-file', bank, '--off', ...of],
        ['payments', 'stripe', '--key-file', wrong, ...of],
        ['payments', 'stripe', ...of],
        ['payments', 'stripe', '--key-file', key, ...of],
        ['payments', 'cancellations', 'host', ...of],
        ['payments', 'cancellations', 'nobody', ...of],
        ['payments', 'show', ...of],
        ['bookings', 'show', '5-NONE', ...of],
        ['bookings', 'paid', '5-NONE', '--amount', 'many', ...of],
        ['book-pages', 'revoke', id, ...of],
        ['book-pages', 'list', ...of],
      ].map((args) => ({ args, environment })),
    );
    const says = [
      /^id +name +properties +address\n/,
      /property_ids not found/,
      /^$/,
      /not both/,
      /stripe_key: must be a secret key/,
      /--key-file, --webhook-secret-file or both/,
      /give this address to Stripe as a webhook: .*\/payments\/stripe\//,
      /^$/,
      /Allowed choices are guests, host/,
      /DE02 1203\nheld for a transfer: 24 h\nStripe: a test key; no webhook secret/,
      /no longer available/,
      /Write an amount/,
      /^$/,
      /revoked/,
    ];
    outcomes.forEach(({ stdout, stderr }, index) => assert.match(stdout + stderr, says[index] ?? /never/));
    rmSync(files, { recursive: true });
  });

  it('an account, a sub-account, a token of it and an invite for it', async () => {
    const of = ['--account', 'demo'];
    const made = await runOne(['sub-account', 'create', '--name', 'Cleaner', ...of], environment);
    assert.match(made.stdout, /^\d+\n$/, made.stderr);
    const id = made.stdout.trim();
    const outcomes = await runEach(
      [
        ['sub-account', 'change', id, '--name', 'Keeper', '--properties', '', '--role', 'staff', ...of],
        ['sub-account', 'list', ...of],
        ['token', 'create', '--name', 'k', '--scope', 'read', '--operator', id, '--per-hour', '50', ...of],
        ['token', 'list', ...of],
        ['login', 'invite', '--operator', id, ...of],
        ['account', 'change', 'demo', '--expires', '2999-01-31', '--property-quota', '7'],
        ['account', 'list'],
        ['account', 'change', 'demo', '--expires', 'never', '--suspended', 'perhaps'],
        ['sub-account', 'create', '--name', 'x', '--properties', '1;2', ...of],
        ['login', 'invite', '--operator', '999999', ...of],
      ].map((args) => ({ args, environment })),
    );
    const says = [
      /^changed sub-account \d+\n$/,
      /^id +name +role +properties +created\n\d+ +Keeper +staff +\d{4}-/,
      /^stayd_pat_\w{36}\n$/,
      / read +Keeper +stayd_pat_….{4} +- +50 /,
      /^http:\/\/\S+\/console\/welcome#([A-Z2-9]{4}-){6}[A-Z2-9]{4}\n$/,
      /^changed account demo\n$/,
      / active +pro +2999-01-31T00:00:00\.000Z/,
    ];
    for (const [index, expected] of says.entries()) {
      const outcome = outcomes[index];
      assert.match(outcome?.stdout ?? '', expected, outcome?.stderr);
      assert.equal(outcome?.code, 0);
    }
    assert.deepEqual(
      outcomes.slice(says.length).map(({ code, stdout }) => [code, stdout]),
      [2, 2, 2].map((code) => [code, '']),
    );
  });
});
