import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hotelCsv } from '../imports/support/hotel.ts';
import { dataDirectory, startTestService, type TestService } from '../support/service.ts';
import { runEach, runMany, runOne } from './support/runMany.ts';

const COMMANDS = [
  ['start'],
  ['connect'],
  ['migrate'],
  ['account'],
  ['account', 'list'],
  ['account', 'create'],
  ['account', 'change'],
  ['sub-account'],
  ['sub-account', 'list'],
  ['sub-account', 'create'],
  ['sub-account', 'change'],
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
