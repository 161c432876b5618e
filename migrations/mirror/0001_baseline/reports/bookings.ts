import {
  groupedBy,
  joinProperty,
  mean,
  ofNight,
  per,
  percent,
  propertyName,
  spans,
  sum,
  sumOf,
} from './expressions.ts';

/** Bounds of the lead times that are counted together, in days. */
export const LEADS: readonly (readonly [name: string, condition: string])[] = [
  ['days_0', '<= 0'],
  ['days_1', '= 1'],
  ['days_2_3', 'between 2 and 3'],
  ['days_4_7', 'between 4 and 7'],
  ['days_8_14', 'between 8 and 14'],
  ['days_15_30', 'between 15 and 30'],
  ['days_31_60', 'between 31 and 60'],
  ['days_61_90', 'between 61 and 90'],
  ['days_91_180', 'between 91 and 180'],
  ['days_181_365', 'between 181 and 365'],
  ['days_366', '>= 366'],
];

/** How long before arrival guests book, by the month of arrival; one booking counts once, however many rooms it has. */
export const bookingWindow = `
select r.connection, r.span, r.period, r.bookings,
  (${sumOf('r.lead_days', 'r.place = (r.bookings + 1) / 2')} + ${sumOf('r.lead_days', 'r.place = (r.bookings + 2) / 2')}) / 2.0 as median_days,
  ${mean(sum('r.lead_days'), 'r.bookings')} as mean_days,
  ${LEADS.map(([name, condition]) => `${sum(`case when r.lead_days ${condition} then 1 else 0 end`)} as ${name}`).join(',\n  ')}
from (
  select s.connection, s.span, s.period, s.lead_days,
    row_number() over (partition by s.connection, s.span, s.period order by s.lead_days, s.reservation_code) as place,
    count(*) over (partition by s.connection, s.span, s.period) as bookings
  from (${spans(
    'b.check_in_date',
    (span) => `
    select b.connection, ${span}, b.reservation_code, b.lead_days from (
      select connection, reservation_code, min(check_in_date) as check_in_date, min(lead_days) as lead_days
      from stay_figures where status = 'accepted' and kind = 'paid' and lead_days is not null
      ${groupedBy(2)}
    ) b`,
  )}) s
) r
group by r.connection, r.span, r.period, r.bookings`;

/** Nights sold and what they bring, by channel; by the date of the night. */
export function channelMix(byProperty: boolean): string {
  const id = byProperty ? ', n.property_id' : '';
  const place = byProperty ? `c.property_id, ${propertyName('p', 'c.property_id')} as property, ` : '';
  const share = `partition by c.connection, c.span, c.period${byProperty ? ', c.property_id' : ''}`;
  return `
select c.connection, c.span, c.period, ${place}c.channel_type, c.channel, c.currency, c.stays, c.nights,
  ${percent('c.nights', `cast(sum(c.nights) over (${share}) as bigint)`)} as nights_pct,
  c.gross as gross_minor, c.commission as commission_minor, ${percent('c.commission', 'c.gross')} as commission_pct,
  c.gross - c.commission as net_minor, ${per('c.gross', 'c.nights')} as adr_with_fees_minor,
  ${per('(c.gross - c.commission)', 'c.nights')} as net_adr_minor
from (${spans(
    'n.night',
    (span) => `
  select n.connection, ${span}${id}, f.channel_type, f.channel, n.currency,
    count(distinct n.stay_code) as stays, count(*) as nights, ${sum('n.rate_minor')} as gross,
    ${sum(ofNight('f.commission_minor', 'n.night_number', 'n.nights'))} as commission
  from stay_nights n join stay_figures f on f.connection = n.connection and f.stay_code = n.stay_code
  where n.status = 'accepted' and n.kind = 'paid'
  ${groupedBy(byProperty ? 7 : 6)}`,
  )}) c
${byProperty ? joinProperty('c') : ''}`;
}

/**
 * Bookings cancelled, by the month in which they were booked. A booking counts as cancelled when all its rooms are;
 * nights and revenue lost are those of each cancelled room.
 */
export function cancellations(byProperty: boolean): string {
  const id = byProperty ? ', b.property_id' : '';
  const place = byProperty ? `c.property_id, ${propertyName('p', 'c.property_id')} as property, ` : '';
  return `
select c.connection, c.span, c.period, ${place}c.currency, c.bookings, c.cancelled_bookings,
  ${percent('c.cancelled_bookings', 'c.bookings')} as cancelled_pct,
  c.nights, c.lost_nights, ${percent('c.lost_nights', 'c.nights')} as lost_nights_pct,
  c.revenue as revenue_minor, c.lost as lost_minor, ${percent('c.lost', 'c.revenue')} as lost_pct,
  c.kept as kept_minor
from (${spans(
    'b.booked_date',
    (span) => `
  select b.connection, ${span}${id}, b.currency, count(*) as bookings,
    ${sum('case when b.held = 0 then 1 else 0 end')} as cancelled_bookings,
    ${sum('b.nights')} as nights, ${sum('b.lost_nights')} as lost_nights,
    ${sum('b.revenue')} as revenue, ${sum('b.lost')} as lost,
    ${sum('case when b.held = 0 then b.received else 0 end')} as kept
  from (
    select connection, reservation_code, currency${byProperty ? ', property_id' : ''}, min(booked_date) as booked_date,
      ${sum(`case when status = 'accepted' then 1 else 0 end`)} as held,
      ${sum('nights')} as nights, ${sumOf('nights', `status = 'cancelled'`)} as lost_nights,
      ${sum('rate_minor')} as revenue, ${sumOf('rate_minor', `status = 'cancelled'`)} as lost,
      max(case when payment_currency = currency then received_minor end) as received
    from stay_figures
    where status in ('accepted', 'cancelled') and kind <> 'owner' and booked_date is not null
    ${groupedBy(byProperty ? 4 : 3)}
  ) b
  ${groupedBy(byProperty ? 5 : 4)}`,
  )}) c
${byProperty ? joinProperty('c') : ''}`;
}
