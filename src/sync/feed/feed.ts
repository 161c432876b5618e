import type { Kysely, Selectable } from 'kysely';
import { Signal } from '../../kernel/signal.ts';
import type { Clock } from '../../kernel/clock.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { ChangesTable, Mirror, MirrorDb } from '../tables/database.ts';
import { derivedBetween } from './derived/derivedTable.ts';
import type { DerivedEvent } from './derived/names.ts';
import { openedDiff } from '../tables/rows/sealedValues.ts';

/**
 * The longest time for which a change by another process may go unseen; changes within the process are noticed at once.
 */
const POLL_MS = 1_000;
const BATCH = 500;

/** A change with its derived events, if no event announces it. */
export type Change = Selectable<ChangesTable> & { derived_events: readonly DerivedEvent[] };

const changesAfter = prepared((db: Kysely<Mirror>, arg: { connection: string; after: number; limit: number }) =>
  db
    .selectFrom('changes')
    .selectAll()
    .where('connection', '=', arg.connection)
    .where('seq', '>', arg.after)
    .orderBy('seq')
    .limit(arg.limit),
);

const noEvents: ReadonlyMap<number, readonly DerivedEvent[]> = new Map();

/** The changes of one connection in the order in which they were committed. */
export class Feed {
  readonly #db: MirrorDb;
  readonly #connection: string;
  readonly #clock: Clock;
  readonly #news = new Signal();

  constructor(db: MirrorDb, connection: string, clock: Clock) {
    this.#db = db;
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Returns up to `limit` changes after the cursor. The last one's seq is the next cursor. */
  async read(after: number, limit: number): Promise<Change[]> {
    const rows = await changesAfter(this.#db, { connection: this.#connection, after, limit });
    const named = rows.filter((row) => row.derived !== null);
    const [first, last] = [named[0], named.at(-1)];
    const events = first && last ? await derivedBetween(this.#db, this.#connection, first.seq, last.seq) : noEvents;
    return rows.map((row) => ({
      ...row,
      diff: openedDiff(this.#db, row, row.diff),
      derived_events: events.get(row.seq) ?? [],
    }));
  }

  /** Does the same, but waits up to `waitMs` for a first change. */
  async wait(after: number, limit: number, waitMs: number, signal?: AbortSignal): Promise<Change[]> {
    const clock = this.#clock;
    const end = clock.monotonic() + waitMs;
    for (;;) {
      // Listening starts before the read, so that a commit in between is noticed.
      const left = end - clock.monotonic();
      const enough = new AbortController();
      // A reason of its own, since the default would create an error with a stack each time.
      const stop = () => enough.abort('enough');
      // AbortSignal.any is avoided: a signal that lives as long as the process remembers every signal joined with it.
      signal?.addEventListener('abort', stop, { once: true });
      try {
        const heard = this.#news.wait(clock, Math.max(0, Math.min(POLL_MS, left)), enough.signal);
        const changes = await this.read(after, limit);
        if (changes.length > 0 || left <= 0 || signal?.aborted) return changes;
        await heard;
      } finally {
        signal?.removeEventListener('abort', stop);
        stop();
      }
    }
  }

  /** Yields all changes from the cursor on, as they come, until the signal aborts. */
  async *follow(after: number, signal: AbortSignal): AsyncGenerator<Change> {
    let cursor = after;
    while (!signal.aborted) {
      for (const change of await this.wait(cursor, BATCH, POLL_MS, signal)) {
        if (signal.aborted) return;
        cursor = change.seq;
        yield change;
      }
    }
  }

  /** Returns the newest place taken; 0 before the first change. */
  async head(): Promise<number> {
    const row = await this.#db
      .selectFrom('feed_heads')
      .select('seq')
      .where('connection', '=', this.#connection)
      .executeTakeFirst();
    return row?.seq ?? 0;
  }

  /** Wakes the waiting readers. */
  notify(): void {
    this.#news.ring();
  }
}
