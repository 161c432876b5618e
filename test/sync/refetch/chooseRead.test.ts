import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  chooseRead,
  GUST_QUIET_MS,
  GUST_READ_MS,
  type Load,
  STORM_KEYS,
  STORM_LONGEST_MS,
  STORM_QUIET_MS,
} from '../../../src/sync/queue/chooseRead.ts';

const NOW = 1_000_000_000;
const calm: Load = {
  dirty: 0,
  recent: 0,
  walkCost: 10,
  newestMark: NOW,
  lookUpMs: 0,
  allowance: 0,
  stormSince: undefined,
  lastBurstWalk: undefined,
};

const rows: [string, Partial<Load>, ReturnType<typeof chooseRead>][] = [
  ['nothing to do', {}, { read: 'look_up', stormSince: undefined }],
  ['as many keys as a small walk is worth', { dirty: STORM_KEYS }, { read: 'look_up', stormSince: undefined }],
  ['a storm begins', { dirty: 201 }, { read: 'wait', stormSince: NOW, until: NOW + STORM_QUIET_MS }],
  [
    'a reader that keeps up sees it, too',
    { dirty: 1, recent: 200 },
    { read: 'wait', stormSince: NOW, until: NOW + STORM_QUIET_MS },
  ],
  ['many keys, but a walk costs more', { dirty: 900, walkCost: 1_200 }, { read: 'look_up', stormSince: undefined }],
  [
    'it goes on',
    { dirty: 5_000, stormSince: NOW - 60_000, newestMark: NOW - 100 },
    { read: 'wait', stormSince: NOW - 60_000, until: NOW - 100 + STORM_QUIET_MS },
  ],
  [
    'it is over',
    { dirty: 5_000, stormSince: NOW - 60_000, newestMark: NOW - STORM_QUIET_MS },
    { read: 'walk', stormSince: NOW - 60_000 },
  ],
  [
    'it is over and few keys are left',
    { dirty: 9, stormSince: NOW - 60_000, newestMark: NOW - STORM_QUIET_MS },
    { read: 'look_up', stormSince: undefined },
  ],
  [
    'it was a gust',
    { dirty: 146, recent: 200, allowance: 300, lookUpMs: 900, newestMark: NOW - GUST_QUIET_MS },
    { read: 'look_up', stormSince: undefined, gust: true },
  ],
  [
    'it may be a gust',
    { dirty: 146, recent: 200, allowance: 300, lookUpMs: 900 },
    { read: 'wait', stormSince: NOW, until: NOW + GUST_QUIET_MS },
  ],
  [
    'so many gusts are a storm',
    { dirty: 146, recent: 200, allowance: 100, newestMark: NOW - GUST_QUIET_MS },
    { read: 'wait', stormSince: NOW, until: NOW - GUST_QUIET_MS + STORM_QUIET_MS },
  ],
  [
    'a gust would take long to look up',
    { dirty: 146, recent: 200, allowance: 300, lookUpMs: GUST_READ_MS + 1, newestMark: NOW - GUST_QUIET_MS },
    { read: 'wait', stormSince: NOW, until: NOW - GUST_QUIET_MS + STORM_QUIET_MS },
  ],
  [
    'it does not end',
    { dirty: 5_000, stormSince: NOW - STORM_LONGEST_MS },
    { read: 'walk', stormSince: NOW - STORM_LONGEST_MS },
  ],
  [
    'a walk was made lately',
    { dirty: 5_000, stormSince: NOW - 60_000, newestMark: NOW - 9_000, lastBurstWalk: NOW - 120_000 },
    { read: 'wait', stormSince: NOW - 60_000, until: NOW - 120_000 + STORM_LONGEST_MS },
  ],
];

for (const [name, load, choice] of rows) {
  test(`look up or walk: ${name}`, () => assert.deepEqual(chooseRead({ ...calm, ...load }, NOW), choice));
}

test('two walks against storms are never closer than ten minutes, and no wait is endless', () => {
  const moments = fc.integer({ min: NOW - 2 * STORM_LONGEST_MS, max: NOW });
  const loads = fc.record({
    dirty: fc.nat(100_000),
    recent: fc.nat(1_000),
    walkCost: fc.integer({ min: 1, max: 2_000 }),
    lookUpMs: fc.nat(10_000),
    allowance: fc.nat(600),
    newestMark: moments,
    stormSince: fc.option(moments, { nil: undefined }),
    lastBurstWalk: fc.option(moments, { nil: undefined }),
  });
  fc.assert(
    fc.property(loads, (load) => {
      const choice = chooseRead(load, NOW);
      if (choice.read === 'walk') {
        assert.ok(load.dirty > 0 || load.recent > 0 || load.stormSince !== undefined);
        assert.ok(load.lastBurstWalk === undefined || NOW - load.lastBurstWalk >= STORM_LONGEST_MS);
      }
      if (choice.read === 'wait') {
        assert.ok(choice.until !== undefined && choice.until > NOW && choice.until <= NOW + STORM_LONGEST_MS);
        assert.notEqual(choice.stormSince, undefined);
      }
      if (choice.gust) assert.ok(load.dirty <= load.allowance && load.lookUpMs <= GUST_READ_MS);
      if (load.stormSince === undefined && load.dirty + load.recent <= STORM_KEYS) assert.equal(choice.read, 'look_up');
    }),
  );
});
