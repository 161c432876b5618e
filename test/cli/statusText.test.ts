import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statusText } from '../../src/cli/statusText.ts';

describe('a status for people', () => {
  it('shows records of one shape as a table, ages as spans, and leaves out what none of them has', () => {
    const fresh = {
      'reservation.near': { freshness: 'ok', age: 7, max_age: 900, problem: null },
      reservation: { freshness: 'overdue', age: 200_000, max_age: 86_400, problem: null },
    };
    assert.equal(
      statusText({ state: 'active', connections: { local: { fresh } } }),
      [
        'state: active',
        'connections:',
        '  local:',
        '    fresh:',
        '                        freshness  age  max_age',
        '      reservation.near  ok         7 s  15 min',
        '      reservation       overdue    2 d  24 h',
      ].join('\n'),
    );
  });

  it('writes everything else as lines of their own', () => {
    const text = statusText({
      events: 1234,
      paused: null,
      scans: {},
      mixed: { one: { rows: 1 }, two: { state: 'done' } },
      deep: { one: { scans: { all: { rows: 1 } }, rows: 1 } },
    });
    assert.deepEqual(text.split('\n'), [
      'events: 1,234',
      'paused: -',
      'scans: none',
      'mixed:',
      '  one:',
      '    rows: 1',
      '  two:',
      '    state: done',
      'deep:',
      '  one:',
      '    scans:',
      '           rows',
      '      all  1',
      '    rows: 1',
    ]);
  });
});
