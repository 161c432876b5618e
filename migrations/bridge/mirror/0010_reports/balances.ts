import { groupedBy, joinProperty, propertyName } from '../../../mirror/0001_baseline/reports/expressions.ts';

/** Accepted bookings of which not all, or more than all, has been received, one row each. */
export const balances = `
select b.connection, b.check_in_date, b.check_out_date, b.reservation_code, b.property_id,
  case when b.rooms > 1 and b.property_id is null then '(several)' else ${propertyName('p', 'b.property_id')} end as property,
  b.channel, b.rooms, b.booked_date, b.currency, b.total as total_minor, b.received as received_minor,
  b.balance as balance_minor, case when b.received > b.total then b.received - b.total else 0 end as over_received_minor
from (
  select connection, reservation_code, min(check_in_date) as check_in_date, max(check_out_date) as check_out_date,
    case when min(property_id) = max(property_id) then min(property_id) end as property_id,
    min(channel) as channel, count(*) as rooms, min(booked_date) as booked_date,
    max(payment_currency) as currency, max(payment_total_minor) as total, max(received_minor) as received,
    max(balance_minor) as balance
  from stay_figures where status = 'accepted'
  ${groupedBy(2)}
) b
${joinProperty('b')}
where b.balance > 0 or b.received > b.total`;
