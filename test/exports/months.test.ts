import assert from 'node:assert/strict';
import test from 'node:test';
import { monthAfter, monthsFromTo } from '../../src/exports/periods/months.ts';

test('months are counted before they are spelled out', () => {
  assert.deepEqual(monthsFromTo('2027-11', '2028-02'), ['2027-11', '2027-12', '2028-01', '2028-02']);
  assert.deepEqual(monthsFromTo('2027-11', '2027-10'), []);
  assert.throws(() => monthsFromTo('2027-01', '9999-12'), /more than 2400 months/);
  assert.throws(() => monthAfter('9999-12'), RangeError);
  assert.deepEqual(monthsFromTo('9999-12', '9999-12'), ['9999-12']);
});
