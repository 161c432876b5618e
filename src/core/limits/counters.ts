import { accountWindows, type LimitWindow, type RateClass, rateClasses } from '../../contract/limits.ts';
import type { Clock, Timer } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { insertMany } from '../../store/insertMany.ts';
import type { Store } from '../../store/store.ts';
import type { CoreDatabase } from '../database.ts';

/** Counters are written this often, and at a stop; after a crash up to this much counting is forgotten. */
const WRITE_MS = 1_000;
/** The bucket that all endpoints of an account share. */
export const ACCOUNT_BUCKET = 'account';

interface Counter {
  account_id: AccountId;
  bucket: string;
  window_seconds: number;
  window_start: number;
  count: number;
}

/** Requests per account and route template in the windows of the description. Counts; refuses nothing yet. */
export class RequestCounters {
  readonly #store: Store<CoreDatabase>;
  readonly #clock: Clock;
  readonly #counters = new Map<string, Counter>();
  readonly #changed = new Set<Counter>();
  #timer: Timer | undefined;

  constructor(store: Store<CoreDatabase>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Goes on from what the last run has written. */
  async start(): Promise<void> {
    for (const row of await this.#store.db.selectFrom('request_counters').selectAll().execute()) {
      this.#counters.set(keyOf(row.account_id, row.bucket, row.window_seconds), row);
    }
    this.#schedule();
  }

  /** Counts one request in every window of both layers. */
  count(accountId: AccountId, bucket: string, rate: RateClass): void {
    const seconds = Math.floor(this.#clock.now() / 1_000);
    for (const window of accountWindows) this.#add(accountId, ACCOUNT_BUCKET, window, seconds);
    for (const window of rateClasses[rate]) this.#add(accountId, bucket, window, seconds);
  }

  /** What an account has used of the windows that are open now. */
  usage(accountId: AccountId): { bucket: string; window_seconds: number; count: number }[] {
    const seconds = Math.floor(this.#clock.now() / 1_000);
    return [...this.#counters.values()]
      .filter((row) => row.account_id === accountId && row.window_start === startOf(seconds, row.window_seconds))
      .map(({ bucket, window_seconds, count }) => ({ bucket, window_seconds, count }));
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#write();
  }

  #add(accountId: AccountId, bucket: string, window: LimitWindow, seconds: number): void {
    const key = keyOf(accountId, bucket, window.seconds);
    const start = startOf(seconds, window.seconds);
    let counter = this.#counters.get(key);
    if (!counter) {
      counter = { account_id: accountId, bucket, window_seconds: window.seconds, window_start: start, count: 0 };
      this.#counters.set(key, counter);
    }
    if (counter.window_start !== start) {
      counter.window_start = start;
      counter.count = 0;
    }
    counter.count += 1;
    this.#changed.add(counter);
  }

  async #write(): Promise<void> {
    if (this.#changed.size === 0) return;
    const rows = [...this.#changed].map((counter) => ({ ...counter }));
    this.#changed.clear();
    const key = ['account_id', 'bucket', 'window_seconds'] as const;
    await this.#store.transaction((trx) =>
      insertMany(trx, 'request_counters', rows, { columns: key, update: ['window_start', 'count'] }),
    );
  }

  #schedule(): void {
    this.#timer = this.#clock.setTimer(WRITE_MS, () => {
      // A write that fails is made up for by the next one: the numbers are protection, not truth.
      void this.#write()
        .catch(() => {})
        .finally(() => this.#schedule());
    });
  }
}

function startOf(seconds: number, length: number): number {
  return seconds - (seconds % length);
}

function keyOf(accountId: AccountId, bucket: string, seconds: number): string {
  return `${accountId} ${bucket} ${seconds}`;
}
