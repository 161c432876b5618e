import { groupedBy } from '../reports/expressions.ts';

const row = (kind: string, date: string, about: string, problem: string) =>
  `${date} as date, ${kind} as kind, ${about} as about, ${problem} as problem`;
const quoted = (text: string) => `'${text}'`;

/** Everything that a person should look at: in the books, in the calendar, and in the mirror itself. */
const parts = [
  // What a booking of the journal has found.
  `select x.connection, ${row('x.kind', 'x.date', 'x.about', 'x.problem')} from book_exceptions x`,
  // A locked month was right once, and is not any more.
  `select e.connection, ${row(
    quoted('changed_after_lock'),
    'e.date',
    'e.entry_id',
    `'reverses ' || e.corrects || ' of ' || coalesce(e.original_date, e.date) || ', a day of a locked month'`,
  )} from book_entries e where e.kind = 'reversal'`,
  // Two guests in one place: one row for each pair.
  `select n.connection, ${row(
    quoted('double_booking'),
    'min(n.night)',
    `n.stay_code || ' and ' || m.stay_code`,
    `'property ' || cast(n.property_id as text) || ' is booked twice for ' || cast(count(*) as text) || case when count(*) = 1 then ' night' else ' nights' end`,
  )} from stay_nights n join stay_nights m on m.connection = n.connection and m.night = n.night
    and m.property_id = n.property_id and m.stay_code > n.stay_code and m.status = 'accepted'
  where n.status = 'accepted' and n.property_id <> 0
  group by n.connection, n.property_id, n.stay_code, m.stay_code`,
  // A booking of a channel that no room was free for.
  `select f.connection, ${row(
    quoted('conflict'),
    'f.check_in_date',
    'f.stay_code',
    `'accepted, and without a room: it stands in the reservation box'`,
  )} from stay_figures f where f.status = 'accepted' and f.property_id = 0`,
  `select q.connection, ${row(
    quoted('unreadable'),
    'substr(q.last_seen_at, 1, 10)',
    `q.resource || ' ' || q.key`,
    'q.problem',
  )} from quarantine q`,
  `select k.connection, ${row(
    quoted('unreadable'),
    'substr(k.last_marked_at, 1, 10)',
    `k.resource || ' ' || k.key`,
    `coalesce(k.problem, 'given up')`,
  )} from dirty_keys k where k.state = 'dead'`,
  `select w.connection, ${row(
    quoted('stale'),
    `substr(w.tried_at, 1, 10)`,
    'w.tier',
    `cast(w.failures as text) || ' readings in a row have failed: ' || coalesce(w.problem, w.state)`,
  )} from reconciliations w where w.failures > 0`,
  `select c.connection, ${row(
    quoted('stale'),
    'substr(c.state_at, 1, 10)',
    quoted('everything'),
    `'nothing is read since ' || c.state_at || coalesce(': ' || c.reason, '')`,
  )} from connections c where c.state <> 'active'`,
  `select s.connection, ${row(
    quoted('stale'),
    's.period',
    's.subject',
    `'older than it may be in ' || cast(s.count as text) || ' of ' || cast(s.among as text) || ' looks'`,
  )} from v1_sync s where s.span = 'day' and s.figure = 'stale' and s.count > 0`,
  // Found by a scan while its event never came.
  `select l.connection, ${row(
    quoted('lost_event'),
    'substr(l.seen_at, 1, 10)',
    'l.event',
    `cast(count(*) as text) || case when count(*) = 1 then ' change was' else ' changes were' end || ' found that no event announced'`,
  )} from v1_sync_proof l where l.state = 'lost' group by l.connection, substr(l.seen_at, 1, 10), l.event`,
];

export const exceptions = parts.join('\nunion all\n');

/** How many of each, and since when. */
export const exceptionsDigest = `
select x.connection, x.kind, count(*) as number, min(x.date) as oldest, max(x.date) as newest,
  min(x.about) as such_as
from v1_exceptions x ${groupedBy(2)}`;
