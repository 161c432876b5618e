import type { Sorter } from '../../store/queries/sorter.ts';
import type { Ask } from '../journal/ask.ts';
import { type GroupRows, isEmpty } from './groupRows.ts';

/** Number of groups that one query compares. */
const PAGE = 20;

/** The stored groups, for comparison with those booked now. Never holds all of them in memory. */
export class KeptGroups {
  /** Number of groups whose rows differ from the stored ones. */
  changed = 0;
  readonly #ask: Ask;
  readonly #connection: string;
  readonly #sorter: Sorter;
  #page: GroupRows[] = [];

  /** @param sorter receives the rows of changed groups */
  constructor(ask: Ask, connection: string, sorter: Sorter) {
    this.#ask = ask;
    this.#connection = connection;
    this.#sorter = sorter;
  }

  async compare(rows: GroupRows): Promise<void> {
    this.#page.push(rows);
    if (this.#page.length === PAGE) await this.#settle();
  }

  /** Compares what still waits. */
  async end(): Promise<void> {
    await this.#settle();
  }

  /** Returns stored groups of which nothing is known any more, which `readGroups` therefore does not yield. */
  async gone(): Promise<string[]> {
    const gone = await this.#ask<{ group_key: string }>(GONE, [this.#connection]);
    return gone.map(({ group_key }) => group_key);
  }

  async #settle(): Promise<void> {
    const page = this.#page;
    if (page.length === 0) return;
    this.#page = [];
    // No group has an empty key, so the unused places of a short page match nothing.
    const keys = Array.from({ length: PAGE }, (_, index) => page[index]?.group ?? '');
    const kept = await this.#ask<{ group_key: string; digest: string }>(DIGESTS, [this.#connection, ...keys]);
    const digests = new Map(kept.map(({ group_key, digest }) => [group_key, digest]));
    for (const rows of page) {
      const digest = digests.get(rows.group);
      if (digest === rows.digest || (digest === undefined && isEmpty(rows))) continue;
      this.changed += 1;
      this.#sorter.add(rows.group, JSON.stringify(rows));
    }
  }
}

/** Has {@link PAGE} places. */
const DIGESTS = `
select group_key, digest from book_groups where connection = $1 and group_key in (
  $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`;

const GONE = `
with kept as (
  select group_key,
    case when substr(group_key, 1, 1) = 'r' then substr(group_key, 2) end as code,
    case when substr(group_key, 1, 1) = 't' then cast(substr(group_key, 2) as bigint) end as number
  from book_groups where connection = $1)
select group_key from kept
where not exists (select 1 from reservations r where r.connection = $1 and r.reservation_code = kept.code)
  and not exists (select 1 from transactions t where t.connection = $1 and t.reservation_code = kept.code)
  and not exists (select 1 from export_entries e where e.connection = $1 and e.group_code = kept.code)
  and not exists (select 1 from payouts p where p.connection = $1 and p.group_code = kept.code)
  and not exists (select 1 from transactions alone
    where alone.connection = $1 and alone.id = kept.number and alone.reservation_code is null)
  and not exists (select 1 from export_entries e where e.connection = $1 and e.group_number = kept.number)
order by group_key`;
