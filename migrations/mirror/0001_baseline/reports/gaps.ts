import { joinProperty, propertyName } from './expressions.ts';

/**
 * What free nights cost now: of a property's listings the lowest price of each night, the mean of them. Listings in
 * different currencies give a row each; none, or no price, one row without.
 */
const priced = (source: string, last: string) => `
select q.connection, q.property_id, q.first_night, q.currency, round(avg(q.price), 2) as price
from (
  select g.connection, g.property_id, g.first_night, l.currency, c.date, min(cast(c.price as numeric)) as price
  from ${source} g
  join property_listings l on l.connection = g.connection and l.property_id = g.property_id
  join calendar_days c on c.connection = l.connection and c.listing = l.listing
    and c.date >= g.first_night and c.date ${last}
  where c.price is not null
  group by g.connection, g.property_id, g.first_night, l.currency, c.date
) q
group by q.connection, q.property_id, q.first_night, q.currency`;

/** Runs of free nights between two stays of a property, of whatever length. */
export const gaps = `
with runs as (
  select o.connection, o.property_id, o.free_from as first_night, e.day_before as last_night,
    e.day_number - b.day_number as nights, o.check_in_date as next_check_in_date
  from (
    select connection, property_id, check_in_date,
      max(check_out_date) over (
        partition by connection, property_id order by check_in_date, check_out_date, stay_code
        rows between unbounded preceding and 1 preceding
      ) as free_from
    from stay_figures where status = 'accepted' and property_id > 0 and nights > 0
  ) o
  join dates b on b.date = o.free_from
  join dates e on e.date = o.check_in_date
  where o.free_from < o.check_in_date and not exists (
    select 1 from availability_days a
    where a.connection = o.connection and a.property_id = o.property_id
      and a.date >= o.free_from and a.date < o.check_in_date and a.available = 0
  )
)
select r.connection, r.property_id, ${propertyName('p', 'r.property_id')} as property, r.first_night, r.last_night,
  r.nights, m.price, m.currency
from runs r
left join (${priced('runs', '< g.next_check_in_date')}) m
  on m.connection = r.connection and m.property_id = r.property_id and m.first_night = r.first_night
${joinProperty('r')}`;

const FRIDAY = 5;

/** Weekends of which both nights, Friday’s and Saturday’s, are free. */
export const unsoldWeekends = `
with weekends as (
  select p.connection, p.id as property_id, f.date as first_night, s.date as last_night
  from properties p
  cross join dates f
  join dates s on s.day_number = f.day_number + 1
  join availability_days a on a.connection = p.connection and a.property_id = p.id and a.date = f.date
  join availability_days b on b.connection = p.connection and b.property_id = p.id and b.date = s.date
  where f.weekday = ${FRIDAY} and p.deleted_at is null and a.available = 1 and b.available = 1
)
select w.connection, w.property_id, ${propertyName('p', 'w.property_id')} as property, w.first_night, w.last_night,
  m.price, m.currency
from weekends w
left join (${priced('weekends', '<= g.last_night')}) m
  on m.connection = w.connection and m.property_id = w.property_id and m.first_night = w.first_night
${joinProperty('w')}`;
