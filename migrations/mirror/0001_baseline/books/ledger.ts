import { groupedBy, joinProperty, spans, sum, sumOf } from '../reports/expressions.ts';
import { joinAccount, placeName } from './expressions.ts';

/** Income and costs of the operator's own, by account. */
export function profitAndLoss(byProperty: boolean): string {
  const id = byProperty ? ', p.property_id' : '';
  const place = byProperty ? `c.property_id, ${placeName('p', 'c.property_id')} as property, ` : '';
  return `
select c.connection, c.span, c.period, ${place}c.section, c.account, c.title, c.currency,
  c.income as income_minor, c.expense as expense_minor, c.income - c.expense as net_minor
from (${spans(
    'p.date',
    (span) => `
  select p.connection, ${span}${id}, a.type as section, p.account, a.title, p.currency,
    ${sumOf('-p.amount_minor', `a.type = 'income'`)} as income, ${sumOf('p.amount_minor', `a.type = 'expense'`)} as expense
  from book_postings p ${joinAccount('p')}
  where a.type in ('income', 'expense')
  ${groupedBy(byProperty ? 8 : 7)}`,
  )}) c
${byProperty ? joinProperty('c') : ''}
where c.income <> 0 or c.expense <> 0`;
}

const none = 'cast(0 as bigint)';

/** Nights, guests and occupancy tax, apart by who pays it; and what the books say of it. */
export function tax(byProperty: boolean): string {
  const own = (alias: string) => (byProperty ? `, ${alias}.property_id` : '');
  const place = byProperty ? `x.property_id, ${placeName('p', 'x.property_id')} as property, ` : '';
  const columns = ['arrivals', 'nights', 'guest_nights', 'base', 'tax', 'booked', 'settled'];
  const keys = byProperty ? 7 : 6;
  return `
select x.connection, x.span, x.period, ${place}x.authority, x.paid_by, x.currency, x.arrivals, x.nights, x.guest_nights,
  x.base as base_minor, x.tax as tax_minor, x.booked as booked_minor, x.settled as settled_minor
from (
  select u.connection, u.span, u.period${own('u')}, u.authority, u.paid_by, u.currency,
    ${columns.map((name) => `${sum(`u.${name}`)} as ${name}`).join(', ')}
  from (${spans(
    'n.night',
    (span) => `
    select n.connection, ${span}${own('n')}, coalesce(b.tax_authority, '(not said)') as authority,
      case when k.occupancy_tax = 'collected' then 'operator' else 'channel' end as paid_by, n.currency,
      ${sum('case when n.night_number = 1 then f.number_of_guests else 0 end')} as arrivals, count(*) as nights,
      ${sum('f.number_of_guests')} as guest_nights, ${sum('n.rate_minor')} as base, ${sum('n.tax_minor')} as tax,
      ${none} as booked, ${none} as settled
    from stay_nights n join stay_figures f on f.connection = n.connection and f.stay_code = n.stay_code
    left join book_channels k on k.connection = f.connection and k.channel_type = f.channel_type and k.channel = f.channel
    left join book_properties b on b.connection = n.connection and b.property_id = n.property_id
    where n.status = 'accepted' and n.kind = 'paid'
    ${groupedBy(keys)}`,
  )}
  union all
  ${spans(
    'p.date',
    (span) => `
    select p.connection, ${span}${own('p')}, coalesce(b.tax_authority, '(not said)') as authority,
      'operator' as paid_by, p.currency, ${none} as arrivals, ${none} as nights, ${none} as guest_nights,
      ${none} as base, ${none} as tax, ${sumOf('-p.amount_minor', `p.class <> 'tax_paid'`)} as booked,
      ${sumOf('p.amount_minor', `p.class = 'tax_paid'`)} as settled
    from book_accounts a join book_postings p on p.connection = a.connection and p.account = a.account
    left join book_properties b on b.connection = p.connection and b.property_id = p.property_id
    where a.role = 'occupancy_tax'
    ${groupedBy(keys)}`,
  )}) u
  ${groupedBy(keys)}
) x
${byProperty ? joinProperty('x') : ''}`;
}
