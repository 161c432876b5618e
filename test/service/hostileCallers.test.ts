import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Environment } from '../../src/config.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { attacks } from './support/hostileCallers.ts';

/** Far fewer than it took; `npm run chaos -- --only hostile-callers` sends them all. */
const JUNK = 640;

function attacked(environment: () => Promise<Environment>): void {
  let service: TestService;
  before(async () => {
    service = await startTestService({ STAYD_OUTBOUND_ALLOW: '127.0.0.0/8', ...(await environment()) });
    await service.settled();
  });
  after(() => service.remove());

  for (const { name, play } of attacks) {
    it(`${name}: nobody is stopped or robbed`, async () => {
      assert.deepEqual(await play({ service, token: service.token, junk: JUNK }), []);
    });
  }
}

describe('hostile callers, on SQLite', () => attacked(async () => ({})));

describeOnPostgres('hostile callers, on PostgreSQL', () => {
  let server: TestPostgres;
  attacked(async () => {
    server = await startPostgres();
    return { STAYD_DATABASE_URL: await server.freshDatabase() };
  });
  after(() => server.stop());
});
