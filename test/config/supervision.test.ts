import assert from 'node:assert/strict';
import { it } from 'node:test';
import { supervision } from '../../src/config.ts';

it('reads who supervises the process from what systemd has set', () => {
  const socket = { NOTIFY_SOCKET: '/run/systemd/notify' };
  const minute = { ...socket, WATCHDOG_USEC: '60000000' };
  assert.equal(supervision({}), undefined);
  assert.equal(supervision({ WATCHDOG_USEC: '60000000' }), undefined, 'nobody to tell');
  assert.deepEqual(supervision(socket), { watchdogMs: undefined });
  assert.deepEqual(supervision(minute), { watchdogMs: 60_000 });
  assert.deepEqual(supervision({ ...minute, WATCHDOG_PID: String(process.pid) }), { watchdogMs: 60_000 });
  assert.deepEqual(supervision({ ...minute, WATCHDOG_PID: '1' }), { watchdogMs: undefined }, 'another is watched');
  for (const limit of ['', '0', '-5', 'soon']) {
    assert.deepEqual(supervision({ ...socket, WATCHDOG_USEC: limit }), { watchdogMs: undefined }, limit);
  }
});
