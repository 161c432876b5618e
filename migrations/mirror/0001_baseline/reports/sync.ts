import { groupedBy, per, percent, sum } from './expressions.ts';

/** Each row three times: under its hour, its day, and all time. */
const spans = (hour: string, select: (columns: string) => string) =>
  [
    `'day' as span, substr(${hour}, 1, 10) as period`,
    `'hour' as span, substr(${hour}, 1, 13) as period`,
    `'all' as span, 'all' as period`,
  ]
    .map(select)
    .join('\nunion all\n');

const hours = (measure: string) =>
  spans(
    'h.hour',
    (span) => `select h.connection, ${span}, h.subject, h.bucket, h.count, h.total, h.most
    from sync_hours h where h.measure = '${measure}'`,
  );

/** One row a change and kind of event, however many rows its days take. */
const missed = `
  select m.connection, substr(m.seen_at, 1, 13) as hour, m.event, m.state
  from lost_events m ${groupedBy(4)}, m.seq, m.sub_event`;

const none = 'cast(null as bigint)';

/** How many were missed, of all that came or should have come. */
const missing = (figure: string, state: string) => `
select a.connection, a.span, a.period, '${figure}' as figure, a.subject, ${sum('a.missed')} as count,
  ${sum('a.sent')} as among, ${percent(sum('a.missed'), sum('a.sent'))} as share_pct,
  ${none} as p50_ms, ${none} as p99_ms, ${none} as worst_ms
from (
  select e.connection, e.span, e.period, e.subject, 0 as missed, e.count as sent from (${hours('events')}) e
  union all
  select e.connection, e.span, e.period, e.event as subject,
    case when e.state = '${state}' then 1 else 0 end as missed,
    case when e.state = 'lost' then 1 else 0 end as sent
  from (${spans('l.hour', (span) => `select l.connection, ${span}, l.event, l.state from (${missed}) l`)}) e
) a
${groupedBy(5)}`;

/** By when half, and 99 of a hundred, had arrived: the upper bounds of their buckets. */
const propagation = (figure: string, measure: string) => `
select c.connection, c.span, c.period, '${figure}' as figure, c.subject, ${sum('c.count')} as count, ${none} as among,
  cast(null as real) as share_pct,
  min(case when 2 * c.up_to >= c.amount then c.bucket end) as p50_ms,
  min(case when 100 * c.up_to >= 99 * c.amount then c.bucket end) as p99_ms, max(c.most) as worst_ms
from (
  select b.*, cast(sum(b.count) over (
      partition by b.connection, b.span, b.period, b.subject order by b.bucket
    ) as bigint) as up_to,
    cast(sum(b.count) over (partition by b.connection, b.span, b.period, b.subject) as bigint) as amount
  from (
    select h.connection, h.span, h.period, h.subject, h.bucket, ${sum('h.count')} as count, max(h.most) as most
    from (${hours(measure)}) h ${groupedBy(5)}
  ) b
) c
${groupedBy(5)}`;

const share = (figure: string, measure: string, columns: { count: string; among: string; worst: string }) => `
select h.connection, h.span, h.period, '${figure}' as figure, h.subject, ${columns.count} as count,
  ${columns.among} as among, ${percent(columns.count, columns.among)} as share_pct,
  ${none} as p50_ms, ${none} as p99_ms, ${columns.worst} as worst_ms
from (${hours(measure)}) h
${groupedBy(5)}`;

const figures = [
  missing('lost', 'lost'),
  missing('late', 'late'),
  missing('unproven', 'unproven'),
  propagation('announced', 'propagated'),
  propagation('found', 'found'),
  share('stale', 'age', { count: sum('h.total'), among: sum('h.count'), worst: '1000 * max(h.most)' }),
  share('reads', 'reads', { count: sum('h.count'), among: sum('h.total'), worst: none }),
  share('requests', 'requests', { count: sum('h.count'), among: none, worst: none }),
  share('window', 'window', { count: 'max(h.most)', among: 'max(h.bucket)', worst: none }),
];

/** How the mirror has kept up, one row a figure and what it is of. */
export const sync = `
select f.connection, f.span, f.period, f.figure, f.subject, f.count, f.among, f.share_pct,
  case when f.figure = 'reads' then ${per('100 * f.among', 'f.count')} / 100.0 end as ratio,
  f.p50_ms, f.p99_ms, f.worst_ms
from (${figures.join('\nunion all\n')}) f
where f.count > 0 or f.figure = 'stale' or (f.figure = 'lost' and f.among > 0)`;

/** Each missed event with what proves it. */
export const syncProof = `
select l.connection, l.seen_at, l.event, l.sub_event, l.state, l.resource, l.key, l.part, l.days,
  l.since, l.seen_by, l.scan_id, l.seq, l.event_id, l.came_at, l.late_ms
from lost_events l where l.state <> 'waiting'`;
