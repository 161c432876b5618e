import type { Ask } from '../ask.ts';
import type { JournalEntry } from '../entry.ts';
import { grouped } from '../grouped.ts';
import type { TransactionRow } from './transactionRow.ts';

/** Ledger entries that were issued with one group and belong to another now. */
interface Moved {
  /** Returns those that have left a group. */
  from(group: string): readonly TransactionRow[];
  /** Returns the highest revision, by base, that other groups have had of those that belong to a group now. */
  to(group: string): ReadonlyMap<string, number>;
}

/** Reads the ledger entries that have left a page of groups, or have come to it, after they were issued. */
export async function readMoved(
  ask: Ask,
  connection: string,
  { of, bounds }: { of: 'reservations' | 'ledger'; bounds: readonly [first: string, last: string] },
): Promise<Moved> {
  const values = [connection, ...bounds];
  const { left, come } = QUERIES[of];
  const leaving = await ask<TransactionRow & { own: string | number }>(left, values);
  const coming = await ask<{ own: string | number; base: string; body: string }>(come, values);
  const from = grouped(leaving, ({ own }) => String(own));
  const to = grouped(coming, ({ own }) => String(own));
  return {
    from: (group) => from.get(group) ?? [],
    to(group) {
      const highest = new Map<string, number>();
      for (const { base, body } of to.get(group) ?? []) {
        const { revision } = JSON.parse(body) as JournalEntry;
        highest.set(base, Math.max(revision, highest.get(base) ?? 0));
      }
      return highest;
    },
  };
}

// The words keep SQLite from going through all entries for each row: a cross join keeps the order of the tables, and
// coalesce keeps a column out of its index.
const QUERIES = {
  reservations: {
    left: `
select distinct e.group_code as own, t.id, t.reservation_code, t.property_id, t.direction, t.item_id, t.item_name,
  t.payment_method_id, t.payment_method_name, t.amount_minor, t.currency, t.action_date, t.deleted_at
from export_entries e join transactions t on t.connection = e.connection
  and t.id = case when e.base like 't%' then cast(substr(e.base, 2) as bigint) end
where e.connection = $1 and e.group_code >= $2 and e.group_code <= $3
  and coalesce(t.reservation_code, '') <> e.group_code
order by t.id`,
    come: `
select t.reservation_code as own, e.base, e.body
from transactions t join export_entries e on e.connection = t.connection and e.base = 't' || t.id
where t.connection = $1 and t.reservation_code >= $2 and t.reservation_code <= $3
  and coalesce(e.group_code, '') <> t.reservation_code`,
  },
  ledger: {
    left: `
select distinct e.group_number as own, t.id, t.reservation_code, t.property_id, t.direction, t.item_id, t.item_name,
  t.payment_method_id, t.payment_method_name, t.amount_minor, t.currency, t.action_date, t.deleted_at
from export_entries e cross join transactions t
where t.connection = e.connection and t.id = e.group_number and e.connection = $1 and e.group_number >= cast($2 as bigint) and e.group_number <= cast($3 as bigint)
  and coalesce(t.reservation_code, '') <> ''
order by t.id`,
    come: `
select t.id as own, e.base, e.body
from transactions t join export_entries e on e.connection = t.connection and e.base = 't' || t.id
where t.connection = $1 and t.id >= cast($2 as bigint) and t.id <= cast($3 as bigint)
  and coalesce(t.reservation_code, '') = '' and coalesce(e.group_number, 0) = 0`,
  },
} as const;
