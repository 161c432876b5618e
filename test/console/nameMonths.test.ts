import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameMonths } from '../../src/console/money/nameMonths.ts';
import { en } from '../../src/console/texts/en.ts';

const { locked, months } = en.money.done;

test('a few closed months are named one by one, years of them by their ends', () => {
  const named = (closed: readonly string[]) => locked(nameMonths(closed, months));
  assert.equal(named(['2027-03']), 'Closed for good: 2027-03.');
  assert.equal(named(['2027-03', '2027-01', '2027-02']), 'Closed for good: 2027-01, 2027-02, 2027-03.');
  const years = Array.from({ length: 141 }, (_, index) => {
    const month = String((index % 12) + 1).padStart(2, '0');
    return `${2015 + Math.floor(index / 12)}-${month}`;
  });
  assert.equal(named(years), 'Closed for good: 2015-01 to 2026-09 (141 months).');
});
