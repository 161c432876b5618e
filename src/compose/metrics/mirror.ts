import { Histogram } from 'prom-client';
import type { ConnectionStatus } from '../../sync/connection/daemon.ts';
import { type Measured, PROPAGATION_BUCKETS_MS } from '../../sync/trust/measures/meter.ts';
import type { Metric } from './registry.ts';

/** A connection as its metrics see it. */
interface Mirrored {
  readonly connection: string;
  readonly status: ConnectionStatus;
  /** Counted since the start of this process. */
  readonly measured: readonly Measured[];
}

export const PROPAGATION_SECONDS = 'stayd_mirror_propagation_seconds';

/** Creates the histogram of the time from a change to its row in the mirror. */
export function propagationHistogram(): Histogram<'connection' | 'resource'> {
  return new Histogram({
    name: PROPAGATION_SECONDS,
    help: 'Seconds from the moment an event was queued until its change was applied.',
    labelNames: ['connection', 'resource'],
    buckets: PROPAGATION_BUCKETS_MS.map((ms) => ms / 1_000),
    registers: [],
  });
}

type Figures = ReturnType<Metric<Mirrored>['figures']>;
type Counters = Readonly<Record<string, number>>;

/** Outcomes of events that caused no read of their own, each with its counter. */
const OUTCOMES = ['duplicates', 'id_conflict', 'unknown_kind', 'ignored', 'unreadable'] as const;
const MISSED = ['lost', 'late', 'unproven'] as const;

/** Every metric of the mirror except the histogram above. */
export const mirrorMetrics: readonly Metric<Mirrored>[] = [
  one('active', 'Whether the connection reads: 1, or 0 while it is paused.', (status) =>
    Number(status.state === 'active'),
  ),
  one('state_age_seconds', 'Seconds since the connection was paused or began to read.', (status) => status.state_age),
  one('caught_up_age_seconds', 'Seconds since everything was last read once.', (status) => status.caught_up_age),
  one('automations_armed', 'Whether rules may act: 1 or 0.', (status) => Number(status.automations.armed)),
  {
    name: 'stayd_mirror_troubles',
    type: 'gauge',
    help: 'Things that a person should know of, as `stayd status` lists them, by subject and level.',
    labels: ['connection', 'about', 'level'],
    figures: ({ connection, status }) =>
      status.troubles.map(({ about, level }) => [[connection, about, level], 1] as const),
  },
  one(
    'holds',
    'Routes that are left alone because the source asked for it.',
    (status) => Object.keys(status.holds).length,
  ),
  one('feed_head', 'Number of the newest change in the feed.', (status) => status.feed_head),
  by('gauge', 'dirty_keys', 'resource', 'Keys that wait to be read.', ({ dirty }) => fields(dirty, ({ keys }) => keys)),
  by('gauge', 'dirty_oldest_age_seconds', 'resource', 'Seconds that the oldest of these keys waits.', ({ dirty }) =>
    fields(dirty, ({ oldest_age }) => oldest_age),
  ),
  by('gauge', 'dead_keys', 'resource', 'Keys that were given up after many attempts.', ({ dead }) =>
    Object.entries(dead),
  ),
  by('gauge', 'unread', 'resource', 'Properties and listings whose days were never read completely.', ({ unread }) =>
    Object.entries(unread),
  ),
  by('gauge', 'inbox_events', 'state', 'Events received since the mirror was made, by state.', ({ inbox }) =>
    Object.entries(inbox),
  ),
  by('counter', 'refused_deliveries_total', 'reason', 'Deliveries refused, by reason.', ({ refused }) =>
    fields(refused, ({ times }) => times),
  ),
  by('counter', 'events_total', 'outcome', 'Events that led to no change of their own, by outcome.', ({ counters }) =>
    OUTCOMES.map((name) => [name, (counters as Counters)[name] ?? 0] as const),
  ),
  counted('quarantined_rows_total', 'Rows that were quarantined.', 'quarantined'),
  counted('stale_answers_total', 'Answers that were older than what had been applied.', 'stale_answers'),
  {
    name: 'stayd_mirror_missed_events_total',
    type: 'counter',
    help: 'Changes that a scan found before any event: lost (none came), late (one came after all), unproven.',
    labels: ['connection', 'event', 'outcome'],
    *figures({ connection, status }): Figures {
      for (const [name, value] of Object.entries(status.counters as Counters)) {
        const [outcome = '', event] = name.split('/');
        if (event !== undefined && isMissed(outcome)) yield [[connection, event, outcome], value];
      }
    },
  },
  {
    name: 'stayd_mirror_unstored_events_total',
    type: 'counter',
    help: 'Events since the start that could not be stored, and were answered 503.',
    labels: ['connection'],
    *figures({ connection, measured }): Figures {
      const all = measured.filter(({ measure }) => measure === 'unstored');
      yield [[connection], all.reduce((sum, { count }) => sum + count, 0)];
    },
  },
  measuredBy('received_events_total', 'event', 'Events received since the start, by kind.', 'events', 'count'),
  measuredBy(
    'event_lookups_total',
    'resource',
    'Reads since the start that ended the wait of events.',
    'reads',
    'count',
  ),
  measuredBy(
    'answered_events_total',
    'resource',
    'Events since the start whose wait such reads ended.',
    'reads',
    'total',
  ),
  {
    name: 'stayd_mirror_requests_total',
    type: 'counter',
    help: 'Requests sent since the start, by purpose and operation.',
    labels: ['connection', 'purpose', 'operation'],
    *figures({ connection, measured }): Figures {
      for (const { measure, subject, count } of measured) {
        const [purpose = '', operation = ''] = subject.split('/');
        if (measure === 'requests') yield [[connection, purpose, operation], count];
      }
    },
  },
  by('gauge', 'data_age_seconds', 'part', 'Age of what is mirrored, by part of the source.', ({ fresh }) =>
    fields(fresh, ({ age }) => age),
  ),
  by('gauge', 'data_age_limit_seconds', 'part', 'The age that it may have.', ({ fresh }) =>
    fields(fresh, ({ max_age }) => max_age),
  ),
  by(
    'gauge',
    'last_scan_age_seconds',
    'resource',
    'Seconds since the newest full read of a resource ended.',
    ({ scans }) => fields(scans, ({ age }) => age),
  ),
  by('gauge', 'last_scan_rows', 'resource', 'Rows that it read.', ({ scans }) => fields(scans, ({ rows }) => rows)),
  windows('budget_used_requests', 'Requests sent in the open window of a limit.', ({ used }) => used),
  windows('budget_limit_requests', 'Requests that the window takes.', ({ max }) => max),
];

function isMissed(outcome: string): boolean {
  return MISSED.some((one) => one === outcome);
}

/** Declares a figure that each connection has once; null if unknown. */
function one(name: string, help: string, value: (status: ConnectionStatus) => number | null): Metric<Mirrored> {
  return {
    name: `stayd_mirror_${name}`,
    type: 'gauge',
    help,
    labels: ['connection'],
    *figures({ connection, status }): Figures {
      const figure = value(status);
      if (figure !== null) yield [[connection], figure];
    },
  };
}

function counted(name: string, help: string, counter: string): Metric<Mirrored> {
  const figures = ({ counters }: ConnectionStatus) => (counters as Counters)[counter] ?? 0;
  return { ...one(name, help, figures), type: 'counter' };
}

/** Declares a figure for each value of one more label. */
function by(
  type: Metric<Mirrored>['type'],
  name: string,
  label: string,
  help: string,
  values: (status: ConnectionStatus) => Iterable<readonly [string, number | null]>,
): Metric<Mirrored> {
  return {
    name: `stayd_mirror_${name}`,
    type,
    help,
    labels: ['connection', label],
    *figures({ connection, status }): Figures {
      for (const [key, value] of values(status)) if (value !== null) yield [[connection, key], value];
    },
  };
}

function measuredBy(
  name: string,
  label: string,
  help: string,
  measure: Measured['measure'],
  figure: 'count' | 'total',
): Metric<Mirrored> {
  return {
    name: `stayd_mirror_${name}`,
    type: 'counter',
    help,
    labels: ['connection', label],
    *figures({ connection, measured }): Figures {
      for (const row of measured) if (row.measure === measure) yield [[connection, row.subject], row[figure]];
    },
  };
}

function windows(
  name: string,
  help: string,
  figure: (window: { used: number; max: number }) => number,
): Metric<Mirrored> {
  return {
    name: `stayd_mirror_${name}`,
    type: 'gauge',
    help,
    labels: ['connection', 'route', 'window'],
    *figures({ connection, status }): Figures {
      for (const [route, open] of Object.entries(status.budget)) {
        for (const [seconds, window] of Object.entries(open))
          yield [[connection, route, `${seconds}s`], figure(window)];
      }
    },
  };
}

function fields<Value>(
  from: Readonly<Record<string, Value>>,
  figure: (value: Value) => number | null,
): (readonly [string, number | null])[] {
  return Object.entries(from).map(([name, value]) => [name, figure(value)] as const);
}
