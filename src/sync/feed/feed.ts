import type { Kysely, Selectable } from 'kysely';
import { Signal } from '../../kernel/signal.ts';
import type { Clock } from '../../kernel/clock.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { ChangesTable, Mirror, MirrorDb } from '../tables/database.ts';
import { derivedBetween } from './derived/derivedTable.ts';
import type { DerivedEvent } from './derived/names.ts';
import { openedDiff } from '../tables/rows/sealedValues.ts';

/** Beneath the notice within the process: how long a change made by another one may go unseen. */
const POLL_MS = 1_000;
const BATCH = 500;

/** A change with the names it has, if it is one that nobody announces. */
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
export interface Feed {
  /** Up to `limit` changes after the cursor. The last one's seq is the next cursor. */
  read(after: number, limit: number): Promise<Change[]>;
  /** The same, but waits up to `waitMs` for a first one. */
  wait(after: number, limit: number, waitMs: number, signal?: AbortSignal): Promise<Change[]>;
  /** All changes from the cursor on, as they come, until the signal aborts. */
  follow(after: number, signal: AbortSignal): AsyncGenerator<Change>;
  /** The newest place taken; 0 before the first change. */
  head(): Promise<number>;
  /** Tells those who wait that there is something. */
  notify(): void;
}

export function openFeed(db: MirrorDb, connection: string, clock: Clock): Feed {
  const news = new Signal();

  async function read(after: number, limit: number): Promise<Change[]> {
    const rows = await changesAfter(db, { connection, after, limit });
    const named = rows.filter((row) => row.derived !== null);
    const [first, last] = [named[0], named.at(-1)];
    const events = first && last ? await derivedBetween(db, connection, first.seq, last.seq) : noEvents;
    return rows.map((row) => ({
      ...row,
      diff: openedDiff(db, row, row.diff),
      derived_events: events.get(row.seq) ?? [],
    }));
  }

  async function wait(after: number, limit: number, waitMs: number, signal?: AbortSignal): Promise<Change[]> {
    const end = clock.monotonic() + waitMs;
    for (;;) {
      // Listening before reading: a commit in between is heard.
      const left = end - clock.monotonic();
      const enough = new AbortController();
      // A reason of its own, since an error with its stack would be made for each.
      const stop = () => enough.abort('enough');
      // Not AbortSignal.any: a signal that lives as long as the process remembers each that it was joined with.
      signal?.addEventListener('abort', stop, { once: true });
      try {
        const heard = news.wait(clock, Math.max(0, Math.min(POLL_MS, left)), enough.signal);
        const changes = await read(after, limit);
        if (changes.length > 0 || left <= 0 || signal?.aborted) return changes;
        await heard;
      } finally {
        signal?.removeEventListener('abort', stop);
        stop();
      }
    }
  }

  return {
    read,
    wait,
    async *follow(after, signal) {
      let cursor = after;
      while (!signal.aborted) {
        for (const change of await wait(cursor, BATCH, POLL_MS, signal)) {
          if (signal.aborted) return;
          cursor = change.seq;
          yield change;
        }
      }
    },
    async head() {
      const row = await db
        .selectFrom('feed_heads')
        .select('seq')
        .where('connection', '=', connection)
        .executeTakeFirst();
      return row?.seq ?? 0;
    },
    notify: () => news.ring(),
  };
}
