import { statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import { deliveryBacklog } from '../../core/outbox/table.ts';
import type { OpenCore } from '../core/openCore.ts';
import type { Alarm } from '../health/alarms.ts';
import type { ReadinessWatch } from '../health/readiness.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { version } from '../version.ts';
import { collect, type Metric } from './registry.ts';

interface MachineFigures {
  readonly ready: boolean;
  readonly databases: readonly { half: string; up: boolean }[];
  /** Bytes of the files of each half; none on PostgreSQL. */
  readonly files: readonly { half: string; bytes: number; walBytes: number }[];
  readonly freeBytes: number | null;
}

/** What is known of the service without a question to its databases beyond whether they answer. */
export const machineMetrics: readonly Metric<MachineFigures>[] = [
  {
    name: 'stayd_build_info',
    type: 'gauge',
    help: 'Always 1; its labels name the release of stayd and of Node.js that run.',
    labels: ['version', 'node'],
    figures: () => [[[version(), process.versions.node], 1]],
  },
  {
    name: 'stayd_ready',
    type: 'gauge',
    help: 'Whether the service is ready, as `/readyz` says: 1 or 0.',
    labels: [],
    figures: ({ ready }) => [[[], Number(ready)]],
  },
  {
    name: 'stayd_database_up',
    type: 'gauge',
    help: 'Whether the database answers: 1, or 0; then all that lies in it is missing here.',
    labels: ['half'],
    figures: ({ databases }) => databases.map(({ half, up }) => [[half], Number(up)] as const),
  },
  {
    name: 'stayd_database_file_bytes',
    type: 'gauge',
    help: 'Size of the file of a database on SQLite.',
    labels: ['half'],
    figures: ({ files }) => files.map(({ half, bytes }) => [[half], bytes] as const),
  },
  {
    name: 'stayd_database_wal_bytes',
    type: 'gauge',
    help: 'Size of the write-ahead log beside it.',
    labels: ['half'],
    figures: ({ files }) => files.map(({ half, walBytes }) => [[half], walBytes] as const),
  },
  {
    name: 'stayd_disk_free_bytes',
    type: 'gauge',
    help: 'Free space on the disk of the data directory.',
    labels: [],
    figures: ({ freeBytes }) => (freeBytes === null ? [] : [[[], freeBytes]]),
  },
];

/** What needs a person. */
export const alarmMetrics: readonly Metric<{ readonly alarms: readonly Alarm[] }>[] = [
  {
    name: 'stayd_alarm',
    type: 'gauge',
    help: '1 for each alarm that a person must look after before long; `kind` is the same for all of a sort.',
    labels: ['kind', 'alarm'],
    figures: ({ alarms }) =>
      [...new Map(alarms.map(({ kind, alarm }) => [alarm, [kind, alarm]])).values()].map((one) => [one, 1] as const),
  },
];

/** The traces of this process. */
export const tracingMetrics: readonly Metric<{ readonly dropped: number }>[] = [
  {
    name: 'stayd_tracing_dropped_spans_total',
    type: 'counter',
    help: 'Spans that the collector of traces has not taken, since the start; missing where nothing is traced.',
    labels: [],
    figures: ({ dropped }) => [[[], dropped]],
  },
];

interface CoreFigures {
  readonly waiting: { readonly events: number; readonly deliveries: number };
  /** Deliveries by outcome since the start. */
  readonly outcomes: ReadonlyMap<string, number>;
}

/** The core in this process. */
export const coreMetrics: readonly Metric<CoreFigures>[] = [
  {
    name: 'stayd_core_waiting_events',
    type: 'gauge',
    help: 'Events of the core without deliveries yet.',
    labels: [],
    figures: ({ waiting }) => [[[], waiting.events]],
  },
  {
    name: 'stayd_core_waiting_deliveries',
    type: 'gauge',
    help: 'Deliveries of the core without an outcome.',
    labels: [],
    figures: ({ waiting }) => [[[], waiting.deliveries]],
  },
  {
    name: 'stayd_core_deliveries_total',
    type: 'counter',
    help: 'Deliveries of the core since the start, by outcome.',
    labels: ['outcome'],
    figures: ({ outcomes }) => [...outcomes].map(([outcome, count]) => [[outcome], count] as const),
  },
];

interface ServiceSources {
  readonly config: Config;
  readonly readiness: ReadinessWatch;
  /** The core, if it runs in this process. */
  readonly core: Pick<OpenCore, 'core' | 'delivery'> | null;
  readonly tracing: Pick<Tracing, 'dropped'>;
  alarms(): Promise<readonly Alarm[]>;
}

/**
 * Sets the metrics of the whole service. Without an answer of the databases only those of the machine remain.
 * @returns true if the databases answer
 */
export async function collectService(
  registry: Registry,
  { config, readiness, core, alarms, tracing }: ServiceSources,
): Promise<boolean> {
  const databases = await readiness.databases();
  const isWhole = databases.every(({ up }) => up);
  const { ready } = await readiness.now();
  collect(registry, machineMetrics, [
    { ready, databases, files: filesOf(config), freeBytes: freeBytesOf(config.data_dir) },
  ]);
  collect(registry, alarmMetrics, isWhole ? [{ alarms: await alarms() }] : []);
  const dropped = tracing.dropped();
  collect(registry, tracingMetrics, dropped === undefined ? [] : [{ dropped }]);
  const outcomes = core?.delivery.outcomes ?? new Map();
  const figures = core && isWhole ? [{ waiting: await deliveryBacklog(core.core.store.db), outcomes }] : [];
  collect(registry, coreMetrics, figures);
  return isWhole;
}

function filesOf({ database_url, data_dir }: Config): MachineFigures['files'] {
  if (database_url !== null) return [];
  const size = (name: string) => statSync(join(data_dir, name), { throwIfNoEntry: false })?.size ?? 0;
  return ['core', 'mirror'].map((half) => ({ half, bytes: size(`${half}.db`), walBytes: size(`${half}.db-wal`) }));
}

/** A folder that cannot be read is reported by every other part. */
function freeBytesOf(dir: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize;
  } catch {
    return null;
  }
}
