import assert from 'node:assert/strict';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { alarmsOf } from '../../src/compose/health/alarms.ts';
import { watchRefusals } from '../../src/compose/health/refusals.ts';
import { loadConfig } from '../../src/config.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { runOne } from '../cli/support/runMany.ts';
import { manualClock } from '../support/clock.ts';
import { call, dataDirectory, startTestService } from '../support/service.ts';

describe('alarms', () => {
  const dataDir = dataDirectory();
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  it('tell of a database that takes nothing in, since when, until it does, and of a log that cannot shrink', async () => {
    const clock = manualClock(Date.parse('2027-03-05T10:00:00.000Z'));
    const refusals = watchRefusals(clock, silentLogger);
    const config = loadConfig({ STAYD_DATA_DIR: dataDir });
    const named = () => alarmsOf(config, refusals).filter(({ alarm }) => alarm !== 'disk space');
    assert.deepEqual(named(), []);
    refusals.changed('mirror', 'database or disk is full');
    const [alarm] = named();
    assert.equal(alarm?.alarm, 'nothing is stored');
    assert.match(alarm?.says ?? '', /mirror\.db takes nothing in since 2027-03-05T10:00:00\.000Z: database or disk/);
    refusals.changed('mirror', null);
    await clock.advance(9_000);
    assert.equal(named().length, 1, 'something small may find room on a full disk');
    await clock.advance(1_000);
    assert.deepEqual(named(), []);
    // As large as one can be without being written: the file has a hole.
    const descriptor = openSync(join(dataDir, 'core.db-wal'), 'w');
    writeSync(descriptor, 'x', 257 * 1024 * 1024);
    closeSync(descriptor);
    assert.deepEqual(
      named().map((one) => one.alarm),
      ['write-ahead log'],
    );
  });

  it('stand in the status for who runs the service, and not for who holds a token', async () => {
    const service = await startTestService();
    try {
      const { alarms } = await service.portal('GET', '/portal/status');
      assert.ok(Array.isArray(alarms));
      const metrics = (await call(service, 'GET', '/metrics')).text;
      assert.match(metrics, /^# TYPE stayd_alarm gauge$/m);
      assert.equal(/^stayd_alarm\{/m.test(metrics), alarms.length > 0);
      const { json } = await call(service, 'GET', '/portal/status', { token: service.token });
      assert.equal(json.alarms, undefined);
      const { code, stdout } = await runOne(['status'], { STAYD_DATA_DIR: service.dataDir });
      assert.equal(code, 0);
      assert.equal(stdout.includes('ALARM'), alarms.length > 0);
    } finally {
      await service.remove();
    }
  });
});
