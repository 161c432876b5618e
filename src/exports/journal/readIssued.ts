import type { IssuedEntry } from './book.ts';
import type { JournalEntry } from './entry.ts';

/** An entry that was sealed or handed on. */
export interface IssuedRow {
  group_code: string | null;
  group_number: number | null;
  base: string;
  suffix: string;
  locked: number;
  handed: number;
  body: string;
}

const ISSUED_COLUMNS = `
select e.group_code, e.group_number, e.base, e.suffix, e.body, case when p.seal is null then 0 else 1 end as locked,
  case when r.run_id is null then 0 else 1 end as handed
from export_entries e
  left join export_periods p on p.connection = e.connection and p.seal = e.seal and p.state = 'locked'
  left join export_deliveries d on d.connection = e.connection and d.job = $4 and d.entry_id = e.entry_id
  left join export_runs r on r.connection = d.connection and r.run_id = d.run_id
    and r.state in ('prepared', 'delivered', 'acknowledged', 'unknown')`;

/** Of bookings between two codes. */
export const ISSUED = `${ISSUED_COLUMNS}
where e.connection = $1 and e.group_code > $2 and e.group_code <= $3 order by e.entry_id`;

/** Of ledger entries without a booking, between two ids. */
export const LOOSE_ISSUED = `${ISSUED_COLUMNS}
where e.connection = $1 and e.group_number > cast($2 as bigint) and e.group_number <= cast($3 as bigint)
order by e.entry_id`;

export function issuedOf({ base, suffix, locked, handed, body }: IssuedRow): IssuedEntry {
  return { base, suffix, isLocked: locked === 1, isHandedOn: handed === 1, entry: JSON.parse(body) as JournalEntry };
}
