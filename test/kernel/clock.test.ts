import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { systemClock } from '../../src/kernel/clock.ts';

const TIME_MS = 70 * 86_400_000;
/** What Node waits at once. The clock of the test is driven from one of its own timers to the next. */
const STRETCH_MS = 2 ** 31 - 1;

describe('a timer of the system clock', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('waits for longer than Node can at once', () => {
    let fired = 0;
    systemClock.setTimer(TIME_MS, () => (fired += 1));
    for (const ms of [STRETCH_MS, STRETCH_MS, TIME_MS - 2 * STRETCH_MS - 1]) mock.timers.tick(ms);
    assert.equal(fired, 0);
    mock.timers.tick(1);
    assert.equal(fired, 1);
  });

  it('is cancelled in whatever stretch it is', () => {
    let fired = 0;
    const timer = systemClock.setTimer(TIME_MS, () => (fired += 1));
    mock.timers.tick(STRETCH_MS);
    timer.cancel();
    for (const ms of [STRETCH_MS, STRETCH_MS]) mock.timers.tick(ms);
    assert.equal(fired, 0);
  });
});
