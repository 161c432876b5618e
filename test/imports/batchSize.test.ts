import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BatchSize } from '../../src/imports/batchSize.ts';

/** Writes `batches` batches where a commit costs `fixed` ms and each row `each` ms. @returns the last batch's ms */
function lastOf(size: BatchSize, batches: number, fixed: number, each: number): number {
  let ms = 0;
  for (let batch = 0; batch < batches; batch++) {
    ms = fixed + size.rows * each;
    size.learn(size.rows, ms);
  }
  return ms;
}

describe('the size of an import’s batches', () => {
  it('a batch comes to take about 10 ms on SQLite and 100 ms on PostgreSQL, whatever the machine', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.double({ min: 0.004, max: 0.04, noNaN: true }),
        (fixed, each) => {
          assert.ok(Math.abs(lastOf(new BatchSize('sqlite'), 100, fixed, each) - 10) < 1);
        },
      ),
    );
    assert.ok(Math.abs(lastOf(new BatchSize('postgres'), 100, 5, 0.2) - 100) < 1);
  });

  it('one slow commit changes the size by a fifth at most, and batches stay within bounds', () => {
    const size = new BatchSize('sqlite');
    lastOf(size, 100, 1, 0.02);
    const before = size.rows;
    size.learn(before, 60_000);
    assert.ok(size.rows >= Math.floor(before * 0.8));
    lastOf(size, 100, 1_000, 1);
    assert.equal(size.rows, 150);
    lastOf(size, 200, 0, 0);
    assert.equal(size.rows, 3_000);
  });
});
