import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorStore } from '../../tables/database.ts';
import type { Measure, SyncHoursTable } from './tables.ts';

const HOUR_MS = 60 * 60_000;

/** Upper bounds of the propagation times, in milliseconds; the last takes everything. */
export const PROPAGATION_BUCKETS_MS: readonly number[] = [
  50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
  3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000, 604_800_000, 2_592_000_000,
];

/** Returns the bucket of a time. */
export function bucketOf(ms: number): number {
  return PROPAGATION_BUCKETS_MS.find((bound) => ms <= bound) ?? PROPAGATION_BUCKETS_MS.at(-1) ?? 0;
}

interface Reading {
  count: number;
  total?: number;
  most?: number;
  bucket?: number;
}

/** One measurement since the start of this process. */
export type Measured = Pick<SyncHoursTable, 'measure' | 'subject' | 'bucket' | 'count' | 'total' | 'most'>;

/** Counts measurements in memory, and writes them at intervals: a crash loses those since the last write. */
export interface Meter {
  add(measure: Measure, subject: string, reading: Reading): void;
  /** Reports the time from a change to its commit. */
  propagated(resource: string, ms: number): void;
  /** Returns the measurements since the start of this process. */
  sinceStart(): readonly Measured[];
  /** Writes the measurements since the last write. */
  flush(): Promise<void>;
}

interface MeterOptions {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  /** Called for each change that was applied, with the seconds that it took. */
  onPropagated?: ((resource: string, seconds: number) => void) | undefined;
}

/** Opens the meter of a connection. */
export function openMeter({ store, connection, clock, onPropagated }: MeterOptions): Meter {
  const ever = new Map<string, Measured>();
  let open = new Map<string, SyncHoursTable>();
  let flushing: Promise<void> | undefined;

  function add(measure: Measure, subject: string, { count, total = 0, most = 0, bucket = 0 }: Reading): void {
    const hour = instantOf(Math.floor(clock.now() / HOUR_MS) * HOUR_MS);
    const name = `${measure} ${bucket} ${subject}`;
    const one = { measure, subject, bucket, count, total, most };
    into(ever, name, one, one);
    into(open, `${hour} ${name}`, one, { connection, hour, ...one });
  }

  async function write(): Promise<void> {
    const rows = [...open.values()];
    open = new Map();
    if (rows.length === 0) return;
    try {
      await store.transaction(async (trx) => {
        for (const row of rows) await addUp(trx, row);
      });
    } catch (error) {
      for (const row of rows) into(open, `${row.hour} ${row.measure} ${row.bucket} ${row.subject}`, row, row);
      throw error;
    }
  }

  return {
    add,
    propagated(resource, ms) {
      const took = Math.max(0, ms);
      add('propagated', resource, { count: 1, total: took, most: took, bucket: bucketOf(took) });
      onPropagated?.(resource, took / 1_000);
    },
    sinceStart: () => [...ever.values()],
    async flush() {
      await flushing;
      await (flushing = write().finally(() => (flushing = undefined)));
    },
  };
}

function into<Row extends Measured>(rows: Map<string, Row>, name: string, added: Measured, fresh: Row): void {
  const known = rows.get(name);
  if (!known) return void rows.set(name, { ...fresh });
  known.count += added.count;
  known.total += added.total;
  known.most = Math.max(known.most, added.most);
}

const addUp = prepared((db: Kysely<Mirror>, arg: SyncHoursTable) =>
  db
    .insertInto('sync_hours')
    .values(arg)
    .onConflict((conflict) =>
      conflict.columns(['connection', 'hour', 'measure', 'subject', 'bucket']).doUpdateSet({
        count: sql`sync_hours.count + excluded.count`,
        total: sql`sync_hours.total + excluded.total`,
        most: sql`case when excluded.most > sync_hours.most then excluded.most else sync_hours.most end`,
      }),
    ),
);
