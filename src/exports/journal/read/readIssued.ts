import type { Ask } from '../ask.ts';
import type { IssuedEntry } from '../book.ts';
import type { JournalEntry } from '../entry.ts';

/** An entry that was sealed or delivered. */
export interface IssuedRow {
  group_code: string | null;
  group_number: number | null;
  base: string;
  suffix: string;
  seal: string | null;
  handed: number;
  body: string;
}

const ISSUED_COLUMNS = `
select e.group_code, e.group_number, e.base, e.suffix, e.body, e.seal,
  case when r.run_id is null then 0 else 1 end as handed
from export_entries e
  left join export_deliveries d on d.connection = e.connection and d.job = $4 and d.entry_id = e.entry_id
  left join export_runs r on r.connection = d.connection and r.run_id = d.run_id
    and r.state in ('prepared', 'delivered', 'acknowledged', 'unknown')`;

// Ordered by group first: ordered by ids alone, SQLite reads every sealed entry for each page.

/** Selects the issued entries of reservations between two codes. */
export const ISSUED = `${ISSUED_COLUMNS}
where e.connection = $1 and e.group_code >= $2 and e.group_code <= $3 order by e.group_code, e.entry_id`;

/** Selects the issued entries of ledger entries without a reservation, between two ids. */
export const LOOSE_ISSUED = `${ISSUED_COLUMNS}
where e.connection = $1 and e.group_number >= cast($2 as bigint) and e.group_number <= cast($3 as bigint)
order by e.group_number, e.entry_id`;

/** Returns the seals of the locked months. */
export async function lockedSeals(ask: Ask, connection: string): Promise<ReadonlySet<string>> {
  const rows = await ask<{ seal: string }>(
    `select seal from export_periods where connection = $1 and state = 'locked' and seal is not null`,
    [connection],
  );
  return new Set(rows.map(({ seal }) => seal));
}

/**
 * Returns the reader of issued rows.
 * @param locked seals of locked months; any other seal comes from a closing that was cut off or undone
 */
export function issuedOf(locked: ReadonlySet<string>): (row: IssuedRow) => IssuedEntry {
  return ({ base, suffix, seal, handed, body }) => ({
    base,
    suffix,
    isLocked: seal !== null && locked.has(seal),
    isDelivered: handed === 1,
    entry: JSON.parse(body) as JournalEntry,
  });
}
