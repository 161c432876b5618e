import type { PlainDate } from '../../kernel/dates.ts';
import { listed } from '../../store/queries/listed.ts';
import type { Ask } from '../journal/ask.ts';
import type { Policy } from '../journal/policy.ts';
import { byGroupOrder } from '../journal/groupOrder.ts';
import { basisFrom, basisOf, headOf, keptBooks } from './basis.ts';

/** Most changes of the feed, and most groups, that are looked at one by one. With more it is faster to book all. */
const MOST_CHANGES = 20_000;
const MOST_GROUPS = 2_000;

/**
 * Returns the groups whose stored rows may not be what the facts give now: those of changed reservations and ledger
 * entries, those whose day has come, and those of payouts and deposits if something changed in these.
 * @returns undefined if everything must be booked again
 */
export async function staleGroups(ask: Ask, connection: string, now: Now): Promise<string[] | undefined> {
  const books = await keptBooks(ask, connection);
  const former = books && basisFrom(books.basis);
  if (!former || now.today < books.through) return undefined;
  const basis = await basisOf(ask, connection, now);
  const changed = former.whole === basis.whole ? await changedGroups(ask, connection, books.seq) : undefined;
  if (!changed) return undefined;
  const due = await keysOf(ask, DUE, [connection, now.today, String(MOST_GROUPS + 1)]);
  const paid = former.payouts === basis.payouts ? [] : await keysOf(ask, PAYOUTS, [connection]);
  const deposits = former.bounds === basis.bounds ? [] : await keysOf(ask, DEPOSITS, [connection]);
  const groups = new Set([...changed, ...due, ...paid, ...deposits]);
  return groups.size > MOST_GROUPS ? undefined : [...groups].toSorted(byGroupOrder);
}

/** The surroundings in which the books are made now. */
interface Now {
  readonly policy: Policy;
  readonly zone: string;
  /** The operator's date. */
  readonly today: PlainDate;
}

const DUE = `
select group_key from book_groups where connection = $1 and due_on <= $2 limit cast($3 as bigint)`;

const PAYOUTS = `
select 'r' || group_code as group_key from payouts where connection = $1
union select group_key from book_groups where connection = $1 and group_key like 'rpayout:%'`;

const DEPOSITS = 'select distinct group_key from book_deposits where connection = $1';

async function keysOf(ask: Ask, text: string, values: readonly string[]): Promise<string[]> {
  return (await ask<{ group_key: string }>(text, values)).map((row) => row.group_key);
}

interface ChangeRow {
  resource: 'reservation' | 'transaction';
  key: string;
  moved: number;
}

/** Returns the groups of later changes, or undefined if there are too many or some are no longer in the feed. */
async function changedGroups(ask: Ask, connection: string, seq: number): Promise<string[] | undefined> {
  const head = await headOf(ask, connection);
  if (head === seq) return [];
  if (head < seq || head - seq > MOST_CHANGES) return undefined;
  const since = [connection, String(seq)];
  const [count] = await ask<{ changes: number }>(COUNT, since);
  if (Number(count?.changes) !== head - seq) return undefined;
  const rows = await ask<ChangeRow>(CHANGED, since);
  const reservations = rows.filter(({ resource }) => resource === 'reservation').map(({ key }) => `r${key}`);
  const entries = rows.filter(({ resource }) => resource === 'transaction');
  if (reservations.length + entries.length > MOST_GROUPS) return undefined;
  const ids = entries.map(({ key }) => key);
  const moved = entries.filter((row) => Number(row.moved) === 1).map(({ key }) => key);
  return [
    ...reservations,
    ...(await presentGroups(ask, connection, ids)),
    ...(await formerGroups(ask, connection, moved)),
  ];
}

const COUNT = 'select count(*) as changes from changes where connection = $1 and seq > cast($2 as bigint)';

/** Only a difference without the reservation proves that an entry has stayed where it was. */
const CHANGED = `
select resource, key,
  max(case when op = 'updated' and diff not like '%code%' then 0 else 1 end) as moved
from changes
where connection = $1 and seq > cast($2 as bigint) and resource in ('reservation', 'transaction')
group by resource, key`;

/** Returns the groups to which ledger entries belong now. */
async function presentGroups(ask: Ask, connection: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await keysOf(ask, listed(PRESENT, ids, 2), [connection, ...ids]);
  return [...ids.map((id) => `t${id}`), ...rows];
}

const PRESENT = `
select distinct 'r' || reservation_code as group_key from transactions
where connection = $1 and reservation_code is not null and id in {list}`;

/** Returns the groups with which ledger entries were booked or issued. */
async function formerGroups(ask: Ask, connection: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const sources = ids.map((id) => `transaction/${id}`);
  const bases = ids.map((id) => `t${id}`);
  return [
    ...(await keysOf(ask, listed(BOOKED, sources, 2), [connection, ...sources])),
    ...(await keysOf(ask, listed(ISSUED, bases, 2), [connection, ...bases])),
  ];
}

const BOOKED = 'select group_key from book_outcomes where connection = $1 and source in {list}';
const ISSUED = `
select distinct coalesce('r' || group_code, 't' || group_number) as group_key from export_entries
where connection = $1 and base in {list}`;
