import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { addressOf, nameFor, tokenFrom } from '../../src/compose/connect/address.ts';
import { withConnection } from '../../src/config/withConnection.ts';
import { type ServiceProcess, startProcess } from '../service/support/process.ts';
import { freePort } from '../support/port.ts';
import { rowsOf } from '../support/tables.ts';
import { newToken, portal, startTestService, type TestService } from '../support/service.ts';
import type { Environment } from '../../src/config.ts';
import { runEach, runOne } from './support/runMany.ts';

describe('stayd connect', () => {
  let described: TestService;
  let hostex: TestService;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayd-connect-test-'));
    described = await startTestService({ STAYD_ROLES: 'core' });
    hostex = await startTestService({ STAYD_ROLES: 'core', STAYD_CORE_DIALECT: 'hostex' });
    await described.v3('POST', '/properties', { name: 'House by the sea' });
  });
  after(async () => {
    await described.remove();
    await hostex.remove();
    rmSync(folder, { recursive: true });
  });

  let directories = 0;
  const fresh = (): Environment & { STAYD_DATA_DIR: string } => {
    directories += 1;
    return { STAYD_PORT: '0', STAYD_DATA_DIR: join(folder, `data-${directories}`) };
  };
  const settingsIn = ({ STAYD_DATA_DIR: dir }: { STAYD_DATA_DIR: string }) => join(dir, 'stayd.yaml');
  const connect = (environment: Environment, ...args: string[]) => runOne(['connect', ...args], environment);

  it('finds how a deployment speaks before there is anything in it', async () => {
    const { stdout } = await connect(fresh(), hostex.url, '--token', hostex.token, '--plan');
    assert.match(stdout, /as the profile hostex says/);
    assert.doesNotMatch(stdout, /refused/);
  });

  it('from an address and a token to a mirror that is as the other side is', async () => {
    const environment = fresh();
    await hostex.v3('POST', '/properties', { title: 'House in the hills' });
    const token = join(folder, 'token');
    writeFileSync(token, `${hostex.token}\n`);
    const place = ['--token-file', token, '--time-zone', 'Europe/Lisbon', '--currency', 'EUR'];
    const { code, stdout, stderr } = await connect(environment, `${hostex.url.slice('http://'.length)}/v3/`, ...place);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /it speaks as the profile hostex says\nthe token may read and write/);
    assert.match(stdout, /^property +1$/m);
    assert.match(stdout, /reading everything takes \d+ requests within the limits: until \d{4}-/);
    assert.match(stdout, /^never older than 15 min: .*reservation\.near/m);
    assert.match(stdout, /everything was read once: [\d,]+ rows in [\d,]+ requests/);
    assert.match(stdout, /\.\/stayd start +keeps the mirror/);
    const file = settingsIn(environment);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(parse(readFileSync(file, 'utf8')), {
      roles: ['receive', 'work', 'schedule', 'console'],
      connections: {
        upstream: {
          url: `${hostex.url}/v3`,
          token: hostex.token,
          profile: 'hostex',
          time_zone: 'Europe/Lisbon',
          currency: 'EUR',
        },
      },
    });
    const [verified, again] = await runEach(
      [['verify'], ['connect', hostex.url, '--token', hostex.token]].map((args) => ({ args, environment })),
    );
    assert.match(verified?.stdout ?? '', /the mirror equals its source/);
    assert.equal(again?.code, 2);
    assert.match(again?.stderr ?? '', /connections\.upstream is there already.*\n.*--replace/);
  });

  it('with a token that may only read it says what will be missing, and --plan writes nothing', async () => {
    const environment = fresh();
    const token = await newToken(described, 'read');
    const { code, stdout } = await connect(environment, described.url, '--token', `"Bearer ${token}"`, '--plan');
    assert.equal(code, 0);
    assert.match(stdout, /the profile described says/);
    assert.match(stdout, /of demo;/);
    assert.match(stdout, /may only read \(Not authorized.*\n +events: .*webhook_secret\n +automations: /);
    assert.ok(!existsSync(environment.STAYD_DATA_DIR));
    const json = await connect(environment, described.url, '--token', token, '--plan', '--json');
    const report = JSON.parse(json.stdout);
    assert.deepEqual(
      [report.profile, report.account.time_zone, report.writing.allowed, report.written_to],
      ['described', 'Europe/Berlin', false, null],
    );
    assert.equal(report.foresight.first_read.counts.property, 1);
    assert.ok(!json.stdout.includes(token), 'no token is printed');
  });

  it('a wrong address, no such service, another kind of token: each in a sentence, and nothing is written', async () => {
    const environment = fresh();
    const web: Server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const page = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const given = ['--token', described.token];
    const rows: [string[], 1 | 2, RegExp][] = [
      [[page, ...given], 1, /does not answer like such a service: an answer that is no JSON.*\n.*API documentation/],
      [[nobody, ...given], 1, /does not answer like such a service: .*ECONNREFUSED/],
      [[described.url.replace('http:', 'https:'), ...given], 1, /does not answer in an encrypted way\n.*http:\/\//],
      [[described.url, '--token', 'whsec_c2VjcmV0'], 1, /does not take this token.*\n.*no secret of a webhook/],
      [[described.url, '--token', 'two words'], 2, /token: holds blanks/],
      [[described.url, '--token', ''], 2, /token: is empty/],
      [[described.url, '--token-file', join(folder, 'none')], 2, /--token-file: cannot read/],
      [[described.url], 2, /token: is missing, and nobody can be asked here\n.*--token-file/],
      [[], 2, /url: is missing/],
      [['ftp://rentals.example', ...given], 2, /url: "ftp:\/\/rentals\.example" is no address/],
      [['https://ann:secret@rentals.example', ...given], 2, /url: holds a user or a password/],
      [[described.url, ...given, '--name', 'local'], 2, /cannot be the name.*\n.*core beside/],
      [[described.url, ...given, '--name', 'North Sea'], 2, /cannot be the name.*\n.*small letters/],
      [[described.url, ...given, '--time-zone', 'Mars'], 2, /time_zone: must be an IANA time zone/],
      [[described.url, ...given, '--profile', 'hostx'], 2, /there is no profile "hostx".*\n.*hostex/],
    ];
    try {
      const outcomes = await runEach(rows.map(([args]) => ({ args: ['connect', ...args], environment })));
      for (const [index, { code, stderr }] of outcomes.entries()) {
        const [args, expected, says] = rows[index] ?? [];
        assert.match(stderr, says ?? /$^/, args?.join(' '));
        assert.equal(code, expected, args?.join(' '));
      }
      assert.ok(!existsSync(settingsIn(environment)));
    } finally {
      web.close();
    }
  });

  it('own settings keep their comments; those that cannot be used are left as they are', async () => {
    const environment = { ...fresh(), STAYD_CONFIG: join(folder, 'mine.yaml') };
    const mine = '# ours\nport: 0 # any\n';
    writeFileSync(environment.STAYD_CONFIG, mine);
    const args = [described.url, '--token', described.token, '--name', 'north', '--no-read', '--with-core'];
    const { code, stdout, stderr } = await connect(environment, ...args);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /written to .*mine\.yaml, as connections\.north\n\.\/stayd start reads it/);
    const written = readFileSync(environment.STAYD_CONFIG, 'utf8');
    assert.ok(written.startsWith(mine), written);
    assert.deepEqual(parse(written).connections.north.profile, 'described');
    const elsewhere = { ...environment, STAYD_CONNECTIONS_NORTH_TOKEN: 'another' };
    const refused = await connect(elsewhere, ...args, '--replace');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /connections\.north is said elsewhere, too/);
    assert.equal(readFileSync(environment.STAYD_CONFIG, 'utf8'), written);
  });

  it('a running service takes a connection in and ends it without a new start; one that it cannot use it refuses', async () => {
    const environment = fresh();
    let service: ServiceProcess | undefined;
    try {
      service = await startProcess(environment.STAYD_DATA_DIR, { STAYD_PORT: String(await freePort()) });
      const { code, stdout, stderr } = await connect(environment, described.url, '--token', described.token);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /everything was read once/);
      assert.doesNotMatch(stdout, /\.\/stayd start/);
      const file = settingsIn(environment);
      assert.equal(parse(readFileSync(file, 'utf8')).roles, undefined, 'what it served it serves on');
      const control = JSON.parse(readFileSync(join(environment.STAYD_DATA_DIR, 'control.json'), 'utf8'));
      const reached = { ...service, url: control.url, secret: control.secret };
      const status = () => portal(reached, 'GET', '/portal/status');
      assert.deepEqual(Object.keys((await status()).connections).toSorted(), ['local', 'upstream']);
      const before = readFileSync(file, 'utf8');
      writeFileSync(file, 'connections: { north: { url: "https://north.example", profile: hostx } }\n');
      const answer = await fetch(`${control.url}/portal/settings/reload`, {
        method: 'POST',
        headers: { 'stayd-control-secret': control.secret, 'content-type': 'application/json' },
        body: '{}',
      });
      assert.equal(answer.status, 422);
      assert.match(await answer.text(), /there is no profile .*hostx/);
      assert.deepEqual(Object.keys((await status()).connections).toSorted(), ['local', 'upstream']);
      writeFileSync(file, before);

      const local = (await status()).connections.local;
      const ended = await runOne(['disconnect', 'upstream'], environment);
      assert.equal(ended.code, 0, ended.stderr);
      assert.match(ended.stdout, /took connections\.upstream out of .*stayd\.yaml[\s\S]*its rows stay/);
      assert.deepEqual(Object.keys((await status()).connections), ['local']);
      assert.equal((await status()).connections.local.caught_up_age >= local.caught_up_age, true, 'local went on');
      const hooks = (await described.v3('GET', '/webhooks')).webhooks as { url: string }[];
      assert.deepEqual(hooks, [], 'nothing is sent to it any more');
      const place = { dataDir: environment.STAYD_DATA_DIR, databaseUrl: null };
      const rows = async () => {
        const tables = await rowsOf(
          place,
          `select m.name from mirror.sqlite_schema m join pragma_table_info(m.name, 'mirror') c on c.name = 'connection'
           where m.type = 'table'`,
        );
        const held: string[] = [];
        for (const { name } of tables) {
          const [found] = await rowsOf(
            place,
            `select count(*) as n from mirror."${String(name)}" where connection = 'upstream'`,
          );
          if (Number(found?.['n']) > 0) held.push(String(name));
        }
        return held;
      };
      assert.ok((await rows()).includes('properties'), 'the rows stay');
      const unasked = await runOne(['disconnect', 'upstream', '--delete-rows'], environment);
      assert.equal(unasked.code, 2, unasked.stdout);
      const own = await runOne(['disconnect', 'local', '--delete-rows', '--yes'], environment);
      assert.match(own.stderr, /local is being mirrored/);
      const gone = await runOne(['disconnect', 'upstream', '--delete-rows', '--yes', '--json'], environment);
      assert.equal(gone.code, 0, gone.stderr);
      assert.ok(JSON.parse(gone.stdout).rows > 10, gone.stdout);
      assert.deepEqual(await rows(), []);
      const again = await runOne(['disconnect', 'upstream'], environment);
      assert.match(again.stderr, /no connection upstream is set; there are none/);
      assert.doesNotMatch(service.stdout(), /starting again/, 'nothing of this was a new start');
    } finally {
      await service?.kill('SIGTERM');
    }
  });
});

describe('what is written into settings', () => {
  const north = { url: 'https://north.example', token: 't', profile: 'described' };
  const rows: [before: string, after: unknown][] = [
    ['', { connections: { north } }],
    ['# only a comment\n', { connections: { north } }],
    ['port: 1\nconnections: {}\n', { port: 1, connections: { north } }],
    ['connections:\n', { connections: { north } }],
    [
      'connections:\n  south: { url: https://south.example, token: s }\n',
      { connections: { south: { url: 'https://south.example', token: 's' }, north } },
    ],
    [
      'connections:\n  north:\n    url: https://old.example\n    token: old # of May\n    reconcile: { schedules: [] }\n',
      { connections: { north: { ...north, reconcile: { schedules: [] } } } },
    ],
  ];
  for (const [before, after] of rows) {
    it(`into ${JSON.stringify(before)}`, () => {
      const text = withConnection(before, 'mine.yaml', 'north', north, {});
      assert.deepEqual(parse(text), after);
      for (const comment of before.match(/#.*/g) ?? []) assert.ok(text.includes(comment), text);
    });
  }

  it('settings that are none are told with the line', () => {
    const write = (text: string) => () => withConnection(text, 'mine.yaml', 'north', north, {});
    assert.throws(write('port: 1\n  host: 2\n'), /mine\.yaml: line 1: /);
    assert.throws(write('- a list\n'), /mine\.yaml holds no settings/);
  });
});

describe('what people type', () => {
  it('is an address in many forms', () => {
    assert.equal(addressOf('rentals.example'), 'https://rentals.example');
    assert.equal(addressOf(' HTTPS://Rentals.Example/v3/ '), 'https://rentals.example/v3');
    assert.equal(addressOf('localhost:8484'), 'http://localhost:8484');
    assert.equal(addressOf('http://10.0.0.5:80/base?x=1#y'), 'http://10.0.0.5/base');
    for (const wrong of ['', ' ', 'a b', 'ftp://x.example', 'https://'])
      assert.throws(() => addressOf(wrong), /no address/);
  });

  it('is a token with what was copied along', () => {
    for (const text of ['abc', ' abc\n', '"abc"', 'Bearer abc', "'Bearer abc'"]) assert.equal(tokenFrom(text), 'abc');
  });

  it('names a connection after its host', () => {
    assert.equal(nameFor('https://rentals.example/v3', []), 'rentals');
    assert.equal(nameFor('https://api.hostex.io', ['local']), 'hostex');
    assert.equal(nameFor('http://10.0.0.5:8484', ['local', 'upstream']), 'upstream-2');
    assert.equal(nameFor('https://local.example', ['local']), 'upstream');
    assert.equal(nameFor('https://local-flats.example', []), 'upstream');
  });
});
