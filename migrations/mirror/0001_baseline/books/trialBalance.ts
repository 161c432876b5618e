import { groupedBy, sum, sumOf } from '../reports/expressions.ts';
import { joinAccount, monthsFrom } from './expressions.ts';

const SPANS = [
  ['month', 'g.month'],
  ['year', 'substr(g.month, 1, 4)'],
  ['all', `'all'`],
] as const;
const EARNED = `('income', 'expense')`;
const none = 'cast(0 as bigint)';

/**
 * Opening balance, movements and closing balance of each account, from its first movement on. Income and costs begin each
 * year with nothing; what those of the years before came to is one line.
 */
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
),
typed as (
  select q.*, a.type, a.title, a.code,
    case when a.type in ${EARNED} and q.span <> 'all' then substr(q.period, 1, 4) else '' end as in_year
  from periods q ${joinAccount('q')}
),
earned as (
  select connection, currency, period as year, ${sum('debit - credit')} as result
  from typed where span = 'year' and type in ${EARNED} ${groupedBy(3)}
),
earlier as (
  select q.connection, q.span, q.period, q.currency, ${sum('e.result')} as result
  from (select distinct connection, span, period, currency from typed where span <> 'all') q
  join earned e on e.connection = q.connection and e.currency = q.currency and e.year < substr(q.period, 1, 4)
  ${groupedBy(4)}
)
select t.connection, t.span, t.period, t.account, t.title, t.code, t.currency,
  t.closing - t.debit + t.credit as opening_minor, t.debit as debit_minor, t.credit as credit_minor,
  t.closing as closing_minor
from (
  select q.*, cast(sum(q.debit - q.credit) over (
    partition by q.connection, q.span, q.in_year, q.account, q.currency order by q.period
  ) as bigint) as closing
  from typed q
) t
union all
select r.connection, r.span, r.period, 'Equity:Earlier-Years', 'Results of earlier years', null, r.currency,
  r.result, ${none}, ${none}, r.result
from earlier r where r.result <> 0`;
