import { groupedBy, joinProperty, propertyName, sum } from './expressions.ts';

/**
 * Bookings not fully paid, or overpaid. Upstream asks for the price less the commission; of a channel that bills that later
 * the whole price comes in.
 */
export const balances = `
select b.connection, b.check_in_date, b.check_out_date, b.reservation_code, b.property_id,
  case when b.rooms > 1 and b.property_id is null then '(several)' else ${propertyName('p', 'b.property_id')} end as property,
  b.channel, b.rooms, b.booked_date, b.currency, b.total as total_minor, b.received as received_minor,
  case when b.total > b.received then b.total - b.received else 0 end as balance_minor,
  case when b.received > b.total then b.received - b.total else 0 end as over_received_minor
from (
  select g.connection, g.reservation_code, g.check_in_date, g.check_out_date, g.property_id, g.channel, g.rooms,
    g.booked_date, g.currency, g.received,
    g.total + case when k.commission = 'billed' then g.commission else 0 end as total
  from (
    select connection, reservation_code, min(check_in_date) as check_in_date, max(check_out_date) as check_out_date,
      case when min(property_id) = max(property_id) then min(property_id) end as property_id,
      min(channel_type) as channel_type, min(channel) as channel, count(*) as rooms, min(booked_date) as booked_date,
      max(payment_currency) as currency, max(payment_total_minor) as total, max(received_minor) as received,
      ${sum('case when currency = payment_currency then coalesce(commission_minor, 0) else 0 end')} as commission
    from stay_figures where status = 'accepted'
    ${groupedBy(2)}
  ) g
  left join book_channels k on k.connection = g.connection and k.channel_type = g.channel_type and k.channel = g.channel
) b
${joinProperty('b')}
where b.total <> b.received`;
