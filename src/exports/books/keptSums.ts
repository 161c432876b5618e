import type { PlainDate } from '../../kernel/dates.ts';
import { listed } from '../../store/queries/listed.ts';
import type { Ask } from '../journal/ask.ts';
import type { AccountName } from '../journal/entry.ts';

/** Postings of one account in one currency. */
interface KeptSum {
  readonly account: AccountName;
  readonly currency: string;
  /** Debits less credits. Exact, because a long journal exceeds the safe integers of a number. */
  readonly amount: bigint;
  readonly postings: number;
}

/** A day after every other. */
export const END_OF_DAYS = '9999-12-01';

/**
 * Sums up the stored postings before a day, by account and currency.
 * @param without keys of groups to leave out
 */
export async function keptSums(
  ask: Ask,
  connection: string,
  { before, without }: { before: PlainDate; without: readonly string[] },
): Promise<KeptSum[]> {
  const month = before.slice(0, 7);
  const sums = new Sums();
  const add = (rows: readonly SumRow[], sign: 1 | -1) => {
    for (const { account, currency, amount, postings } of rows) {
      sums.add({ account, currency, amount: BigInt(sign) * BigInt(amount), postings: sign * Number(postings) });
    }
  };
  add(await ask<SumRow>(MONTHS, [connection, month]), 1);
  if (before > `${month}-01`) add(await ask<SumRow>(DAYS, [connection, `${month}-01`, before]), 1);
  if (without.length > 0) {
    add(await ask<SumRow>(listed(GROUPS, without, 3), [connection, before, ...without]), -1);
  }
  return sums.all();
}

/** Adds up postings by account and currency. */
export class Sums {
  readonly #sums = new Map<string, KeptSum>();

  add({ account, currency, amount, postings }: KeptSum): void {
    const key = `${account} ${currency}`;
    const known = this.#sums.get(key);
    const sum = { amount: (known?.amount ?? 0n) + amount, postings: (known?.postings ?? 0) + postings };
    this.#sums.set(key, { account, currency, ...sum });
  }

  all(): KeptSum[] {
    return [...this.#sums.values()];
  }
}

/** Counts the stored entries of groups. */
export async function countEntries(ask: Ask, connection: string, groups: readonly string[]): Promise<number> {
  if (groups.length === 0) return 0;
  const [row] = await ask<{ count: number }>(listed(COUNT, groups, 2), [connection, ...groups]);
  return Number(row?.count ?? 0);
}

const COUNT = 'select count(*) as count from book_entries where connection = $1 and group_key in {list}';

interface SumRow {
  account: string;
  currency: string;
  amount: string;
  postings: number;
}

const MONTHS = `
select account, currency, cast(sum(amount_minor) as text) as amount, sum(postings) as postings
from book_balances where connection = $1 and period < $2 group by account, currency`;

// SQLite keeps the order of a cross join: the entries of the days first, then their postings.
const DAYS = `
select p.account, p.currency, cast(sum(p.amount_minor) as text) as amount, count(*) as postings
from book_entries e cross join book_postings p
where e.connection = $1 and e.date >= $2 and e.date < $3 and p.connection = e.connection and p.entry_id = e.entry_id
group by p.account, p.currency`;

const GROUPS = `
select account, currency, cast(sum(amount_minor) as text) as amount, count(*) as postings
from book_postings where connection = $1 and date < $2 and group_key in {list} group by account, currency`;
