import assert from 'node:assert/strict';
import { chmodSync, closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { type Diagnosis, diagnose } from '../../src/compose/doctor/doctor.ts';
import { type Environment, loadConfig } from '../../src/config.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { dataDirectory, startTestService, type TestService, until } from '../support/service.ts';
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
    assert.match(stdout, /^PROBLEM {2}configuration: environment: STAYD_PORTT is no setting\n {9}→ allowed are /m);
    assert.match(stdout, /1 problem found/);
  });

  it('a file that others can read', async () => {
    const file = join(service.dataDir, 'core.db');
    chmodSync(file, 0o644);
    const { check, remedy } = onlyProblem(await look());
    chmodSync(file, FORBIDDEN_TO_OTHERS);
    assert.deepEqual([check, remedy], ['permissions', `chmod 600 ${file}`]);
  });

  it('a database that a newer version has made', async () => {
    await service.run("insert into core.kysely_migration (name, timestamp) values ('9999_to_come', '2030')");
    const { check, says } = onlyProblem(await look());
    await service.run("delete from core.kysely_migration where name = '9999_to_come'");
    assert.equal(check, 'version');
    assert.match(says, /core was made by a newer version .*9999_to_come/);
  });

  it('another secret key than the one that the secrets were sealed with', async () => {
    const { check, says } = onlyProblem(await look({ STAYD_SECRET_KEY: 'ab'.repeat(32) }));
    assert.equal(check, 'secret key');
    assert.match(says, /sealed with the key [0-9a-f]{8}; here is [0-9a-f]{8}/);
  });

  it('a clock that has gone back', async () => {
    const late = { ...systemClock, now: () => systemClock.now() - 600_000 };
    assert.equal(onlyProblem(await look({}, late)).check, 'clock');
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

  it('an address where nobody takes events any more', async () => {
    await service.run("update mirror.connections set webhook_url = 'http://127.0.0.1:9/hooks/local'");
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
