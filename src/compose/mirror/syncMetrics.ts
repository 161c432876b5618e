import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { PROPAGATION_BUCKETS_MS, type Measured } from '../../sync/trust/measures/meter.ts';
import type { ConnectionStatus } from '../../sync/connection/daemon.ts';

/** Parts of the status that have metrics of their own, with labels. */
export const labelled: ReadonlySet<string> = new Set(['loss', 'propagation', 'coalescing', 'budget', 'fresh']);

export const PROPAGATION_SECONDS = 'stayd_mirror_propagation_seconds';

/** The time from a change to the mirror, as a histogram. */
export function propagationHistogram(): Histogram<'connection' | 'resource'> {
  return new Histogram({
    name: PROPAGATION_SECONDS,
    help: 'Seconds from the moment an event was queued until its change was applied.',
    labelNames: ['connection', 'resource'],
    buckets: PROPAGATION_BUCKETS_MS.map((ms) => ms / 1_000),
    registers: [],
  });
}

/** What is counted since the start of this process: the metric, its label, and the figure it takes. */
const counters = [
  { name: 'received_events', measure: 'events', label: 'event', help: 'Events received, by kind.', figure: 'count' },
  {
    name: 'event_reads',
    measure: 'reads',
    label: 'resource',
    help: 'Reads that ended the waiting of events.',
    figure: 'count',
  },
  {
    name: 'read_events',
    measure: 'reads',
    label: 'resource',
    help: 'Events whose waiting such reads ended; by reads: events a read.',
    figure: 'total',
  },
] as const satisfies readonly {
  name: string;
  measure: Measured['measure'];
  label: string;
  help: string;
  figure: 'count' | 'total';
}[];

interface Mirrored {
  connection: string;
  status: ConnectionStatus;
  measured: readonly Measured[];
}

/** Loss, age, coalescing, requests and budget of the connections, by their labels. */
export function collectSyncMetrics(registry: Registry, mirrors: readonly Mirrored[]): void {
  for (const { name, measure, label, help, figure } of counters) {
    const counter = counterOf(registry, `stayd_mirror_${name}_total`, help, ['connection', label]);
    for (const { connection, measured } of mirrors) {
      for (const row of measured.filter((one) => one.measure === measure)) {
        counter.inc({ connection, [label]: row.subject }, row[figure]);
      }
    }
  }
  const named = (state: keyof typeof stateHelp) =>
    counterOf(registry, `stayd_mirror_${state}_events_total`, stateHelp[state], ['connection', 'event']);
  const missed = { lost: named('lost'), late: named('late'), unproven: named('unproven') };
  const labels = ['connection', 'purpose', 'operation'];
  const requests = counterOf(
    registry,
    'stayd_mirror_requests_total',
    'Requests sent, by purpose and operation.',
    labels,
  );
  for (const mirror of mirrors) collectOne(registry, mirror, { missed, requests });
}

function collectOne(
  registry: Registry,
  { connection, status, measured }: Mirrored,
  { missed, requests }: { missed: Record<keyof typeof stateHelp, Counter>; requests: Counter },
): void {
  const { counters: ever, fresh, budget } = status;
  for (const state of ['lost', 'late', 'unproven'] as const) {
    for (const [name, value] of Object.entries(ever)) {
      const [kind, event] = name.split('/');
      if (kind === state && event !== undefined) missed[state].inc({ connection, event }, value);
    }
  }
  for (const { measure, subject, count } of measured) {
    const [purpose = '', operation = ''] = subject.split('/');
    if (measure === 'requests') requests.inc({ connection, purpose, operation }, count);
  }
  const part = ['connection', 'part'];
  const age = gaugeOf(
    registry,
    'stayd_mirror_data_age_seconds',
    'Age of what is mirrored, by part of the source.',
    part,
  );
  const bound = gaugeOf(registry, 'stayd_mirror_data_age_limit_seconds', 'The age that it may have.', part);
  for (const [tier, { age: seconds, max_age }] of Object.entries(fresh)) {
    if (seconds !== null) age.set({ connection, part: tier }, seconds);
    bound.set({ connection, part: tier }, max_age);
  }
  const window = ['connection', 'route', 'window'];
  const used = gaugeOf(registry, 'stayd_mirror_budget_used', 'Requests sent in the open window of a limit.', window);
  const most = gaugeOf(registry, 'stayd_mirror_budget_limit', 'Requests that the window takes.', window);
  for (const [route, windows] of Object.entries(budget)) {
    for (const [seconds, { used: sent, max }] of Object.entries(windows)) {
      used.set({ connection, route, window: `${seconds}s` }, sent);
      most.set({ connection, route, window: `${seconds}s` }, max);
    }
  }
}

const stateHelp = {
  lost: 'Changes that a scan found and whose event never came, since the mirror was made.',
  late: 'Events that came after a scan had found their change, since the mirror was made.',
  unproven: 'Changes that a scan found and that may have had no event, since the mirror was made.',
};

function gaugeOf(registry: Registry, name: string, help: string, labelNames: string[]): Gauge {
  const known = registry.getSingleMetric(name);
  return known instanceof Gauge ? known : new Gauge({ name, help, labelNames, registers: [registry] });
}

/** Set anew at each scrape. */
function counterOf(registry: Registry, name: string, help: string, labelNames: string[]): Counter {
  const known = registry.getSingleMetric(name);
  const counter = known instanceof Counter ? known : new Counter({ name, help, labelNames, registers: [registry] });
  counter.reset();
  return counter;
}
