import type { Kysely } from 'kysely';
import { nightSpans } from './0008_reports_of_days.ts';
import { placeName } from './0001_baseline/books/expressions.ts';
import { groupedBy, joinProperty, spans, sum, sumOf } from './0001_baseline/reports/expressions.ts';
import { replaceViews } from './replaceViews.ts';

// Why: asked for one month, the report of occupancy tax added up the nights of all months and threw the others away. A
// condition on the period goes through one aggregate only, so nights and postings are added up apart, and a window puts
// them together.

export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceViews(db, views);
}

const NOTHING = 'cast(0 as bigint)';
const NIGHTS = ['arrivals', 'nights', 'guest_nights', 'base', 'tax'] as const;
const POSTED = ['booked', 'settled'] as const;
const without = (columns: readonly string[]) => columns.map((column) => `${NOTHING} as ${column}`).join(', ');

/** Nights, guests and occupancy tax, apart by who pays it; and what the books say of it. */
function tax(byProperty: boolean): string {
  const own = (alias: string) => (byProperty ? `, ${alias}.property_id` : '');
  const place = byProperty ? `x.property_id, ${placeName('p', 'x.property_id')} as property, ` : '';
  const keys = byProperty ? 7 : 6;
  const group = `over (partition by u.connection, u.span, u.period${own('u')}, u.authority, u.paid_by, u.currency)`;
  const authority = `coalesce(b.tax_authority, '(not said)') as authority`;
  const authorityOf = (alias: string) =>
    `left join book_properties b on b.connection = ${alias}.connection and b.property_id = ${alias}.property_id`;
  return `
select x.connection, x.span, x.period, ${place}x.authority, x.paid_by, x.currency, x.arrivals, x.nights, x.guest_nights,
  x.base as base_minor, x.tax as tax_minor, x.booked as booked_minor, x.settled as settled_minor
from (
  select u.connection, u.span, u.period${own('u')}, u.authority, u.paid_by, u.currency,
    ${[...NIGHTS, ...POSTED].map((name) => `cast(sum(u.${name}) ${group} as bigint) as ${name}`).join(', ')},
    row_number() ${group} as place
  from (${nightSpans(
    (span, from, where) => `
    select n.connection, ${span}${own('n')}, ${authority},
      case when k.occupancy_tax = 'collected' then 'operator' else 'channel' end as paid_by, n.currency,
      ${sum('case when n.night_number = 1 then f.number_of_guests else 0 end')} as arrivals, count(*) as nights,
      ${sum('f.number_of_guests')} as guest_nights, ${sum('n.rate_minor')} as base, ${sum('n.tax_minor')} as tax,
      ${without(POSTED)}
    from ${from}stay_nights n cross join stay_figures f
    left join book_channels k on k.connection = f.connection and k.channel_type = f.channel_type and k.channel = f.channel
    ${authorityOf('n')}
    where ${where}coalesce(n.status, '') = 'accepted' and coalesce(n.kind, '') = 'paid'
      and f.connection = n.connection and f.stay_code = n.stay_code
    ${groupedBy(keys)}`,
  )}
  union all
  ${spans(
    'p.date',
    (span) => `
    select p.connection, ${span}${own('p')}, ${authority}, 'operator' as paid_by, p.currency, ${without(NIGHTS)},
      ${sumOf('-p.amount_minor', `p.class <> 'tax_paid'`)} as booked,
      ${sumOf('p.amount_minor', `p.class = 'tax_paid'`)} as settled
    from book_accounts a join book_postings p on p.connection = a.connection and p.account = a.account
    ${authorityOf('p')}
    where a.role = 'occupancy_tax'
    ${groupedBy(keys)}`,
  )}) u
) x
${byProperty ? joinProperty('x') : ''}
where x.place = 1`;
}

const views: readonly (readonly [name: string, text: string])[] = [
  ['v1_tax', tax(false)],
  ['v1_tax_by_property', tax(true)],
];
