import { joinAccount, monthsFrom } from '../../../mirror/0001_baseline/books/expressions.ts';
import { groupedBy, sum, sumOf } from '../../../mirror/0001_baseline/reports/expressions.ts';

const SPANS = [
  ['month', 'g.month'],
  ['year', 'substr(g.month, 1, 4)'],
  ['all', `'all'`],
] as const;

/** Opening balance, movements and closing balance of each account, from its first movement on. */
export const trialBalance = `
with sums as (
  select p.connection, p.account, p.currency, substr(p.date, 1, 7) as month,
    ${sumOf('p.amount_minor', 'p.amount_minor > 0')} as debit, ${sumOf('-p.amount_minor', 'p.amount_minor < 0')} as credit
  from book_postings p ${groupedBy(4)}
),
grid as (
  select s.connection, s.account, s.currency, d.month from (
    select connection, account, currency, min(month) as month from sums ${groupedBy(3)}
  ) ${monthsFrom('s')}
),
moved as (
  select g.connection, g.account, g.currency, g.month, coalesce(s.debit, 0) as debit, coalesce(s.credit, 0) as credit
  from grid g left join sums s on s.connection = g.connection and s.account = g.account
    and s.currency = g.currency and s.month = g.month
),
periods as (${SPANS.map(
  ([span, period]) => `
  select g.connection, '${span}' as span, ${period} as period, g.account, g.currency, ${sum('g.debit')} as debit,
    ${sum('g.credit')} as credit from moved g ${groupedBy(5)}`,
).join('\n  union all')}
)
select t.connection, t.span, t.period, t.account, a.title, a.code, t.currency,
  t.closing - t.debit + t.credit as opening_minor, t.debit as debit_minor, t.credit as credit_minor,
  t.closing as closing_minor
from (
  select q.*, cast(sum(q.debit - q.credit) over (
    partition by q.connection, q.span, q.account, q.currency order by q.period
  ) as bigint) as closing
  from periods q
) t
${joinAccount('t')}`;
