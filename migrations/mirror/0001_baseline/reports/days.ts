import { groupedBy, joinProperty, propertyName, sum } from './expressions.ts';

const ACCEPTED = `n.status = 'accepted'`;

/** Another stay that has its last (or first) night there on that date. */
const other = (night: string, end: string) => `
    case when n.property_id <> 0 and exists (
      select 1 from stay_nights o
      where o.connection = n.connection and o.night = ${night} and o.property_id = n.property_id
        and o.stay_code <> n.stay_code and o.status = 'accepted' and ${end}
    ) then 1 else 0 end`;

/** Who arrives, leaves, or stays on, day by day: one row each. */
export const arrivals = `
select m.connection, m.date, m.movement, m.property_id, ${propertyName('p', 'm.property_id')} as property,
  m.stay_code, f.channel, f.number_of_guests as guests, f.check_in_date, f.check_out_date, f.nights, f.kind, m.same_day
from (
  select n.connection, d.date, 'departure' as movement, n.property_id, n.stay_code,${other('d.date', 'o.night_number = 1')} as same_day
  from dates d join stay_nights n on n.night = d.day_before
  where ${ACCEPTED} and n.night_number = n.nights
  union all
  select n.connection, d.date, 'arrival' as movement, n.property_id, n.stay_code,${other('d.day_before', 'o.night_number = o.nights')} as same_day
  from dates d join stay_nights n on n.night = d.date
  where ${ACCEPTED} and n.night_number = 1
  union all
  select n.connection, n.night, 'in_house' as movement, n.property_id, n.stay_code, 0 as same_day
  from stay_nights n
  where ${ACCEPTED} and n.night_number > 1
) m
join stay_figures f on f.connection = m.connection and f.stay_code = m.stay_code
${joinProperty('m')}`;

/** The same counted by day. */
export const house = `
select m.connection, m.date,
  ${sum(`case when m.movement = 'arrival' then 1 else 0 end`)} as arrivals,
  ${sum(`case when m.movement = 'departure' then 1 else 0 end`)} as departures,
  ${sum(`case when m.movement = 'in_house' then 1 else 0 end`)} as in_house,
  ${sum(`case when m.movement <> 'departure' then 1 else 0 end`)} as occupied,
  ${sum(`case when m.movement = 'arrival' then m.same_day else 0 end`)} as turnovers,
  ${sum(`case when m.movement <> 'departure' then m.guests else 0 end`)} as guests
from v1_arrivals m
${groupedBy(2)}`;

const OPEN_TYPES = ['cleaning', 'maintenance', 'reception', 'room_service'];

/** Tasks of each person, by the day they are expected on. */
export const taskLoad = `
select t.connection, t.span, t.period, t.staff_id, t.person, t.currency, t.tasks, t.open_tasks, t.completed,
  t.cancelled, ${OPEN_TYPES.map((type) => `t.${type}`).join(', ')}, t.other, t.fee as fee_minor
from (${[
  "'day' as span, expected_date as period",
  "'month' as span, substr(expected_date, 1, 7) as period",
  "'year' as span, substr(expected_date, 1, 4) as period",
  "'all' as span, 'all' as period",
]
  .map(
    (span) => `
  select connection, ${span}, staff_id, coalesce(staff_name, '(nobody)') as person, currency,
    ${sum(`case when status <> 'cancelled' then 1 else 0 end`)} as tasks,
    ${sum(`case when status not in ('completed', 'cancelled') then 1 else 0 end`)} as open_tasks,
    ${sum(`case when status = 'completed' then 1 else 0 end`)} as completed,
    ${sum(`case when status = 'cancelled' then 1 else 0 end`)} as cancelled,
    ${OPEN_TYPES.map((type) => `${sum(`case when status <> 'cancelled' and type = '${type}' then 1 else 0 end`)} as ${type}`).join(', ')},
    ${sum(`case when status <> 'cancelled' and type not in (${OPEN_TYPES.map((type) => `'${type}'`).join(', ')}) then 1 else 0 end`)} as other,
    ${sum(`case when status <> 'cancelled' then fee_minor else 0 end`)} as fee
  from tasks where deleted_at is null
  ${groupedBy(6)}`,
  )
  .join('\nunion all\n')}) t`;
