import type { Kysely } from 'kysely';
import {
  countOf,
  groupedBy,
  joinProperty,
  per,
  percent,
  propertyName,
  sum,
  sumOf,
} from './0001_baseline/reports/expressions.ts';
import { replaceViews } from './replaceViews.ts';

// Why: asked for one month, occupancy counted the nights of all months. SQLite takes a condition on the period through
// one aggregate into the days of tables, but not through a second, nor into what is used twice; so each count is one
// aggregate over days, and windows put them together.

export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceViews(db, views);
}

const SOLD = `n.status = 'accepted' and n.kind = 'paid'`;
/** A night that is taken, by an expression: by the column itself SQLite would make an index of all nights. */
const taken = (night: string) => `coalesce(${night}.status, '') in ('accepted', 'wait_accept', 'wait_pay')`;
const COUNTS = ['calendar', 'sold', 'unpaid', 'owner', 'holds', 'blocks'] as const;
const AMOUNTS = ['currency_nights', 'rental', 'rate', 'tax'] as const;
type Values = Partial<Record<(typeof COUNTS)[number] | (typeof AMOUNTS)[number], string>>;

const SPANS = [
  ['month', 'substr(d.date, 1, 7)'],
  ['year', 'substr(d.date, 1, 4)'],
  ['all', `'all'`],
] as const;

/** The months of a connection, from that of the first night of any stay to that of the last one. */
const monthOf = (end: 'min' | 'max') =>
  `substr((select ${end}(n.night) from stay_nights n where n.connection = c.connection), 1, 7)`;
const OWN_MONTHS = `(select distinct connection from properties) c cross join dates d cross join properties p`;
const IN_OWN_MONTHS = `p.connection = c.connection and d.date >= ${monthOf('min')} || '-01' and d.date < ${monthOf('max')} || '-32'`;

/** A property that is gone, or never was there, has a calendar in months in which it had nights; the box has none. */
const FIRST_OF_GONE = `n.property_id <> 0
      and not exists (
        select 1 from properties p
        where p.connection = n.connection and p.id = n.property_id and p.deleted_at is null
      )
      and not exists (
        select 1 from stay_nights o
        where o.connection = n.connection and o.night >= substr(n.night, 1, 7) || '-01' and o.night <= n.night
          and o.property_id = n.property_id and ${taken('o')} and (o.night < n.night or o.stay_code < n.stay_code)
      )`;
const IS_TAKEN = `exists (
      select 1 from stay_nights n
      where n.connection = a.connection and n.night = a.date and n.property_id = a.property_id and ${taken('n')}
    )`;
const HAS_NIGHTS = `exists (
      select 1 from stay_nights n
      where n.connection = p.connection and n.night >= substr(d.date, 1, 7) || '-01'
        and n.night < substr(d.date, 1, 7) || '-32' and n.property_id = p.id and ${taken('n')}
    )`;

/** What is counted, of each span: the calendars of properties, their nights by currency, and their blocks. */
function countedOf(byProperty: boolean): string {
  const arm = (from: string, owner: string, id: string, { currency, ...values }: Values & { currency?: string }) =>
    SPANS.map(
      ([span, period]) =>
        `
  select ${owner}.connection, '${span}' as span, ${period} as period, ${byProperty ? `${id} as property_id` : '0 as property_id'},
    ${currency ?? 'cast(null as text)'} as currency, ${[...COUNTS, ...AMOUNTS].map((name) => `${values[name] ?? 'cast(0 as bigint)'} as ${name}`).join(', ')}
  from ${from}
  ${groupedBy(5)}`,
    );
  return [
    ...arm(
      `${OWN_MONTHS} where ${IN_OWN_MONTHS} and substr(d.date, 9, 2) = '01' and p.deleted_at is null`,
      'p',
      'p.id',
      {
        calendar: sum('d.month_days'),
      },
    ),
    ...arm(`dates d cross join stay_nights n where n.night = d.date and ${taken('n')}`, 'n', 'n.property_id', {
      currency: 'n.currency',
      calendar: sumOf('d.month_days', FIRST_OF_GONE),
      sold: countOf(SOLD),
      unpaid: countOf(`n.status = 'accepted' and n.kind = 'unpaid'`),
      owner: countOf(`n.status = 'accepted' and n.kind = 'owner'`),
      holds: countOf(`n.status in ('wait_accept', 'wait_pay')`),
      currency_nights: countOf(SOLD),
      rental: sumOf('n.rental_minor', SOLD),
      rate: sumOf('n.rate_minor', SOLD),
      tax: sumOf('n.tax_minor', SOLD),
    }),
    ...arm(
      `${OWN_MONTHS} cross join availability_days a
  where ${IN_OWN_MONTHS} and a.connection = p.connection and a.property_id = p.id and a.date = d.date and a.available = 0
    and (p.deleted_at is null or ${HAS_NIGHTS}) and not ${IS_TAKEN}`,
      'p',
      'p.id',
      { blocks: 'count(*)' },
    ),
  ].join('\nunion all');
}

/**
 * Occupancy, ADR and RevPAR. Nights and occupancies are of all currencies; a row stands for each currency in which
 * nights were sold, or one without currency.
 */
function occupancy(byProperty: boolean): string {
  const place = byProperty ? `t.property_id, ${propertyName('p', 't.property_id')} as property, ` : '';
  const unsaleable = 't.owner + t.holds + t.blocks';
  const saleable = `(t.calendar - (${unsaleable}))`;
  const keys = `partition by u.connection, u.span, u.period${byProperty ? ', u.property_id' : ''}`;
  const priced = (text: string) => `case when t.currency_nights > 0 then ${text} end`;
  return `
select t.connection, t.span, t.period, ${place}${priced('t.currency')} as currency,
  t.calendar as calendar_nights, t.sold as sold_nights, t.unpaid as unpaid_nights, t.owner as owner_nights,
  t.holds as hold_nights, t.blocks as block_nights,
  ${percent('t.sold', 't.calendar')} as occupancy_calendar_pct,
  ${percent('t.sold', saleable)} as occupancy_adjusted_pct,
  ${percent(`t.sold + t.unpaid + ${unsaleable}`, 't.calendar')} as occupancy_total_pct,
  ${priced('t.currency_nights')} as currency_nights, ${priced('t.rental')} as rental_minor,
  ${priced(per('t.rental', 't.currency_nights'))} as adr_minor,
  ${priced(per('t.rate', 't.currency_nights'))} as adr_with_fees_minor,
  ${priced(per('(t.rate + t.tax)', 't.currency_nights'))} as adr_with_taxes_minor,
  ${priced(per('t.rental', 't.calendar'))} as revpar_calendar_minor,
  ${priced(per('t.rental', saleable))} as revpar_adjusted_minor
from (
  select u.connection, u.span, u.period, u.property_id, u.currency, ${AMOUNTS.map((name) => `u.${name}`).join(', ')},
    ${COUNTS.map((name) => `cast(sum(u.${name}) over (${keys}) as bigint) as ${name}`).join(', ')},
    row_number() over (${keys} order by u.currency_nights desc, u.currency) as place
  from (${countedOf(byProperty)}
  ) u
) t
${byProperty ? joinProperty('t') : ''}
where t.currency_nights > 0 or (t.place = 1 and t.sold = 0)`;
}

const views: readonly (readonly [name: string, text: string])[] = [
  ['v1_occupancy', occupancy(false)],
  ['v1_occupancy_by_property', occupancy(true)],
];
