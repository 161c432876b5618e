import { groupedBy, joinProperty, ofNight, propertyName, spans, sum, sumOf } from './expressions.ts';

/** What guests pay for, by the date of the night: an item of a stay falls on its nights evenly. */
export function revenueByStayDate(byProperty: boolean): string {
  return revenue(
    byProperty,
    (span) => `
  select n.connection, ${span}${byProperty ? ', n.property_id' : ''}, i.item, n.currency,
    count(distinct n.stay_code) as stays, ${sum(ofNight('i.amount_minor', 'n.night_number', 'n.nights'))} as amount
  from stay_nights n join stay_items i on i.connection = n.connection and i.stay_code = n.stay_code
  where n.status = 'accepted' and n.kind = 'paid'
  ${groupedBy(byProperty ? 6 : 5)}`,
    'n.night',
  );
}

/** What guests pay for, by the date on which the stay was booked. */
export function revenueByBookedDate(byProperty: boolean): string {
  return revenue(
    byProperty,
    (span) => `
  select f.connection, ${span}${byProperty ? ', f.property_id' : ''}, i.item, f.currency,
    count(*) as stays, ${sum('i.amount_minor')} as amount
  from stay_figures f join stay_items i on i.connection = f.connection and i.stay_code = f.stay_code
  where f.status = 'accepted' and f.kind = 'paid' and f.nights > 0 and f.booked_date is not null
  ${groupedBy(byProperty ? 6 : 5)}`,
    'f.booked_date',
  );
}

function revenue(byProperty: boolean, arm: (span: string) => string, date: string): string {
  const place = byProperty ? `r.property_id, ${propertyName('p', 'r.property_id')} as property, ` : '';
  return `
select r.connection, r.span, r.period, ${place}r.item, r.currency, r.stays, r.amount as amount_minor
from (${spans(date, arm)}) r
${byProperty ? joinProperty('r') : ''}`;
}

/** Money that came in and went out, by the operator's date, method and currency. */
export function cashBook(byProperty: boolean): string {
  const id = byProperty ? ', t.property_id' : '';
  const isIn = `t.direction = 'income'`;
  const isOut = `t.direction = 'expense'`;
  const place = byProperty ? `c.property_id, ${propertyName('p', 'c.property_id')} as property, ` : '';
  return `
select c.connection, c.span, c.period, ${place}c.method, c.currency, c.receipts, c.received as received_minor,
  c.payments, c.paid as paid_minor, c.received - c.paid as net_minor
from (${spans(
    't.action_date',
    (span) => `
  select t.connection, ${span}${id}, t.payment_method_name as method, t.currency,
    ${sum(`case when ${isIn} then 1 else 0 end`)} as receipts, ${sumOf('t.amount_minor', isIn)} as received,
    ${sum(`case when ${isOut} then 1 else 0 end`)} as payments, ${sumOf('t.amount_minor', isOut)} as paid
  from transactions t
  where t.status = 'paid' and t.deleted_at is null and t.action_date is not null
  ${groupedBy(byProperty ? 6 : 5)}`,
  )}) c
${byProperty ? joinProperty('c') : ''}`;
}
