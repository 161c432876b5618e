import assert from 'node:assert/strict';
import { chmodSync, closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { type Diagnosis, diagnose } from '../../src/compose/doctor/doctor.ts';
import { type Environment, loadConfig } from '../../src/config.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { ics, startMarketplace } from '../channels/feeds/support/feedWorld.ts';
import { openEar } from '../notices/support/told.ts';
import { dataDirectory, startTestService, type TestService, until } from '../support/service.ts';
import { hookContext } from '../../src/sync/tables/rows/sealedValues.ts';
import { sealerIn } from '../support/sealing.ts';
import { Truth } from '../support/truth.ts';
import { runOne } from './support/runMany.ts';

const FORBIDDEN_TO_OTHERS = 0o600;

describe('doctor', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await service.settled();
  });
  after(() => service.remove());

  const look = (more: Environment = {}, clock: Clock = systemClock) =>
    diagnose(() => loadConfig({ STAYD_PORT: '0', STAYD_DATA_DIR: service.dataDir, ...more }), clock);

  /** The one thing that is wrong. */
  function onlyProblem({ healthy, findings }: Diagnosis): { check: string; says: string; remedy: string | null } {
    const problems = findings.filter((one) => one.state === 'problem');
    assert.equal(healthy, false);
    assert.equal(problems.length, 1, JSON.stringify(problems));
    assert.ok(problems[0]?.remedy, 'each problem has a remedy');
    return problems[0];
  }

  it('of a sound service finds nothing, and says what it has looked at', async () => {
    const { code, stdout } = await runOne(['doctor', '--json'], { STAYD_DATA_DIR: service.dataDir });
    assert.equal(code, 0, stdout);
    const { healthy, findings } = JSON.parse(stdout) as Diagnosis;
    assert.equal(healthy, true);
    const looked = new Set(findings.map((one) => one.check));
    for (const check of [
      'configuration',
      'service',
      'permissions',
      'disk space',
      'integrity',
      'write-ahead log',
      'version',
      'secret key',
      'clock',
      'connection local',
      'webhook of local',
    ]) {
      assert.ok(looked.has(check), check);
    }
  });

  it('a setting that is none: exit code 1, the setting, and what is allowed', async () => {
    const environment = { STAYD_DATA_DIR: service.dataDir, STAYD_PORTT: '1' };
    const { code, stdout } = await runOne(['doctor'], environment);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^PROBLEM {2}configuration: environment: STAYD_PORTT is no setting\n {9}→ did you mean STAYD_PORT\?$/m,
    );
    assert.match(stdout, /1 problem found/);
  });

  it('a file that others can read, own settings included', async () => {
    const settings = join(service.dataDir, 'stayd.yaml');
    writeFileSync(settings, '# may hold tokens\n');
    for (const file of [join(service.dataDir, 'core.db'), settings]) {
      chmodSync(settings, FORBIDDEN_TO_OTHERS);
      chmodSync(file, 0o644);
      const { check, remedy } = onlyProblem(await look());
      chmodSync(file, FORBIDDEN_TO_OTHERS);
      assert.deepEqual([check, remedy], ['permissions', `chmod 600 ${file}`]);
    }
    rmSync(settings);
  });

  it('a database that a newer version has made', async () => {
    await service.run("insert into core.kysely_migration (name, timestamp) values ('9999_to_come', '2030')");
    const { check, says } = onlyProblem(await look());
    await service.run("delete from core.kysely_migration where name = '9999_to_come'");
    assert.equal(check, 'version');
    assert.match(says, /core was made by a newer version .*9999_to_come/);
  });

  it('a view, an index and a table that somebody has removed', async () => {
    for (const [half, kind, name] of [
      ['mirror', 'view', 'v1_house'],
      ['mirror', 'index', 'transactions_by_use'],
      ['core', 'table', 'brands'],
    ] as const) {
      const [made] = await service.rows(`select sql from ${half}.sqlite_schema where name = '${name}'`);
      await service.run(`drop ${kind} ${half}.${name}`);
      const found = onlyProblem(await look());
      await service.run(
        String(made?.['sql']).replace(name, `${half}.${name}`).replace(`"${half}.${name}"`, `${half}.${name}`),
      );
      assert.equal(found.check, 'schema');
      assert.match(
        found.says,
        new RegExp(`${half}\\.db lacks what something else must have removed: ${kind} ${name}$`),
      );
      assert.match(found.remedy ?? '', /bring back the last backup/);
    }
    assert.deepEqual(
      (await look()).findings.filter(({ check, state }) => check === 'schema' && state !== 'ok'),
      [],
    );
  });

  it('another secret key than the one that the secrets were sealed with', async () => {
    const { findings } = await look({ STAYD_SECRET_KEY: 'ab'.repeat(32) });
    const [differs, ...others] = findings.filter((one) => one.state === 'problem');
    assert.match(differs?.says ?? '', /^the running service does not go by what stands here: secret_key$/);
    assert.equal(others.length, 1);
    const { check = '', says = '' } = others[0] ?? {};
    assert.equal(check, 'secret key');
    assert.match(says, /sealed with the key [0-9a-f]{8}; here is [0-9a-f]{8}/);
  });

  it('a clock that has gone back', async () => {
    const late = { ...systemClock, now: () => systemClock.now() - 600_000 };
    assert.equal(onlyProblem(await look({}, late)).check, 'clock');
  });

  it('settings that the running service does not go by, and settings that only it was given', async () => {
    const { healthy, findings } = await look({ STAYD_LOG_LEVEL: 'error', STAYD_AUTOMATIONS_LANGUAGE: 'de' });
    const told = findings.filter((one) => one.check === 'configuration').map((one) => `${one.state} ${one.says}`);
    assert.equal(healthy, false);
    assert.deepEqual(told.slice(1), [
      'problem the running service does not go by what stands here: automations.language, log_level',
      'note the running service was given more than this command: limits',
    ]);
    const { stdout } = await runOne(['doctor', '--json'], { STAYD_DATA_DIR: service.dataDir, STAYD_PORT: '0' });
    assert.doesNotMatch(stdout, new RegExp(service.secret), 'no digest and no secret is printed');
  });

  it('a write-ahead log that somebody keeps from shrinking', async () => {
    // As large as one can be without being written: the file has a hole.
    const dir = dataDirectory();
    const descriptor = openSync(join(dir, 'core.db-wal'), 'w', FORBIDDEN_TO_OTHERS);
    writeSync(descriptor, 'x', 257 * 1024 * 1024);
    closeSync(descriptor);
    const { lookAtWal } = await import('../../src/compose/doctor/machine.ts');
    const { state, remedy } = lookAtWal(join(dir, 'core.db'));
    rmSync(dir, { recursive: true });
    assert.equal(state, 'problem');
    assert.match(remedy ?? '', /close other programs/);
  });

  it('a scheduled export that has failed', async () => {
    await service.run(
      "insert into mirror.export_jobs (connection, job, attempts, problem, retry_at) values ('local', 'books', 1, 'the disk is full', '2027-01-01T06:00:00.000Z')",
    );
    const { check, says } = onlyProblem(await look());
    assert.equal(check, 'export books of local');
    assert.equal(says, 'the disk is full; it is tried again at 2027-01-01T06:00:00.000Z');
    await service.run("delete from mirror.export_jobs where job = 'books'");
  });

  it('an address where nobody takes events any more', async () => {
    const url = 'http://127.0.0.1:9/hooks/local';
    const { seal } = sealerIn(service.dataDir);
    await service.run(`update mirror.connections set webhook_url = '${seal(url, hookContext('local'))}'`);
    for (const { id } of await service.rows('select id from core.webhooks')) {
      await service.run(
        `update core.webhooks set url = '${seal(url, `webhook_url:${Number(id)}`)}' where id = ${Number(id)}`,
      );
    }
    const { check, says } = onlyProblem(await look());
    assert.equal(check, 'webhook of local');
    assert.match(says, /does not answer/);
  });

  it('a damaged file, when the service does not run', async () => {
    await service.stop();
    const file = join(service.dataDir, 'mirror.db');
    writeFileSync(file, Buffer.alloc(8192, 0x5a));
    const { check, remedy } = onlyProblem(await look());
    assert.equal(check, 'integrity');
    assert.match(remedy ?? '', /start stayd: it moves the file away/);
  });
});

describe('doctor, of a connection to elsewhere', () => {
  let truth: Truth;
  let service: TestService | undefined;
  afterEach(async () => {
    await service?.remove();
    await truth.close();
  });

  async function mirroring(): Promise<Environment> {
    truth = new Truth();
    const url = await truth.listen();
    return { STAYD_UPSTREAM_URL: url, STAYD_UPSTREAM_TOKEN: 'token' };
  }

  async function look(environment: Environment, ahead = 0): Promise<Diagnosis> {
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    const dataDir = service?.dataDir ?? '';
    return diagnose(() => loadConfig({ STAYD_PORT: '0', STAYD_DATA_DIR: dataDir, ...environment }), clock);
  }

  const saysOf = ({ findings }: Diagnosis, check: string) =>
    findings.filter((one) => one.check === check).map((one) => `${one.state} ${one.says}`);

  const caughtUp = () =>
    until(
      async () =>
        (await service?.rows('select 1 from mirror.connections where caught_up_at is not null'))?.length === 1,
      'a first reading',
    );

  it('a token that the running service uses and the source refuses, also where a good one stands here', async () => {
    const environment = await mirroring();
    service = await startTestService(environment);
    await caughtUp();
    assert.equal((await look(environment)).healthy, true);
    truth.fault = ({ token }) => (token === 'of yesterday' ? { kind: 'code', code: 401 } : undefined);
    await service.restart({ STAYD_UPSTREAM_TOKEN: 'of yesterday' });
    for (const given of [environment, {}]) {
      const found = await look(given);
      assert.equal(found.healthy, false);
      assert.match(
        saysOf(found, 'token of upstream').join(),
        /^problem http.* refuses the token that the running service uses: .*401/,
      );
    }
    const compared = saysOf(await look(environment), 'configuration').join('\n');
    assert.match(compared, /problem the running service does not go by what stands here: upstream\.token/);
  });

  it('a change that a read found first is no finding until its event has had its time', async () => {
    const environment = await mirroring();
    service = await startTestService(environment);
    await caughtUp();
    await service.run(`
      insert into mirror.lost_events
        (connection, seq, event, sub_event, position, resource, key, state, since, seen_at, seen_by)
      values ('upstream', 1, 'transaction_created', '', 0, 'transaction', '1', 'waiting', '2999-01-01T00:00:00.000Z',
        '2999-01-01T00:00:00.000Z', 'scan')`);
    const early = await look(environment);
    assert.match(saysOf(early, 'events of upstream').join(), /^note /);
    assert.equal(early.healthy, true, JSON.stringify(early.findings));
    await service.run("update mirror.lost_events set state = 'lost'");
    assert.match(
      saysOf(await look(environment), 'events of upstream').join(),
      /^problem the source does not deliver: .*reads have since found a change whose event never came$/,
    );
  });

  it('a registration that somebody has moved elsewhere', async () => {
    const environment = await mirroring();
    service = await startTestService(environment);
    await caughtUp();
    for (const one of truth.webhooks.values()) one.url = 'https://elsewhere.example/hooks';
    assert.match(
      saysOf(await look(environment), 'token of upstream').join(),
      /problem the source delivers our events to https:\/\/elsewhere\.example\/hooks, we registered http/,
    );
  });

  it('token, scope, registration and clock are tried; what is wrong with them is said', async () => {
    const environment = await mirroring();
    service = await startTestService(environment);
    await caughtUp();
    const well = await look(environment);
    assert.deepEqual(saysOf(well, 'token of upstream'), ['ok it reads and writes, and our webhook is registered']);
    assert.equal(well.healthy, true, JSON.stringify(well.findings));
    assert.match(
      saysOf(await look(environment, 300_000), 'upstream of upstream').join(),
      /problem .*(299|300|301) s apart/,
    );
    truth.readOnly = true;
    assert.match(saysOf(await look(environment), 'token of upstream').join(), /problem .*updateWebhook.*401/);
    truth.readOnly = false;
    truth.webhooks.clear();
    assert.match(saysOf(await look(environment), 'token of upstream').join(), /problem .*not registered/);
    truth.fault = () => ({ kind: 'code', code: 420 });
    const refused = await look(environment);
    assert.match(saysOf(refused, 'token of upstream').join(), /problem .*420/);
    truth.fault = () => undefined;
    await service.run("update mirror.connections set state = 'paused', reason = 'Subscription expired'");
    const paused = (await look(environment)).findings.find((one) => /nothing is read since/.test(one.says));
    assert.match(paused?.remedy ?? '', /the host of that account must renew it/);
  });
});

describe('doctor, of a source that refuses to deliver', () => {
  it('names the refusal there, and what is not told here', async () => {
    const source = await startTestService();
    const mirror = await startTestService({ STAYD_UPSTREAM_URL: source.url, STAYD_UPSTREAM_TOKEN: source.token });
    try {
      const caughtUp = "select 1 from mirror.connections where connection = 'upstream' and caught_up_at is not null";
      await until(async () => (await mirror.rows(caughtUp)).length === 1, 'a first reading');
      const look = async ({ dataDir }: TestService, check: string) => {
        const { findings } = await diagnose(
          () => loadConfig({ STAYD_PORT: '0', STAYD_DATA_DIR: dataDir }),
          systemClock,
        );
        return findings.filter((one) => one.check === check).map(({ state, says }) => `${state} ${says}`);
      };
      assert.match((await look(mirror, 'events of upstream')).join(), /^note registered since .*none has come yet/);
      const { property_id } = await source.v3('POST', '/properties', { name: 'Sea View' });
      for (const day of ['05', '08', '11', '14']) {
        await source.v3('POST', '/reservations', {
          property_id,
          check_in_date: `2027-03-${day}`,
          check_out_date: `2027-03-${Number(day) + 2}`.replace(/-(\d)$/, '-0$1'),
          guest_name: 'A. Guest',
          rate_amount: 300,
          commission_amount: 0,
          received_amount: 0,
          currency: 'EUR',
        });
      }
      await source.settled();
      assert.match(
        (await look(source, 'deliveries')).join(),
        /^problem the last \d+ deliveries to webhook \d+ of account \S+ failed, the newest as (bad_url|private_address)$/,
      );
      // As if they had been made some time ago: the source has a minute to deliver.
      await source.run("update core.stays set created_at = '2026-01-01T00:00:00.000Z'");
      assert.match(
        (await look(mirror, 'events of upstream')).join(),
        /^problem the source does not deliver: registered since .*, and none has ever come; 4 of the newest bookings of the source are not in the mirror$/,
      );
    } finally {
      await mirror.remove();
      await source.remove();
    }
  });

  it('says which calendar is not read any more, and of a database of an earlier version says nothing about calendars', async (t) => {
    const market = await startMarketplace();
    const world = await startTestService({ STAYD_OUTBOUND_ALLOW: market.address });
    t.after(async () => {
      await world.remove();
      await market.close();
    });
    const findings = async () =>
      (await diagnose(() => loadConfig({ STAYD_PORT: '0', STAYD_DATA_DIR: world.dataDir }), systemClock)).findings
        .filter((one) => one.check === 'calendar feeds')
        .map(({ state, says }) => `${state} ${says}`);
    assert.deepEqual(await findings(), ['ok each is read, and each channel fetches ours']);
    market.says(ics([]));
    const { property_id } = await world.v3('POST', '/properties', { name: 'Sea House' });
    const { id } = await world.portal('POST', '/portal/feeds', { property_id, name: 'Channel', url: market.url });
    assert.match((await findings()).join(), /^ok /);
    market.says({ status: 500 });
    await world.portal('POST', `/portal/feeds/${id}/read`);
    assert.match((await findings()).join(), /^note the last read of the calendar "Channel" of Sea House failed: .*500/);
    market.says(ics([]));
    await world.portal('POST', `/portal/feeds/${id}/read`);
    assert.match((await findings()).join(), /^ok /);
    await world.run("update core.feeds set good_at = '2026-01-01T00:00:00.000Z', problem = 'it answers 410'");
    const says = 'the calendar "Channel" of Sea House was not read since 2026-01-01T00:00:00.000Z: it answers 410';
    assert.deepEqual(await findings(), [`problem ${says}`]);
    await world.stop();
    assert.deepEqual(await findings(), [`note ${says}`], 'while nothing runs, that is no surprise');
    await world.run('drop table core.feed_closures');
    await world.run('drop table core.feed_entries');
    await world.run('drop table core.feeds');
    await world.run("delete from core.kysely_migration where name >= '0013'");
    assert.deepEqual(await findings(), []);
  });

  it('says which place takes no notices', async (t) => {
    const ear = await openEar();
    const world = await startTestService({ STAYD_OUTBOUND_ALLOW: ear.address });
    t.after(async () => {
      await world.remove();
      await ear.close();
    });
    const findings = async (clock: Clock = systemClock) =>
      (await diagnose(() => loadConfig({ STAYD_PORT: '0', STAYD_DATA_DIR: world.dataDir }), clock)).findings
        .filter((one) => one.check === 'notices')
        .map(({ state, says }) => `${state} ${says}`);
    assert.deepEqual(await findings(), ['ok each place where people are told takes what it is told']);
    const settings = { url: `${ear.url}/hook` };
    await world.portal('POST', '/portal/notices', { name: 'Reception', kind: 'slack', settings });
    ear.answers(404);
    await world.portal('POST', '/portal/notices/Reception/test', {});
    assert.match((await findings()).join(), /^ok /, 'one failure is an accident');
    await world.run("update mirror.notice_places set failing_since = '2026-01-01T00:00:00.000Z'");
    assert.match(
      (await findings()).join(),
      /^problem nothing has reached "Reception" since 2026-01-01.*: it answers 404/,
    );
  });
});
