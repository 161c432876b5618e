import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { RequestCounters } from '../../../src/core/limits/counters.ts';
import { limitPolicy } from '../../../src/core/limits/policy.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';

describeOnPostgres('limits on PostgreSQL', () => {
  let server: TestPostgres;
  let core: TestCore;
  before(async () => {
    server = await startPostgres();
    const url = await server.freshDatabase();
    core = await startCore({ kind: 'postgres', url, schema: 'core' }, silentLogger, 'on');
  });
  after(async () => {
    await core.close();
    await server.stop();
  });

  it('counts without a write-ahead log, and two processes that write at once lose nothing', async () => {
    const { db } = core.core.store;
    const { rows } =
      await sql`select relpersistence as kind from pg_class where oid = 'request_counters'::regclass`.execute(db);
    assert.deepEqual(rows, [{ kind: 'u' }]);
    const asker = { account: core.own.account, token: null };
    const processes = Array.from(
      { length: 4 },
      () => new RequestCounters(core.core.store, core.clock, limitPolicy('on'), silentLogger),
    );
    for (const one of processes) {
      for (let i = 0; i < 100; i += 1) one.admit(asker, `GET /${i % 7}`, 'default');
    }
    await Promise.all(processes.map((one) => one.stop()));
    const counted = await db.selectFrom('request_counters').selectAll().where('window_seconds', '=', 60).execute();
    const of = (bucket: string) => counted.find((row) => row.bucket === bucket)?.count;
    assert.deepEqual([of('account'), of('GET /0'), of('GET /6')], [400, 60, 56]);
    core.clock.jump(60_000);
    const [first] = processes;
    first?.admit(asker, 'GET /0', 'default');
    await first?.stop();
    const later = await db.selectFrom('request_counters').selectAll().where('bucket', '=', 'GET /0').execute();
    assert.deepEqual(
      later.toSorted((a, b) => a.window_seconds - b.window_seconds).map((row) => row.count),
      [1, 61, 61, 61],
    );
  });
});
