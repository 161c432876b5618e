import type { PlainDate } from '../../kernel/dates.ts';
import { listed } from '../../store/queries/listed.ts';
import type { Ask } from '../journal/ask.ts';
import type { Exception } from '../journal/draft.ts';
import type { SourceState } from '../journal/entry.ts';
import { MOST_EXCEPTIONS, type NotedReason, type Tally } from '../run/tally.ts';

/**
 * Adds the stored outcomes and exceptions up to a day to a tally.
 * @param without keys of groups to leave out
 */
export async function addKept(
  tally: Tally,
  ask: Ask,
  connection: string,
  { until, without }: { until: PlainDate; without: readonly string[] },
): Promise<void> {
  const values = [connection, until, ...without];
  const counts = await ask<CountRow>(listed(COUNTS, without, 3), values);
  for (const { state, reason, count, first_date, code, number } of counts) {
    const group = code ?? `t${number}`;
    const noted: NotedReason[] = [];
    if (reason !== '') {
      const [row] = await ask<{ source: string }>(EXAMPLE, [connection, until, group, state, reason]);
      noted.push({ group, state, reason, count: Number(count), example: row?.source ?? '', firstDate: first_date });
    }
    tally.addCounted(state, Number(count), noted);
  }
  const [all] = await ask<{ count: number }>(listed(HOW_MANY, without, 3), values);
  const first = await ask<Exception & { group_key: string }>(listed(FIRST, without, 4), [
    connection,
    until,
    String(MOST_EXCEPTIONS),
    ...without,
  ]);
  tally.addExceptions(
    first.map(({ group_key: group, ...exception }) => ({ group, exception })),
    Number(all?.count ?? 0),
  );
}

interface CountRow {
  state: SourceState;
  reason: string;
  count: number;
  first_date: PlainDate | null;
  /** Key of the first reservation, or null if there is none. */
  code: string | null;
  /** The first ledger entry without a reservation. */
  number: number | null;
}

const COUNTS = `
select state, reason, count(*) as count, min(date) as first_date,
  min(case when group_key < 's' then group_key end) as code,
  min(case when group_key >= 's' then cast(substr(group_key, 2) as bigint) end) as number
from book_outcomes
where connection = $1 and (date is null or date <= $2 or state = 'pending') and group_key not in {list}
group by state, reason`;

const EXAMPLE = `
select source from book_outcomes
where connection = $1 and (date is null or date <= $2 or state = 'pending') and group_key = $3 and state = $4
  and reason = $5
order by number limit 1`;

// Exceptions of the books as a whole follow from the balances, and those of unsettled sources are outcomes.

const HOW_MANY = `
select count(*) as count from book_exceptions
where connection = $1 and (date is null or date <= $2) and group_key <> '' and kind not in ('unmapped', 'pending')
  and group_key not in {list}`;

const FIRST = `
select group_key, kind, about, problem, date from book_exceptions
where connection = $1 and (date is null or date <= $2) and group_key <> '' and kind not in ('unmapped', 'pending')
  and group_key not in {list}
order by case when group_key < 's' then 0 else length(group_key) end, group_key, number limit cast($3 as bigint)`;
