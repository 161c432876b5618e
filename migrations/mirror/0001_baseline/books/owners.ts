import { groupedBy, joinProperty, sum, sumOf } from '../reports/expressions.ts';
import { joinAccount, monthsFrom, placeName } from './expressions.ts';

/** What a line of an owner's account is; what is earned is shown before the fee that is taken of it. */
const EARNED = `case when p.class = 'occupancy_tax' then 'tax' else 'revenue' end`;
const OWN = `case
      when p.memo = 'kept by the channel' then 'channel_fee'
      when p.class in ('commission', 'payment_fee') and p.source_kind = 'transaction' then 'channel_fee'
      when p.class = 'owner_payout' then 'payout'
      when p.class in ('owner_expense', 'opex', 'transfer', 'unmapped', 'ignore', 'tax_paid') then 'expense'
      else ${EARNED}
    end`;

/** Each line: what it is, and how much more (below zero: less) is owed to the owner for it. */
const sections = `
  select p.connection, p.entry_id, p.owner, p.contract, p.property_id, p.currency, ${OWN} as section,
    -p.amount_minor as amount
  from book_postings p ${joinAccount('p')} where a.role = 'owner' and p.owner is not null
  union all
  select p.connection, p.entry_id, p.owner, p.contract, p.property_id, p.currency, ${EARNED} as section,
    -p.amount_minor as amount
  from book_postings p ${joinAccount('p')} where a.role = 'management' and p.owner is not null
  union all
  select p.connection, p.entry_id, p.owner, p.contract, p.property_id, p.currency, 'management_fee' as section,
    p.amount_minor as amount
  from book_postings p ${joinAccount('p')} where a.role = 'management' and p.owner is not null`;

/** What has moved an owner's account: one row an entry, property and section. */
export const ownerLines = `
select l.connection, e.date, l.owner, l.contract, l.property_id, ${placeName('p', 'l.property_id')} as property,
  l.section, e.class, e.entry_id, e.kind, e.reservation_code, e.channel, r.check_in_date, r.check_out_date, r.status,
  e.description, l.currency, l.amount as amount_minor
from (
  select s.connection, s.entry_id, s.owner, coalesce(s.contract, '') as contract, s.property_id, s.currency, s.section,
    ${sum('s.amount')} as amount
  from (${sections}) s ${groupedBy(7)}
) l
join book_entries e on e.connection = l.connection and e.entry_id = l.entry_id
left join reservations r on r.connection = e.connection and r.reservation_code = e.reservation_code
  and r.deleted_at is null
${joinProperty('l')}
where l.amount <> 0`;

const SECTIONS = ['revenue', 'management_fee', 'channel_fee', 'tax', 'expense', 'payout'] as const;

/** An owner's account month by month, by contract and currency. */
export const ownerStatement = `
with moves as (
  select s.connection, s.owner, coalesce(s.contract, '') as contract, s.currency, substr(e.date, 1, 7) as month,
    ${SECTIONS.map((name) => `${sumOf('s.amount', `s.section = '${name}'`)} as ${name}`).join(',\n    ')},
    ${sum('s.amount')} as moved
  from (${sections}) s join book_entries e on e.connection = s.connection and e.entry_id = s.entry_id
  ${groupedBy(5)}
),
grid as (
  select s.connection, s.owner, s.contract, s.currency, d.month from (
    select connection, owner, contract, currency, min(month) as month from moves ${groupedBy(4)}
  ) ${monthsFrom('s')}
)
select t.connection, t.month, t.owner, n.name, t.contract, t.currency, t.closing - t.moved as opening_minor,
  ${SECTIONS.map((name) => `t.${name} as ${name}_minor`).join(', ')}, t.closing as closing_minor
from (
  select g.connection, g.month, g.owner, g.contract, g.currency,
    ${SECTIONS.map((name) => `coalesce(m.${name}, 0) as ${name}`).join(', ')}, coalesce(m.moved, 0) as moved,
    cast(sum(coalesce(m.moved, 0)) over (
      partition by g.connection, g.owner, g.contract, g.currency order by g.month
    ) as bigint) as closing
  from grid g left join moves m on m.connection = g.connection and m.owner = g.owner and m.contract = g.contract
    and m.currency = g.currency and m.month = g.month
) t
left join (select connection, owner, max(owner_name) as name from book_accounts where owner is not null ${groupedBy(2)}) n
  on n.connection = t.connection and n.owner = t.owner`;
