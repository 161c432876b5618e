import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { startService } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { freePort } from '../support/port.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { call, dataDirectory, startTestService, until } from '../support/service.ts';

const WORDS = {
  opening: 'The databases are being opened.',
  migrating: 'The databases are being brought to the schema of this release.',
  starting: 'The parts of the service start; the first read has not begun.',
  stopping: 'The service is stopping.',
};

/** What is asked at a moment; undefined while nothing listens. */
async function ask(url: string, path: string) {
  return call({ url, secret: '' }, 'GET', path, { token: null }).catch(() => undefined);
}

describe('/readyz', () => {
  describeOnPostgres('while the database is at work', () => {
    let postgres: TestPostgres;
    before(async () => {
      postgres = await startPostgres();
    });
    after(() => postgres.stop());

    it('says why not while the service starts, on the port that it will have, and serves nothing else yet', async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const STAYD_DATABASE_URL = await postgres.freshDatabase();
      const config = loadConfig({ STAYD_PORT: String(port), STAYD_DATA_DIR: dataDirectory(), STAYD_DATABASE_URL });
      // The start waits for a table that somebody else holds, for as long as is asked below.
      const holder = new pg.Client(STAYD_DATABASE_URL);
      await holder.connect();
      await holder.query('begin; lock table core.accounts');
      const starting = startService(config, { log: silentLogger });
      const reasons = new Set<string>();
      try {
        await until(async () => {
          const answer = await ask(url, '/readyz');
          if (answer) {
            const { reason, ...rest } = answer.json as { reason: keyof typeof WORDS };
            assert.deepEqual([answer.http, rest], [503, { ready: false, says: WORDS[reason] }]);
            reasons.add(reason);
          }
          return reasons.has('migrating');
        }, 'the start to be at its databases');
        assert.equal((await ask(url, '/healthz'))?.http, 200);
        const other = await ask(url, '/v3/accounts/me');
        assert.ok(other?.json?.error, 'an error as v3 has it');
        assert.equal(other.http, 503);
      } finally {
        await holder.end();
      }
      const service = await starting;
      try {
        const ready = await ask(url, '/readyz');
        assert.deepEqual([ready?.http, ready?.json], [200, { ready: true }]);
      } finally {
        await service.stop();
      }
      assert.equal(await ask(url, '/readyz'), undefined, 'the port is free again');
    });
  });

  it('frees the port when the start fails', async () => {
    const port = await freePort();
    const config = loadConfig({
      STAYD_PORT: String(port),
      STAYD_DATA_DIR: dataDirectory(),
      STAYD_DATABASE_URL: `postgres://nobody:hidden@127.0.0.1:${await freePort()}/none`,
    });
    await assert.rejects(startService(config, { log: silentLogger }), /PostgreSQL/);
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    server.close();
  });

  it('says that the service is stopping, while a delivery is finished', async () => {
    const held: (() => void)[] = [];
    const receiver = createServer((_request, response) => void held.push(() => response.end()));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const service = await startTestService({ STAYD_OUTBOUND_ALLOW: address });
    try {
      await service.v3('POST', '/webhooks', { url: `http://${address}/` });
      await service.v3('POST', '/properties', { name: 'Sea House' });
      const { property_id } = await service.v3('POST', '/properties', { name: 'Mill' });
      await service.v3('POST', '/reservations', {
        property_id,
        check_in_date: '2027-03-01',
        check_out_date: '2027-03-02',
        guest_name: 'Ann',
        rate_amount: 1,
        commission_amount: 0,
        received_amount: 0,
      });
      await until(() => held.length > 0, 'a delivery to arrive');
      const stopped = service.stop();
      const answer = await ask(service.url, '/readyz');
      for (const end of held) end();
      assert.deepEqual([answer?.http, answer?.json], [503, { ready: false, reason: 'stopping', says: WORDS.stopping }]);
      await stopped;
    } finally {
      await service.remove();
      receiver.closeAllConnections();
      receiver.close();
    }
  });
});
