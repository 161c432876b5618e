import type { AccountId } from '../../kernel/ids.ts';
import { type LimitWindow, type Tally, tallied, usedOf } from '../../kernel/limits/windows.ts';
import type { CounterRow } from './table.ts';

type Bucket = Pick<CounterRow, 'account_id' | 'bucket'>;

/** The use of windows by one bucket of an account, with the part that is not written yet. */
export class Meter {
  readonly windows: readonly LimitWindow[];
  readonly tallies: Tally[];
  readonly key: string;
  readonly #bucket: Bucket;
  /** Counts since the last write, for each window that began at their `start`. */
  readonly #unwritten: Tally[];

  constructor(
    account_id: AccountId,
    bucket: string,
    windows: readonly LimitWindow[],
    stored: (key: string) => CounterRow | undefined,
  ) {
    this.#bucket = { account_id, bucket };
    this.key = Meter.keyOfBucket(this.#bucket);
    this.windows = windows;
    this.tallies = windows.map(({ seconds }) => {
      const row = stored(Meter.keyOf({ ...this.#bucket, window_seconds: seconds }));
      return { start: row?.window_start ?? 0, used: row?.count ?? 0 };
    });
    this.#unwritten = windows.map(() => ({ start: 0, used: 0 }));
  }

  static keyOfBucket({ account_id, bucket }: Bucket): string {
    return `${account_id} ${bucket}`;
  }

  static keyOf(row: Bucket & Pick<CounterRow, 'window_seconds'>): string {
    return `${row.account_id} ${row.bucket} ${row.window_seconds}`;
  }

  count(nowMs: number): void {
    for (let index = 0; index < this.windows.length; index += 1) {
      const window = this.windows[index];
      if (!window) continue;
      this.tallies[index] = tallied(window, this.tallies[index], nowMs);
      this.#unwritten[index] = tallied(window, this.#unwritten[index], nowMs);
    }
  }

  usage(nowMs: number): { bucket: string; window_seconds: number; count: number }[] {
    return this.windows
      .map((window, index) => ({
        bucket: this.#bucket.bucket,
        window_seconds: window.seconds,
        count: usedOf(window, this.tallies[index], nowMs),
      }))
      .filter(({ count }) => count > 0);
  }

  /** Returns the counts to add to the stored ones and marks them as written. */
  takeUnwritten(): CounterRow[] {
    const rows = this.windows.map(({ seconds }, index) => {
      const { start = 0, used = 0 } = this.#unwritten[index] ?? {};
      this.#unwritten[index] = { start, used: 0 };
      return { ...this.#bucket, window_seconds: seconds, window_start: start, count: used };
    });
    return rows.filter((row) => row.count > 0);
  }

  /** Restores counts whose write failed. */
  giveBack(row: CounterRow): void {
    this.#change(this.#unwritten, row, (tally) => tally.used + row.count);
  }

  /** Adopts the stored counts after a write, which include those of other processes. */
  learn(row: CounterRow): void {
    this.#change(this.tallies, row, (_, index) => row.count + (this.#unwritten[index]?.used ?? 0));
  }

  #change(tallies: Tally[], row: CounterRow, used: (tally: Tally, index: number) => number): void {
    const index = this.windows.findIndex((window) => window.seconds === row.window_seconds);
    const tally = tallies[index];
    if (tally?.start === row.window_start) tallies[index] = { start: tally.start, used: used(tally, index) };
  }
}
