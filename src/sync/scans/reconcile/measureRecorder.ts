import type { Tally } from '../../../client/tally.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import { Worker } from '../../../kernel/worker.ts';
import type { Budget } from '../../budget/gate.ts';
import type { MirrorStore } from '../../tables/database.ts';
import { ageOf } from './due.ts';
import { readTiers } from './freshness.ts';
import type { Meter } from '../../trust/measures/meter.ts';

const LOOK_MS = 15_000;
const FLUSH_MS = 60_000;

interface RecorderOptions {
  store: MirrorStore;
  connection: string;
  clock: Clock;
  meter: Meter;
  tally: Tally;
  gate: Budget;
  log: Logger;
  /** Set if this process measures the age of the mirror: one process of all is enough. */
  looksAtAge: boolean;
}

interface Recorder {
  start(): Promise<void>;
  /** Writes all measurements so far, if the database can be written. */
  record(): Promise<void>;
  stop(): Promise<void>;
}

/** Measures ages and requests at intervals, and writes the measurements. */
export function openRecorder(options: RecorderOptions): Recorder {
  const { clock, connection, meter, log, tally } = options;
  const counted = new Map<string, number>();
  let flushedAt = clock.monotonic();
  const worker = new Worker({
    clock,
    log,
    name: 'writing down measurements',
    fields: { connection },
    everyMs: LOOK_MS,
    firstMs: LOOK_MS,
    async round() {
      if (options.looksAtAge) await noteAges(options);
      noteWindows(options);
      if (clock.monotonic() - flushedAt < FLUSH_MS) return;
      flushedAt = clock.monotonic();
      await write();
    },
  });

  async function write(): Promise<void> {
    for (const [name, count] of Object.entries(tally.counts())) {
      const added = count - (counted.get(name) ?? 0);
      counted.set(name, count);
      if (added > 0) meter.add('requests', name, { count: added });
    }
    await meter.flush();
  }

  /**
   * Writes as much as possible. On a full disk, the unwritten figures are missing from the last day, and all else can
   * be read.
   */
  async function record(): Promise<void> {
    try {
      await write();
    } catch (error) {
      log.error({ connection, problem: messageOf(error) }, 'the last measurements were not written down');
    }
  }

  return {
    start: () => worker.start(),
    record,
    async stop() {
      await worker.stop();
      await record();
    },
  };
}

async function noteAges({ store, connection, clock, meter }: RecorderOptions): Promise<void> {
  const now = clock.now();
  for (const row of await readTiers(store.db, connection)) {
    const age = ageOf(row, now);
    if (age === undefined) continue;
    const isStale = age > row.max_age_s * 1_000;
    meter.add('age', row.tier, { count: 1, total: isStale ? 1 : 0, most: Math.round(age / 1_000) });
  }
}

function noteWindows({ gate, clock, meter }: RecorderOptions): void {
  for (const { of, seconds, max, peak } of gate.ledger().usage(clock.now())) {
    if (peak > 0) meter.add('window', `${of} ${seconds} s`, { count: 1, most: peak, bucket: max });
  }
}
