import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDays } from '../../src/kernel/dates.ts';
import { runOne } from '../cli/support/runMany.ts';
import { describeOnPostgres, startPostgres, startReplica, type TestPostgres } from '../support/postgres.ts';
import { startTestService, type TestService, until } from '../support/service.ts';

const FIRST = '2027-05-01';

describe('a replica beside SQLite', () => {
  it('is refused at the start, and the setting is named', async () => {
    const start = startTestService({ STAYD_DATABASE_REPLICA_URL: 'postgres://127.0.0.1/stayd' });
    await assert.rejects(start, /database_replica_url: the files of SQLite have no replica/);
  });
});

describeOnPostgres('reports with a replica', () => {
  let primary: TestPostgres;
  let replica: TestPostgres;
  let service: TestService;
  let environment: Record<string, string>;
  let property: number;
  let booked = 0;
  before(async () => {
    primary = await startPostgres();
    const url = await primary.freshDatabase();
    replica = await startReplica(primary);
    const follower = new URL(replica.url);
    follower.pathname = new URL(url).pathname;
    environment = { STAYD_DATABASE_URL: url, STAYD_DATABASE_REPLICA_URL: follower.href };
    service = await startTestService(environment);
    property = (await service.v3('POST', '/properties', { name: 'Sea House' })).property_id;
    await book();
  });
  after(async () => {
    await service.remove();
    await replica.stop();
    await primary.stop();
  });

  async function book(): Promise<void> {
    const check_in_date = addDays(FIRST, booked);
    booked += 1;
    await service.v3('POST', '/reservations', {
      property_id: property,
      check_in_date,
      check_out_date: addDays(check_in_date, 1),
      guest_name: 'Ada',
      rate_amount: 100,
      commission_amount: 0,
      received_amount: 0,
    });
    await service.settled();
  }
  const report = () => service.portal('GET', `/mirror/reports/arrivals?from=${FIRST}&to=${addDays(FIRST, 30)}`);
  const staysIn = ({ rows }: { rows: { stay_code: string }[] }) => new Set(rows.map((row) => row.stay_code)).size;
  const shown = async () => staysIn(await report());
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await runOne(args, { STAYD_DATA_DIR: service.dataDir, ...environment });
    return { code, text: stdout + stderr };
  };
  const doctor = async () => {
    const { text } = await command('doctor', '--json');
    const { findings } = JSON.parse(text) as { findings: { check: string; state: string; says: string }[] };
    return findings.filter(({ check }) => check === 'replica').map(({ state, says }) => `${state}: ${says}`);
  };

  it('are read from it, and say how late they are', async () => {
    await until(async () => (await shown()) === booked, 'the replica to follow');
    assert.ok((await report()).replica.behind_seconds <= 60);
    const { text } = await command('report', 'arrivals', '--from', FIRST, '--to', addDays(FIRST, 30));
    assert.match(text, /read from the replica, which is \d+ seconds? behind/);
    assert.match((await doctor()).join(), /^ok: reports are read from it; it is \d+ s behind$/);
  });

  it('show what it shows while it is late, for a moment', async () => {
    await replica.query('select pg_wal_replay_pause()');
    await book();
    const late = await report();
    assert.equal(staysIn(late), booked - 1);
    assert.ok(late.replica.behind_seconds > 0, JSON.stringify(late.replica));
    await replica.query('select pg_wal_replay_resume()');
    await until(async () => (await shown()) === booked, 'the replica to follow');
  });

  it('are read from the database itself when it does not answer', async () => {
    await replica.crash();
    await book();
    const answer = await report();
    assert.deepEqual([staysIn(answer), answer.replica], [booked, undefined]);
    assert.match(
      (await doctor()).join(),
      /^problem: it cannot be read, so reports are read from the database itself: /,
    );
    assert.equal((await command('doctor')).code, 1);
  });
});
