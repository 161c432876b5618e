import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ReadLog } from './readLog.ts';

const TOTAL = 250;

/** Hears a scan ask for these pages of a list, each of a hundred rows, the row of id 7 among them. */
function scan(log: ReadLog, offsets: readonly number[], { begunAt = 0, from = '2026-01-01' } = {}): void {
  offsets.forEach((offset, step) => {
    const seq = begunAt + step;
    const path = `/v3/transactions?start_date=${from}&end_date=2026-12-31&limit=100&offset=${offset}`;
    const transactions = Array.from({ length: Math.min(100, TOTAL - offset) }, (_, at) => ({
      id: at === 0 ? 7 : 1_000 + at,
    }));
    log.passed('listTransactions', 'reconcile');
    log.sent(seq, seq, 'GET', path);
    const served = { method: 'GET', path, sentSeq: seq, servedSeq: seq, code: 200 };
    log.heard({ ...served, data: { transactions, total: TOTAL } }, seq);
  });
}

const thrownAway = (log: ReadLog) => log.of('transaction', '7').map((read) => read.isThrownAway === true);

describe('what is remembered of the reads of a scan', () => {
  it('leaves out a page behind which the scan has gone back, since the list had shifted', () => {
    const log = new ReadLog();
    scan(log, [0, 99, 198, 99, 198]);
    assert.deepEqual(thrownAway(log), [false, false, true, false, false]);
  });

  it('leaves out the first page of dates that turn out to be too many', () => {
    const log = new ReadLog();
    scan(log, [0]);
    scan(log, [0, 99, 198], { begunAt: 10, from: '2026-07-01' });
    assert.deepEqual(thrownAway(log), [true, false, false, false]);
  });

  it('keeps the pages of a scan that has come to its end, when the next begins', () => {
    const log = new ReadLog();
    scan(log, [0, 99, 198]);
    scan(log, [0, 99, 198], { begunAt: 10 });
    assert.deepEqual(thrownAway(log), [false, false, false, false, false, false]);
  });
});
