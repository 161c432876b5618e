import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { summaryOf, troublesOf, verdict } from '../../src/cli/statusSummary.ts';

type SummedUp = Parameters<typeof summaryOf>[1];

const part = (freshness: 'ok' | 'overdue') => ({
  freshness,
  age: 1,
  max_age: 600,
  state: 'done',
  scanned_age: 1,
  requests: 1,
  rows: 1,
  problem: null,
});

const well: SummedUp = {
  base_url: 'http://127.0.0.1:8484',
  account: { account_id: 'A', name: 'demo' },
  state: 'active',
  catch_up_due: null,
  inbox: { pending: 0, ignored: 0, unreadable: 0, done: 1_234 },
  dirty: {},
  oldest_dirty_age: 0,
  dead: {},
  unread: { availability: 0, calendar: 0 },
  fresh: { reservation: part('ok'), review: part('ok') },
};

describe('a status in a few lines', () => {
  it('says whom it reads, how far it is and how fresh, and that all is well', () => {
    assert.deepEqual(summaryOf('local', well), [
      'connection local: active, reads demo at http://127.0.0.1:8484',
      '  1,234 events done, 0 waiting, 0 keys to read',
      '  2 of 2 parts of the mirror as fresh as they should be',
    ]);
    assert.deepEqual(troublesOf('local', well), []);
    assert.equal(verdict(0), 'All is well.');
  });

  const troubles: [what: string, over: Partial<SummedUp>, says: RegExp][] = [
    ['what is too old', { fresh: { reservation: part('overdue') } }, /: reservation older than it may be/],
    ['keys that were given up', { dead: { reservation: 2 } }, /: 2 keys given up: .*doctor/],
    ['what waits too long', { oldest_dirty_age: 4_000 }, /: what has changed waits to be read for 67 min/],
    [
      'what was never read',
      { unread: { availability: 242, calendar: 0 } },
      /: known and not read yet: availability of 242/,
    ],
  ];
  for (const [what, over, says] of troubles) {
    it(`names ${what}, and ends in another verdict`, () => {
      const [line, ...more] = troublesOf('local', { ...well, ...over });
      assert.match(line ?? '', says);
      assert.deepEqual(more, []);
    });
  }

  it('says what is still to come while everything is being read', () => {
    const first = {
      ...well,
      catch_up_due: 'start',
      unread: { availability: 3 },
      dirty: { review: { keys: 4, oldest_age: 1 } },
    };
    assert.match(summaryOf('local', first)[1] ?? '', /4 keys to read, the oldest for .*; everything is being read/);
    assert.deepEqual(troublesOf('local', first), []);
    assert.equal(verdict(2), '2 things to see to, above.');
  });
});
