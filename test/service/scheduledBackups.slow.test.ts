import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { backupPlan } from '../../src/compose/backup/schedule/plan.ts';
import { readRecord } from '../../src/compose/backup/schedule/record.ts';
import { type Backups, startBackups } from '../../src/compose/backup/schedule/scheduler.ts';
import { lookAtBackups } from '../../src/compose/doctor/backups.ts';
import { loadConfig } from '../../src/config.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { runOne } from '../cli/support/runMany.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { dataDirectory, rowsOf, settled, startTestService, type TestService, until } from '../support/service.ts';
import { startStorage, type Storage } from './support/storage.ts';

const NAME = /^stayd-\d{8}T\d{6}Z\.tar\.gz$/;
const backupsIn = (folder: string) => readdirSync(folder).filter((name) => NAME.test(name));

async function book(service: TestService, night: string, next: string): Promise<string> {
  const { property_id } = await service.v3('POST', '/properties', { name: `House ${night}` });
  const { reservation_code } = await service.v3('POST', '/reservations', {
    property_id,
    check_in_date: night,
    check_out_date: next,
    guest_name: 'Ada',
    rate_amount: 300,
    commission_amount: 0,
    received_amount: 0,
  });
  return reservation_code;
}

describe('backups that stayd makes by itself, beside a running service', () => {
  const place = join(mkdtempSync(join(tmpdir(), 'stayd-backups-')), 'daily');
  let service: TestService;
  let code: string;
  before(async () => {
    service = await startTestService();
    code = await book(service, '2027-03-01', '2027-03-04');
    await settled(service);
  });
  after(async () => {
    await service.remove();
    rmSync(join(place, '..'), { recursive: true, force: true });
  });

  const environment = (more: Record<string, string> = {}) => ({
    STAYD_DATA_DIR: service.dataDir,
    STAYD_BACKUP_TO: place,
    STAYD_BACKUP_ZONE: 'UTC',
    ...more,
  });
  const begin = async (clock: ManualClock, more: Record<string, string> = {}): Promise<Backups> => {
    const config = loadConfig(environment({ STAYD_BACKUP_SCHEDULE: '15 3 * * *', ...more }));
    const plan = await backupPlan(config);
    assert.ok(plan);
    return startBackups(config, plan, { clock, log: silentLogger });
  };

  it('the first is made at once, the next when it is due, the drill when that is due', async () => {
    const clock = manualClock(Date.parse('2027-03-05T10:00:00.000Z'));
    const backups = await begin(clock, { STAYD_BACKUP_DRILL: '0 5 * * *' });
    await clock.until(() => readRecord(service.dataDir).made !== null, 'the first backup');
    assert.deepEqual(backupsIn(place), ['stayd-20270305T100000Z.tar.gz']);
    assert.equal(statSync(join(place, 'stayd-20270305T100000Z.tar.gz')).mode & 0o777, 0o600);
    await clock.advance(17 * 3_600_000);
    assert.equal(backupsIn(place).length, 1, 'at 03:00');
    await clock.advance(16 * 60_000);
    await clock.until(() => backupsIn(place).length === 2, 'the second');
    assert.equal(readRecord(service.dataDir).drill, null);
    await clock.advance(2 * 3_600_000);
    await clock.until(() => readRecord(service.dataDir).drill !== null, 'the drill');
    const { drill } = readRecord(service.dataDir);
    assert.deepEqual([drill?.problem, drill?.name], [null, backupsIn(place).toSorted()[1]]);
    assert.deepEqual(backups.alarms(), []);
    await backups.stop();
    const left = readdirSync(service.dataDir).filter((name) => /^(?:backup|drill)-/.test(name));
    assert.deepEqual(left, []);
  });

  it('one that was due while the service was away is made when it is back', async () => {
    const clock = manualClock(Date.parse('2027-03-08T12:00:00.000Z'));
    const backups = await begin(clock);
    await clock.until(() => backupsIn(place).includes('stayd-20270308T120000Z.tar.gz'), 'the missed one');
    await backups.stop();
  });

  it('a place that refuses is an alarm until a backup is made again; what was there stays', async () => {
    const clock = manualClock(Date.parse('2027-03-09T03:14:00.000Z'));
    const before = backupsIn(place);
    // A file in the place of the folder: not even root writes into that.
    const moved = `${place}.moved`;
    renameSync(place, moved);
    writeFileSync(place, '');
    const backups = await begin(clock);
    await clock.advance(120_000);
    await clock.until(() => backups.alarms().length > 0, 'the alarm');
    const [alarm] = backups.alarms();
    assert.match(
      alarm?.says ?? '',
      /^the backup of 2027-03-09T03:1\d.* failed, and the last one is of 2027-03-08T12:00.*: .*ENOTDIR|EEXIST/,
    );
    assert.match(alarm?.remedy ?? '', /may write to .*daily, then \.\/stayd backups run/);
    rmSync(place);
    renameSync(moved, place);
    assert.deepEqual(backupsIn(place), before);
    await clock.advance(16 * 60_000);
    await clock.until(() => backups.alarms().length === 0, 'the backup after a quarter of an hour');
    assert.equal(backupsIn(place).length, before.length + 1);
    await backups.stop();
  });

  it('the record of erased guests lies beside them, soon after each erasure', async () => {
    const clock = manualClock(Date.parse('2027-03-09T04:00:00.000Z'));
    rmSync(join(place, 'erasures.log'), { force: true });
    const backups = await begin(clock);
    await clock.advance(40_000);
    assert.equal(existsSync(join(place, 'erasures.log')), false, 'nothing has changed');
    const later = new Date(Date.now() + 5_000);
    utimesSync(join(service.dataDir, 'erasures.log'), later, later);
    await clock.advance(40_000);
    await clock.until(() => existsSync(join(place, 'erasures.log')), 'the record');
    await backups.stop();
  });

  it('are listed, made, tried and fetched by commands, and what was fetched can be restored', async () => {
    const settings = environment();
    const listed = await runOne(['backups', 'list'], settings);
    assert.equal(listed.code, 0, listed.stderr);
    assert.match(listed.stdout, /^2027-03-09T03:\S+Z {2}stayd-20270309T03\d{4}Z\.tar\.gz\n/);
    const made = await runOne(['backups', 'run', '--json'], settings);
    assert.equal(made.code, 0, made.stderr);
    const { name } = JSON.parse(made.stdout);
    const drilled = await runOne(['backups', 'drill'], settings);
    assert.equal(drilled.code, 0, drilled.stderr);
    assert.match(
      drilled.stdout,
      /can be restored: it took [\d.]+ s\n {2}1 reservation in the core, 1 reservation in the/,
    );
    const file = join(place, '..', 'fetched.tar.gz');
    assert.equal((await runOne(['backups', 'get', name, file], settings)).code, 0);
    assert.equal((await runOne(['backups', 'get', name, file], settings)).code, 2, 'it is there already');
    const restored = dataDirectory();
    const { code: exit, stderr } = await runOne(['restore', file], { STAYD_DATA_DIR: restored });
    assert.equal(exit, 0, stderr);
    copyFileSync(join(service.dataDir, 'secret.key'), join(restored, 'secret.key'));
    const again = await startTestService({}, { dataDir: restored });
    assert.equal((await rowsOf(again, `select 1 from reservations where reservation_code = '${code}'`)).length, 1);
    await again.remove();
  });

  it('a drill of a damaged backup fails, says which, and is an alarm', async () => {
    const name = 'stayd-20290101T000000Z.tar.gz';
    writeFileSync(join(place, name), 'nothing');
    const { code: exit, stderr } = await runOne(['backups', 'drill'], environment());
    assert.equal(exit, 1);
    assert.match(stderr, /stayd-20290101T000000Z\.tar\.gz is no whole backup/);
    const clock = manualClock(Date.parse('2027-03-09T04:00:00.000Z'));
    const backups = await begin(clock);
    const says = backups.alarms().map((one) => one.says);
    assert.match(says.join('\n'), /the drill of .* could not restore .*: .* no whole backup/);
    await backups.stop();
    const [bad] = await lookAtBackups(loadConfig(environment({ STAYD_BACKUP_SCHEDULE: '15 3 * * *' })), clock);
    assert.deepEqual([bad?.check, bad?.state], ['backups', 'problem']);
    rmSync(join(place, name));
    assert.equal((await runOne(['backups', 'drill'], environment())).code, 0);
    const now = manualClock(Date.now());
    const [good] = await lookAtBackups(loadConfig(environment({ STAYD_BACKUP_SCHEDULE: '15 3 * * *' })), now);
    assert.equal(good?.state, 'ok', good?.says);
  });

  /** What is wrong with the settings, and what is said. */
  const wrong: [settings: Record<string, string>, says: RegExp][] = [
    [{ STAYD_BACKUP_SCHEDULE: '61 * * * *' }, /backup\.schedule: "61 \* \* \* \*" minute/],
    [{ STAYD_BACKUP_SCHEDULE: '0 3 * * *', STAYD_BACKUP_TO: '' }, /backup\.schedule is given, and backup\.to is not/],
    [{ STAYD_BACKUP_TO: 's3://rooms/x' }, /backup\.s3\.endpoint is missing, and backup\.to is s3:\/\/rooms\/x/],
    [{ STAYD_BACKUP_TO: 'ftp://rooms/x' }, /backup\.to: must be a folder such as/],
    [{ STAYD_BACKUP_ZONE: 'Berlin' }, /backup\.zone: must be an IANA time zone/],
  ];
  for (const [settings, says] of wrong) {
    it(`wrong settings are refused: ${Object.entries(settings).join(' ')}`, async () => {
      const { code: exit, stderr } = await runOne(['backups', 'list'], environment(settings));
      assert.equal(exit, 2);
      assert.match(stderr, says);
    });
  }

  it('a process makes them whatever its roles are, once it serves', async () => {
    const own = mkdtempSync(join(tmpdir(), 'stayd-backups-'));
    const settings = { STAYD_BACKUP_TO: own, STAYD_BACKUP_SCHEDULE: '15 3 * * *', STAYD_ROLES: 'core' };
    const core = await startTestService(settings);
    await until(() => backupsIn(own).length === 1, 'its first backup');
    await core.remove();
    rmSync(own, { recursive: true });
  });

  it('a service does not start with such settings', async () => {
    await assert.rejects(startTestService({ STAYD_BACKUP_SCHEDULE: '0 3 * * *' }), /backup\.to is not/);
  });
});

describe('backups in a storage that speaks S3', () => {
  let storage: Storage;
  let service: TestService;
  before(async () => {
    storage = await startStorage('rooms');
    service = await startTestService();
    await book(service, '2027-03-01', '2027-03-04');
  });
  after(async () => {
    await service.remove();
    await storage.stop();
  });
  const environment = (more: Record<string, string> = {}) => ({
    STAYD_DATA_DIR: service.dataDir,
    STAYD_BACKUP_TO: 's3://rooms/stayd',
    STAYD_BACKUP_S3_ENDPOINT: storage.url,
    STAYD_BACKUP_S3_ACCESS_KEY: storage.accessKey,
    STAYD_BACKUP_S3_SECRET_KEY: storage.secretKey,
    ...more,
  });

  it('are made, listed, tried, removed and fetched', async () => {
    const made = await runOne(['backups', 'run', '--json'], environment());
    assert.equal(made.code, 0, made.stderr);
    const { name } = JSON.parse(made.stdout);
    assert.ok((await storage.names()).includes(`stayd/${name}`), 'as the storage itself says');
    assert.equal((await runOne(['backups', 'drill'], environment())).code, 0);
    const file = join(service.dataDir, 'fetched.tar.gz');
    assert.equal((await runOne(['backups', 'get', name, file], environment())).code, 0);
    assert.equal(statSync(file).size, JSON.parse(made.stdout).bytes);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const second = await runOne(
      ['backups', 'run', '--json'],
      environment({ STAYD_BACKUP_KEEP: '{days: 1, weeks: 0, months: 0}' }),
    );
    assert.deepEqual(JSON.parse(second.stdout).removed, [name]);
    assert.ok(!(await storage.names()).includes(`stayd/${name}`));
  });

  it('a bucket that is not there, and a storage that does not answer, are said', async () => {
    const gone = await runOne(['backups', 'list'], environment({ STAYD_BACKUP_TO: 's3://nobody/stayd' }));
    assert.equal(gone.code, 1);
    assert.match(gone.stderr, /there is no bucket nobody at http/);
    const dead = await runOne(['backups', 'run'], environment({ STAYD_BACKUP_S3_ENDPOINT: 'http://127.0.0.1:9' }));
    assert.equal(dead.code, 1);
    assert.match(
      dead.stderr,
      /could not be stored in s3:\/\/rooms\/stayd: the storage at http:\S+ does not answer: (?:.*ECONNREFUSED|bad port)/,
    );
  });
});

describeOnPostgres('backups of PostgreSQL', () => {
  let server: TestPostgres;
  let service: TestService;
  const place = mkdtempSync(join(tmpdir(), 'stayd-dumps-'));
  before(async () => {
    server = await startPostgres();
    service = await startTestService({ STAYD_DATABASE_URL: await server.freshDatabase() });
    await book(service, '2027-03-01', '2027-03-04');
    await settled(service);
  });
  after(async () => {
    await service.remove();
    await server.stop();
    rmSync(place, { recursive: true });
  });

  it('are made by pg_dump, and tried in a database of their own, which is removed', async () => {
    const environment = {
      STAYD_DATA_DIR: service.dataDir,
      STAYD_DATABASE_URL: service.databaseUrl ?? '',
      STAYD_BACKUP_TO: place,
    };
    const made = await runOne(['backups', 'run'], environment);
    assert.equal(made.code, 0, made.stderr);
    const [dump] = readdirSync(place).filter((name) => name.endsWith('.dump'));
    assert.match(dump ?? '', /^stayd-\d{8}T\d{6}Z\.dump$/);
    const drilled = await runOne(['backups', 'drill', '--json'], environment);
    assert.equal(drilled.code, 0, drilled.stderr);
    assert.deepEqual(JSON.parse(drilled.stdout).reservations, { core: 1, mirror: 1 });
    const databases = await rowsOf(service, `select datname from pg_database where datname like 'stayd_drill%'`);
    assert.deepEqual(databases, []);
  });
});
