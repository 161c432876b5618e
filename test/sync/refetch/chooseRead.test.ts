import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  chooseRead,
  SHORT_BURST_QUIET_MS,
  SHORT_BURST_READ_MS,
  type Load,
  BURST_KEYS,
  BURST_LONGEST_MS,
  BURST_QUIET_MS,
} from '../../../src/sync/queue/chooseRead.ts';

const NOW = 1_000_000_000;
const calm: Load = {
  dirty: 0,
  recent: 0,
  scanCost: 10,
  newestMark: NOW,
  lookUpMs: 0,
  allowance: 0,
  burstSince: undefined,
  lastBurstScan: undefined,
};

const rows: [string, Partial<Load>, ReturnType<typeof chooseRead>][] = [
  ['nothing to do', {}, { read: 'look_up', burstSince: undefined }],
  ['as many keys as a small scan is worth', { dirty: BURST_KEYS }, { read: 'look_up', burstSince: undefined }],
  ['a burst begins', { dirty: 201 }, { read: 'wait', burstSince: NOW, until: NOW + BURST_QUIET_MS }],
  [
    'a reader that keeps up sees it, too',
    { dirty: 1, recent: 200 },
    { read: 'wait', burstSince: NOW, until: NOW + BURST_QUIET_MS },
  ],
  ['many keys, but a scan costs more', { dirty: 900, scanCost: 1_200 }, { read: 'look_up', burstSince: undefined }],
  [
    'it goes on',
    { dirty: 5_000, burstSince: NOW - 60_000, newestMark: NOW - 100 },
    { read: 'wait', burstSince: NOW - 60_000, until: NOW - 100 + BURST_QUIET_MS },
  ],
  [
    'it is over',
    { dirty: 5_000, burstSince: NOW - 60_000, newestMark: NOW - BURST_QUIET_MS },
    { read: 'scan', burstSince: NOW - 60_000 },
  ],
  [
    'it is over and few keys are left',
    { dirty: 9, burstSince: NOW - 60_000, newestMark: NOW - BURST_QUIET_MS },
    { read: 'look_up', burstSince: undefined },
  ],
  [
    'it was a shortBurst',
    { dirty: 146, recent: 200, allowance: 300, lookUpMs: 900, newestMark: NOW - SHORT_BURST_QUIET_MS },
    { read: 'look_up', burstSince: undefined, shortBurst: true },
  ],
  [
    'it may be a shortBurst',
    { dirty: 146, recent: 200, allowance: 300, lookUpMs: 900 },
    { read: 'wait', burstSince: NOW, until: NOW + SHORT_BURST_QUIET_MS },
  ],
  [
    'so many shortBursts are a burst',
    { dirty: 146, recent: 200, allowance: 100, newestMark: NOW - SHORT_BURST_QUIET_MS },
    { read: 'wait', burstSince: NOW, until: NOW - SHORT_BURST_QUIET_MS + BURST_QUIET_MS },
  ],
  [
    'a shortBurst would take long to look up',
    {
      dirty: 146,
      recent: 200,
      allowance: 300,
      lookUpMs: SHORT_BURST_READ_MS + 1,
      newestMark: NOW - SHORT_BURST_QUIET_MS,
    },
    { read: 'wait', burstSince: NOW, until: NOW - SHORT_BURST_QUIET_MS + BURST_QUIET_MS },
  ],
  [
    'it does not end',
    { dirty: 5_000, burstSince: NOW - BURST_LONGEST_MS },
    { read: 'scan', burstSince: NOW - BURST_LONGEST_MS },
  ],
  [
    'a scan was made lately',
    { dirty: 5_000, burstSince: NOW - 60_000, newestMark: NOW - 9_000, lastBurstScan: NOW - 120_000 },
    { read: 'wait', burstSince: NOW - 60_000, until: NOW - 120_000 + BURST_LONGEST_MS },
  ],
];

for (const [name, load, choice] of rows) {
  test(`look up or scan: ${name}`, () => assert.deepEqual(chooseRead({ ...calm, ...load }, NOW), choice));
}

test('two scans against bursts are never closer than ten minutes, and no wait is endless', () => {
  const moments = fc.integer({ min: NOW - 2 * BURST_LONGEST_MS, max: NOW });
  const loads = fc.record({
    dirty: fc.nat(100_000),
    recent: fc.nat(1_000),
    scanCost: fc.integer({ min: 1, max: 2_000 }),
    lookUpMs: fc.nat(10_000),
    allowance: fc.nat(600),
    newestMark: moments,
    burstSince: fc.option(moments, { nil: undefined }),
    lastBurstScan: fc.option(moments, { nil: undefined }),
  });
  fc.assert(
    fc.property(loads, (load) => {
      const choice = chooseRead(load, NOW);
      if (choice.read === 'scan') {
        assert.ok(load.dirty > 0 || load.recent > 0 || load.burstSince !== undefined);
        assert.ok(load.lastBurstScan === undefined || NOW - load.lastBurstScan >= BURST_LONGEST_MS);
      }
      if (choice.read === 'wait') {
        assert.ok(choice.until !== undefined && choice.until > NOW && choice.until <= NOW + BURST_LONGEST_MS);
        assert.notEqual(choice.burstSince, undefined);
      }
      if (choice.shortBurst) assert.ok(load.dirty <= load.allowance && load.lookUpMs <= SHORT_BURST_READ_MS);
      if (load.burstSince === undefined && load.dirty + load.recent <= BURST_KEYS) assert.equal(choice.read, 'look_up');
    }),
  );
});
