import { declaredMetrics, type DeclaredMetric } from './declared.ts';

/** A panel of the dashboard over one metric, or over an expression. */
interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly queries: readonly { readonly expr: string; readonly legend: string }[];
}

const PROCESS_PANELS: readonly Panel[] = [
  {
    title: 'Event loop lag',
    unit: 's',
    queries: [
      { expr: 'stayd_nodejs_eventloop_lag_p99_seconds{instance=~"$instance"}', legend: '{{instance}} p99' },
      { expr: 'stayd_nodejs_eventloop_lag_p50_seconds{instance=~"$instance"}', legend: '{{instance}} p50' },
    ],
  },
  {
    title: 'Memory',
    unit: 'bytes',
    queries: [
      { expr: 'stayd_process_resident_memory_bytes{instance=~"$instance"}', legend: '{{instance}} resident' },
      { expr: 'stayd_nodejs_heap_size_used_bytes{instance=~"$instance"}', legend: '{{instance}} heap' },
    ],
  },
  {
    title: 'Processor',
    unit: 'percentunit',
    queries: [
      {
        expr: 'rate(stayd_process_cpu_seconds_total{instance=~"$instance"}[$__rate_interval])',
        legend: '{{instance}}',
      },
    ],
  },
  {
    title: 'Open files',
    unit: 'short',
    queries: [{ expr: 'stayd_process_open_fds{instance=~"$instance"}', legend: '{{instance}}' }],
  },
];

const UP: Panel = {
  title: 'Scraped',
  unit: 'short',
  queries: [{ expr: 'up{job="stayd", instance=~"$instance"}', legend: '{{instance}}' }],
};

/** The rows: each metric stands in one of them. */
const ROWS: readonly {
  readonly title: string;
  readonly metrics: readonly string[];
  readonly more?: readonly Panel[];
}[] = [
  {
    title: 'Is it well',
    metrics: ['stayd_ready', 'stayd_alarm', 'stayd_mirror_active', 'stayd_mirror_troubles', 'stayd_build_info'],
    more: [UP],
  },
  {
    title: 'Events in',
    metrics: [
      'stayd_mirror_received_events_total',
      'stayd_mirror_events_total',
      'stayd_mirror_refused_deliveries_total',
    ],
  },
  {
    title: 'Inbox and lag',
    metrics: [
      'stayd_mirror_inbox_events',
      'stayd_mirror_dirty_keys',
      'stayd_mirror_dirty_oldest_age_seconds',
      'stayd_mirror_propagation_seconds',
      'stayd_mirror_feed_head',
    ],
  },
  {
    title: 'Budget and limits',
    metrics: [
      'stayd_mirror_budget_used_requests',
      'stayd_mirror_budget_limit_requests',
      'stayd_mirror_holds',
      'stayd_mirror_requests_total',
    ],
  },
  {
    title: 'Reads',
    metrics: [
      'stayd_mirror_event_lookups_total',
      'stayd_mirror_answered_events_total',
      'stayd_mirror_last_scan_age_seconds',
      'stayd_mirror_last_scan_rows',
      'stayd_mirror_unread',
    ],
  },
  {
    title: 'Loss and freshness',
    metrics: [
      'stayd_mirror_missed_events_total',
      'stayd_mirror_data_age_seconds',
      'stayd_mirror_data_age_limit_seconds',
      'stayd_mirror_caught_up_age_seconds',
      'stayd_mirror_state_age_seconds',
    ],
  },
  {
    title: 'Database',
    metrics: ['stayd_database_up', 'stayd_database_file_bytes', 'stayd_database_wal_bytes', 'stayd_disk_free_bytes'],
  },
  { title: 'Event loop and memory', metrics: [], more: PROCESS_PANELS },
  { title: 'Automations', metrics: ['stayd_mirror_plans', 'stayd_mirror_automations_armed'] },
  {
    title: 'Deliveries',
    metrics: [
      'stayd_core_deliveries_total',
      'stayd_core_waiting_events',
      'stayd_core_waiting_deliveries',
      'stayd_mirror_endpoint_waiting_messages',
      'stayd_mirror_endpoint_failing_seconds',
      'stayd_mirror_broker_published_total',
      'stayd_mirror_broker_waiting_changes',
      'stayd_mirror_broker_failures_total',
      'stayd_mirror_broker_failing_seconds',
      'stayd_mirror_failed_export',
    ],
  },
  {
    title: 'Requests and errors',
    metrics: [
      'stayd_http_requests_total',
      'stayd_http_request_duration_seconds',
      'stayd_v3_failures_total',
      'stayd_mirror_quarantined_rows_total',
      'stayd_mirror_dead_keys',
      'stayd_mirror_unstored_events_total',
      'stayd_mirror_stale_answers_total',
      'stayd_tracing_dropped_spans_total',
    ],
  },
];

/** Metrics that stand in rows, as often as they do. */
export const shownMetrics: readonly string[] = ROWS.flatMap(({ metrics }) => metrics);

const WIDTH = 24;
const PANEL = { w: 8, h: 8 } as const;
const SOURCE = { type: 'prometheus', uid: '${datasource}' } as const;

/** Makes the dashboard of the declared metrics, in the JSON model of Grafana. */
export function dashboard(): object {
  const byName = new Map(declaredMetrics.map((one) => [one.name, one]));
  const panels: object[] = [];
  let y = 0;
  for (const { title, metrics, more = [] } of ROWS) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: WIDTH, h: 1 },
    });
    y += 1;
    const own = [...more, ...metrics.map((name) => panelOf(declared(byName, name)))];
    own.forEach((panel, index) => {
      const x = (index % (WIDTH / PANEL.w)) * PANEL.w;
      const below = Math.floor(index / (WIDTH / PANEL.w)) * PANEL.h;
      panels.push({ id: panels.length + 1, ...graph(panel), gridPos: { x, y: y + below, ...PANEL } });
    });
    y += Math.ceil(own.length / (WIDTH / PANEL.w)) * PANEL.h;
  }
  return {
    uid: 'stayd',
    title: 'stayd',
    tags: ['stayd'],
    editable: true,
    schemaVersion: 39,
    version: 1,
    refresh: '1m',
    time: { from: 'now-24h', to: 'now' },
    timezone: 'browser',
    templating: { list: [sourceVariable(), variable('instance', 'Instance'), variable('connection', 'Connection')] },
    annotations: { list: [alertAnnotation()] },
    panels,
  };
}

function declared(byName: ReadonlyMap<string, DeclaredMetric>, name: string): DeclaredMetric {
  const metric = byName.get(name);
  if (!metric) throw new Error(`${name} stands in a row, and is no metric`);
  return metric;
}

function panelOf({ name, type, labels, help }: DeclaredMetric): Panel {
  const where = `{instance=~"$instance"${labels.includes('connection') ? ', connection=~"$connection"' : ''}}`;
  const legend = labels.length === 0 ? '{{instance}}' : labels.map((label) => `{{${label}}}`).join(' ');
  const title = help.replace(/\.$/, '');
  if (type === 'histogram') {
    const by = labels.map((label) => `, ${label}`).join('');
    const quantile = (q: number) =>
      `histogram_quantile(${q}, sum by (le${by}) (rate(${name}_bucket${where}[$__rate_interval])))`;
    const queries = [0.5, 0.99].map((q) => ({ expr: quantile(q), legend: `${legend} p${q * 100}` }));
    return { title, unit: 's', queries };
  }
  if (type === 'counter') {
    const by = labels.length === 0 ? 'instance' : labels.join(', ');
    const expr = `sum by (${by}) (increase(${name}${where}[$__rate_interval]))`;
    return { title, unit: 'short', queries: [{ expr, legend }] };
  }
  return { title, unit: unitOf(name), queries: [{ expr: `${name}${where}`, legend }] };
}

/** Returns the unit of Grafana for the unit that the name of a gauge ends in. */
function unitOf(name: string): string {
  if (name.endsWith('_seconds')) return 's';
  if (name.endsWith('_bytes')) return 'bytes';
  return 'short';
}

function graph({ title, unit, queries }: Panel): object {
  return {
    type: 'timeseries',
    title,
    datasource: SOURCE,
    fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: 'never' } }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCodePoint('A'.charCodeAt(0) + index),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

function sourceVariable(): object {
  return { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', refresh: 1 };
}

function variable(name: 'instance' | 'connection', label: string): object {
  const metric = name === 'instance' ? 'stayd_build_info' : 'stayd_mirror_active{instance=~"$instance"}';
  const query = `label_values(${metric}, ${name})`;
  return {
    name,
    label,
    type: 'query',
    datasource: SOURCE,
    definition: query,
    query: { query, refId: name },
    refresh: 2,
    includeAll: true,
    allValue: '.*',
    multi: true,
    sort: 1,
    current: { text: 'All', value: '$__all' },
  };
}

/** Marks on every panel when one of our alerts fired. */
function alertAnnotation(): object {
  return {
    name: 'Alerts',
    datasource: SOURCE,
    enable: true,
    iconColor: 'red',
    expr: 'ALERTS{alertname=~"Stayd.*", alertstate="firing"}',
    titleFormat: '{{alertname}}',
    textFormat: '{{alarm}} {{connection}}',
  };
}
