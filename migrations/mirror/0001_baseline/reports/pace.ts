import { countOf, groupedBy, joinProperty, monthLater, per, percent, propertyName, sum, sumOf } from './expressions.ts';

/** Twelve months from that of the date on. */
const within = (night: string, date: string) =>
  `${night} >= substr(${date}, 1, 7) || '-01' and ${night} < ${monthLater(date, 1)} || '-01'`;

/** A night of a paying guest's stay that is or was booked. */
const COUNTS = `n.kind = 'paid' and (n.status = 'accepted' or (n.status = 'cancelled' and n.cancelled_date is not null))`;
/** Booked by the end of a day, and not cancelled by then. */
const onTheBooks = (date: string) =>
  `${COUNTS} and n.booked_date <= ${date} and (n.status = 'accepted' or n.cancelled_date > ${date})`;

/** The day 364 days before that of a row of `dates`. */
const weeksBefore = (row: string) => `(select x.date from dates x where x.day_number = ${row}.day_number - 364)`;
/** The month of the night 364 days later. */
const MONTH_WEEKS_LATER = `(
      select y.month from dates x join dates y on y.day_number = x.day_number + 364 where x.date = n.night
    )`;

/** A value by which of three times a row is counted for: now, a year before, 364 days before. */
const byTime = (now: string, year: string, weeks: string) =>
  `case w.time when 'now' then ${now} when 'year' then ${year} else ${weeks} end`;

const TIMES = [
  ['now', ''],
  ['year', 'stly_'],
  ['weeks', 'stly364_'],
] as const;

/**
 * Nights and revenue on the books at the end of a day, by the month of the night, and what stood there a year before:
 * by the same dates, and 364 days before, by the same weekdays. Ask for one `as_of`, or few. One aggregate over plain
 * tables: SQLite takes a condition on `as_of` into that, and not through a second one.
 */
export function onTheBooksBy(byProperty: boolean): string {
  const id = byProperty ? ', n.property_id' : '';
  const place = byProperty ? `b.property_id, ${propertyName('p', 'b.property_id')} as property, ` : '';
  const measures = TIMES.flatMap(([time, prefix]) => [
    `${countOf(`w.time = '${time}'`)} as ${prefix}nights`,
    `${sumOf('n.rental_minor', `w.time = '${time}'`)} as ${prefix}rental`,
  ]);
  return `
select b.connection, b.as_of, b.month, ${place}b.currency,
  b.nights, b.rental as rental_minor, ${per('b.rental', 'b.nights')} as adr_minor,
  b.stly_nights, b.stly_rental as stly_rental_minor,
  b.nights - b.stly_nights as pace_nights, ${percent('(b.nights - b.stly_nights)', 'b.stly_nights')} as pace_nights_pct,
  b.rental - b.stly_rental as pace_rental_minor,
  b.stly364_nights, b.stly364_rental as stly364_rental_minor,
  b.nights - b.stly364_nights as pace364_nights, b.rental - b.stly364_rental as pace364_rental_minor
from (
  select n.connection, d.date as as_of,
    ${byTime('substr(n.night, 1, 7)', monthLater('n.night', 1), MONTH_WEEKS_LATER)} as month,
    n.currency${id},
    ${measures.join(',\n    ')}
  from dates d
  join dates f on f.date = d.month || '-01'
  join dates l on l.date = ${monthLater('d.month', 1)} || '-01'
  cross join (select 'now' as time union all select 'year' union all select 'weeks') w
  join dates t on t.date = ${byTime('d.date', 'd.year_before', weeksBefore('d'))}
  join stay_nights n on n.night >= ${byTime('f.date', 'f.year_before', weeksBefore('f'))}
    and n.night < ${byTime('l.date', 'l.year_before', weeksBefore('l'))}
  where ${onTheBooks('t.date')}
  ${groupedBy(byProperty ? 5 : 4)}
) b
${byProperty ? joinProperty('b') : ''}`;
}

/**
 * What came onto the books, and went from them, in the 1, 7 and 30 days up to the end of a day, by the month of the
 * night. Ask for one `as_of`, or few.
 */
export function pickupBy(byProperty: boolean): string {
  const id = byProperty ? ', n.property_id' : '';
  const isCancelled = `n.status = 'cancelled' and n.cancelled_date > s.date and n.cancelled_date <= d.date`;
  const isGross = 'n.booked_date > s.date';
  const place = byProperty ? `b.property_id, ${propertyName('p', 'b.property_id')} as property, ` : '';
  return `
select b.connection, b.as_of, b.days, b.month, ${place}b.currency,
  b.gross_nights, b.cancelled_nights, b.gross_nights - b.cancelled_nights as net_nights,
  b.gross_rental as gross_rental_minor, b.cancelled_rental as cancelled_rental_minor,
  b.gross_rental - b.cancelled_rental as net_rental_minor
from (
  select n.connection, d.date as as_of, w.days, substr(n.night, 1, 7) as month, n.currency${id},
    ${sum(`case when ${isGross} then 1 else 0 end`)} as gross_nights,
    ${sum(`case when ${isCancelled} then 1 else 0 end`)} as cancelled_nights,
    ${sum(`case when ${isGross} then n.rental_minor else 0 end`)} as gross_rental,
    ${sum(`case when ${isCancelled} then n.rental_minor else 0 end`)} as cancelled_rental
  from dates d
  cross join (select 1 as days union all select 7 union all select 30) w
  join dates s on s.day_number = d.day_number - w.days
  join stay_nights n on ${within('n.night', 'd.date')}
  where ${COUNTS} and n.booked_date <= d.date and (${isGross} or (${isCancelled}))
  ${groupedBy(byProperty ? 6 : 5)}
) b
${byProperty ? joinProperty('b') : ''}`;
}
