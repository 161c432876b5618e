import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { alarmsOf } from '../../src/compose/health/alarms.ts';
import { watchDamage } from '../../src/compose/health/damageWatch.ts';
import { ReadinessWatch } from '../../src/compose/health/readiness.ts';
import { watchRefusals } from '../../src/compose/health/refusals.ts';
import { mirrorMetrics } from '../../src/compose/metrics/mirror.ts';
import { collect } from '../../src/compose/metrics/registry.ts';
import { collectService } from '../../src/compose/metrics/service.ts';
import { openStores } from '../../src/compose/stores/stores.ts';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { reservationEvent } from '../support/events.ts';
import { CONNECTION, openWorld } from '../support/mirror.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { makeStay } from '../support/rows.ts';
import { call, dataDirectory, startTestService, type TestService, until } from '../support/service.ts';
import { book, scrape } from './faults.ts';
import { begunBy, firing, scraped } from './promtool.ts';

describe('alerts whose faults need a world of their own', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await service.settled();
  });
  after(() => service.remove());

  it('StaydLimitsReached fires when the other side asks to be left alone for a day', async () => {
    const world = await openWorld();
    try {
      const look = async () => {
        const registry = new Registry();
        const { daemon } = world;
        const mirror = {
          connection: CONNECTION,
          status: await daemon.status(CONNECTION),
          measured: daemon.measured(CONNECTION),
        };
        collect(registry, mirrorMetrics, [mirror]);
        return scraped(await registry.metrics());
      };
      await world.quiet();
      const healthy = await look();
      world.truth.fault = () => ({ kind: 'code', code: 429, retryAfter: 86_400, scope: 'user' });
      world.truth.put(makeStay(1));
      await world.send(reservationEvent(makeStay(1)));
      await world.clock.until(
        async () => Object.keys((await world.daemon.status(CONNECTION)).holds).length > 0,
        'the wait to be known',
      );
      assert.deepEqual(await begunBy(healthy, await look()), ['StaydLimitsReached']);
    } finally {
      await world.close();
    }
  });

  it('StaydWebhookSilent and StaydEventsMissed fire when no event comes', async () => {
    const { property_id: property } = await service.v3('POST', '/properties', { name: 'Sea House' });
    await service.settled();
    const healthy = await scrape({ service });
    await service.portal('PUT', '/portal/faults', { drop: 1 });
    for (let days = 20; days < 30; days += 1) await book(service, property, days);
    await service.portal('POST', '/portal/reconcile', { resource: 'reservation' });
    const lost = async () => {
      const [row] = await service.rows(`select count(*) as lost from mirror.lost_events where state = 'lost'`);
      return Number(row?.['lost']);
    };
    // An event may be late by half a minute before it counts as lost.
    await until(async () => (await lost()) >= 10, 'losses to be known', 80_000);
    const begun = await begunBy(healthy, await scrape({ service }));
    assert.deepEqual(
      begun.filter((alert) => alert !== 'StaydWebhookDeliveriesFail'),
      ['StaydEventsMissed', 'StaydWebhookSilent'],
    );
  });

  it('StaydDown fires when nothing answers', async () => {
    const healthy = await scrape({ service });
    await service.stop();
    const answer = await call(service, 'GET', '/metrics', { token: null }).then(
      ({ text }) => scraped(text),
      () => scraped('', false),
    );
    assert.deepEqual(await begunBy(healthy, answer), ['StaydDown']);
  });

  it('StaydNothingStored fires when a database is full', async () => {
    const config = loadConfig({ STAYD_DATA_DIR: dataDirectory() });
    const refusals = watchRefusals(systemClock, silentLogger);
    const stores = await openStores(config, { damage: watchDamage(), refusals });
    const readiness = new ReadinessWatch(systemClock);
    readiness.watch(stores);
    readiness.enter(null);
    const registry = new Registry();
    const look = async () => {
      const alarms = async () => alarmsOf(config, refusals);
      await collectService(registry, { config, readiness, core: null, tracing: { dropped: () => undefined }, alarms });
      return scraped(await registry.metrics());
    };
    try {
      const { db } = stores.mirror;
      await sql`create table notes (text text)`.execute(db);
      const healthy = await look();
      assert.deepEqual(await firing(healthy), []);
      await sql`pragma max_page_count = 3`.execute(db);
      await assert.rejects(sql`insert into notes values (${'x'.repeat(100_000)})`.execute(db), /full/);
      assert.deepEqual(await begunBy(healthy, await look()), ['StaydNothingStored']);
    } finally {
      await stores.close();
    }
  });
});

describeOnPostgres('alerts about PostgreSQL', () => {
  let postgres: TestPostgres;
  let service: TestService;
  before(async () => {
    postgres = await startPostgres();
    service = await startTestService({ STAYD_DATABASE_URL: await postgres.freshDatabase() });
    await service.settled();
  });
  after(async () => {
    await service.remove();
    await postgres.stop();
  });

  const ready = () => call(service, 'GET', '/readyz', { token: null });

  it('StaydDatabaseDown and StaydNotReady fire while it does not answer, and /readyz and /metrics say so', async () => {
    const healthy = await scrape({ service });
    assert.deepEqual(await firing(healthy), []);
    await postgres.crash();
    await until(async () => (await ready()).http === 503, 'the service to notice');
    assert.deepEqual((await ready()).json, {
      ready: false,
      reason: 'database',
      says: 'The database does not answer.',
    });
    const cut = await scrape({ service });
    assert.deepEqual(await begunBy(healthy, cut), ['StaydDatabaseDown', 'StaydNotReady']);
    assert.equal((await call(service, 'GET', '/healthz', { token: null })).http, 200);
    await postgres.start();
    await until(async () => (await ready()).http === 200, 'the service to be ready again');
    assert.deepEqual(await begunBy(healthy, await scrape({ service })), []);
  });
});
