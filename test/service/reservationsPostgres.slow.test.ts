import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { settleLoaded } from '../../src/compose/backup/settleRestored.ts';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startTestService } from '../support/service.ts';
import { describeReservations } from './support/reservation.ts';

describeOnPostgres('a service on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  describeReservations('both halves in one database', async () => ({
    STAYD_DATABASE_URL: await server.freshDatabase(),
  }));

  it('after pg_restore nothing acts until a person arms it, as after restore', async () => {
    const environment = { STAYD_DATABASE_URL: await server.freshDatabase() };
    const service = await startTestService(environment);
    try {
      await service.settled();
      await service.stop();
      const config = loadConfig({ ...environment, STAYD_DATA_DIR: service.dataDir });
      await settleLoaded(config, { file: 'daily.dump', clock: systemClock });
      await service.restart();
      const { automations } = (await service.portal('GET', '/portal/status')).connections.local;
      assert.deepEqual([automations.armed, automations.because], [false, 'restored from daily.dump']);
      const [account] = (await service.portal('GET', '/portal/accounts')).accounts;
      assert.equal(account.automations_held, 'restored from daily.dump');
      assert.ok(account.restored_at);
    } finally {
      await service.remove();
    }
  });
});
