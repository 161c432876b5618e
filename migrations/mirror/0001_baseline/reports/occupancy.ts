import { countOf, groupedBy, joinProperty, per, percent, propertyName, spans, sum, sumOf } from './expressions.ts';

const SOLD = `status = 'accepted' and kind = 'paid'`;
const HELD = `status in ('wait_accept', 'wait_pay')`;

/** Nights by property and month; sold ones by currency too. Months go from the first night of any stay to the last. */
const base = `
bounds as (
  select connection, min(night) as first_night, max(night) as last_night from stay_nights group by connection
),
months as (
  select b.connection, d.month, d.month_days
  from bounds b join dates d on d.date >= substr(b.first_night, 1, 7) || '-01' and d.date <= b.last_night
  where substr(d.date, 9, 2) = '01'
),
counted as (
  select connection, property_id, substr(night, 1, 7) as month, currency,
    ${countOf(SOLD)} as sold,
    ${countOf(`status = 'accepted' and kind = 'unpaid'`)} as unpaid,
    ${countOf(`status = 'accepted' and kind = 'owner'`)} as owner,
    ${countOf(HELD)} as holds,
    ${sumOf('rental_minor', SOLD)} as rental,
    ${sumOf('rate_minor', SOLD)} as rate,
    ${sumOf('tax_minor', SOLD)} as tax
  from stay_nights where status in ('accepted', 'wait_accept', 'wait_pay')
  ${groupedBy(4)}
),
others as (
  select connection, property_id, month,
    ${sum('sold')} as sold, ${sum('unpaid')} as unpaid, ${sum('owner')} as owner, ${sum('holds')} as holds
  from counted ${groupedBy(3)}
),
blocked as (
  select a.connection, a.property_id, substr(a.date, 1, 7) as month, count(*) as blocks
  from availability_days a
  where a.available = 0 and not exists (
    select 1 from stay_nights n
    where n.connection = a.connection and n.night = a.date and n.property_id = a.property_id
      and n.status in ('accepted', 'wait_accept', 'wait_pay')
  )
  ${groupedBy(3)}
),
grid as (
  select m.connection, p.id as property_id, m.month, m.month_days as calendar
  from months m join properties p on p.connection = m.connection
  where p.deleted_at is null
  union all
  select o.connection, o.property_id, o.month, case when o.property_id = 0 then 0 else m.month_days end
  from others o join months m on m.connection = o.connection and m.month = o.month
  where not exists (
    select 1 from properties p where p.connection = o.connection and p.id = o.property_id and p.deleted_at is null
  )
),
places as (
  select g.connection, g.property_id, g.month, g.calendar, coalesce(o.sold, 0) as sold,
    coalesce(o.unpaid, 0) as unpaid, coalesce(o.owner, 0) as owner, coalesce(o.holds, 0) as holds,
    coalesce(b.blocks, 0) as blocks
  from grid g
  left join others o on o.connection = g.connection and o.property_id = g.property_id and o.month = g.month
  left join blocked b on b.connection = g.connection and b.property_id = g.property_id and b.month = g.month
)`;

/**
 * Occupancy, ADR and RevPAR. Nights and occupancies are of all currencies; a row stands for each currency in which
 * nights were sold, or one without currency.
 */
export function occupancy(byProperty: boolean): string {
  const id = byProperty ? ', property_id' : '';
  const keys = byProperty ? 4 : 3;
  const placed = spans('month', (span) =>
    `select connection, ${span}${id}, ${['calendar', 'sold', 'unpaid', 'owner', 'holds', 'blocks'].map((name) => `${sum(name)} as ${name}`).join(', ')}
    from places ${groupedBy(keys)}`.trim(),
  );
  const priced = spans(
    'month',
    (span) =>
      `select connection, ${span}${id}, currency, ${['sold', 'rental', 'rate', 'tax'].map((name) => `${sum(name)} as ${name}`).join(', ')}
    from counted where sold > 0 ${groupedBy(keys + 1)}`,
  );
  const place = byProperty ? `t.property_id, ${propertyName('p', 't.property_id')} as property, ` : '';
  const unsaleable = 't.owner + t.holds + t.blocks';
  const saleable = `(t.calendar - (${unsaleable}))`;
  return `
with ${base},
t as (${placed}),
m as (${priced})
select t.connection, t.span, t.period, ${place}m.currency,
  t.calendar as calendar_nights, t.sold as sold_nights, t.unpaid as unpaid_nights, t.owner as owner_nights,
  t.holds as hold_nights, t.blocks as block_nights,
  ${percent('t.sold', 't.calendar')} as occupancy_calendar_pct,
  ${percent('t.sold', saleable)} as occupancy_adjusted_pct,
  ${percent(`t.sold + t.unpaid + ${unsaleable}`, 't.calendar')} as occupancy_total_pct,
  m.sold as currency_nights, m.rental as rental_minor,
  ${per('m.rental', 'm.sold')} as adr_minor,
  ${per('m.rate', 'm.sold')} as adr_with_fees_minor,
  ${per('(m.rate + m.tax)', 'm.sold')} as adr_with_taxes_minor,
  ${per('m.rental', 't.calendar')} as revpar_calendar_minor,
  ${per('m.rental', saleable)} as revpar_adjusted_minor
from t
left join m on m.connection = t.connection and m.span = t.span and m.period = t.period${byProperty ? ' and m.property_id = t.property_id' : ''}
${byProperty ? joinProperty('t') : ''}`;
}
