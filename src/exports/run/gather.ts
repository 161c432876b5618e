import { addDays, type PlainDate } from '../../kernel/dates.ts';
import { openSorter, type Sorter } from '../../store/queries/sorter.ts';
import { holdersOf } from '../books/accounts.ts';
import { type BookedEntry, type IssuedEntry, reversalOf } from '../journal/book.ts';
import type { Exception } from '../journal/draft.ts';
import type { Journal, JournalEntry, LockedMonth } from '../journal/entry.ts';
import { type AccountFacts, type Ask, countGroups, readAccount } from '../journal/read/readFacts.ts';
import { Funds } from '../journal/funds.ts';
import { Totals } from '../journal/totals.ts';
import { collect, type Collecting } from './collect.ts';
import type { Progress } from './order.ts';
import { type SoftDigest, SoftDigests } from './softDigests.ts';
import { type Reason, type StateCounts, Tally } from './tally.ts';
import type { Unconfirmed } from './unconfirmed.ts';

/** The extent of a journal. */
export interface Gathering extends Omit<Collecting, 'zone'> {
  readonly from: PlainDate;
  readonly to: PlainDate;
  readonly watermark: string | null;
  readonly locked: readonly LockedMonth[];
  /** Months that are soft-closed. */
  readonly softPeriods: readonly string[];
  onProgress(state: Progress): void;
}

/** A gathered journal with its report. Callers must close it. */
export interface Gathered {
  readonly journal: Journal;
  readonly states: StateCounts;
  readonly reasons: readonly Reason[];
  readonly exceptions: readonly Exception[];
  readonly exceptionCount: number;
  readonly control: ReturnType<Totals['control']>;
  /** The digest of each soft-closed month as it is now. */
  readonly soft: readonly SoftDigest[];
  readonly unconfirmed: Unconfirmed;
  /** Yields the entries with base, suffix and group, for the tables that remember them. */
  booked(): AsyncIterable<BookedEntry & { group: string }>;
  close(): void;
}

const PROGRESS_EVERY = 1_000;

/** Books everything up to a day, and stores the entries of the wanted days, sorted, outside of memory. */
export async function gather(ask: Ask, asked: Gathering): Promise<Gathered> {
  const account = await readAccount(ask, asked.connection);
  const total = await countGroups(ask, asked.connection);
  const sorter = openSorter();
  try {
    const totals = new Totals();
    const tally = new Tally();
    const soft = new SoftDigests(asked.softPeriods);
    const until = asked.to < asked.today ? asked.to : asked.today;
    const funds = new Funds(holdersOf(asked.policy));
    let groups = 0;
    for await (const { group, entries, canonical, outcomes, exceptions } of collect(ask, {
      ...asked,
      zone: account.zone,
    })) {
      tally.add(group.key, outcomes, exceptions, until);
      soft.add(canonical, until);
      funds.add(canonical, until);
      for (const booked of wanted(asked, entries, group.issued)) {
        const { entry } = booked;
        if (entry.date > until) continue;
        totals.add(entry, asked.from);
        if (entry.date >= asked.from) sort(sorter, booked, group.key);
      }
      groups += 1;
      if (groups % PROGRESS_EVERY === 0) asked.onProgress({ groups, total, entries: totals.entries });
    }
    tally.add('', [], funds.exceptions(until), until);
    return {
      ...gathered(asked, { account, sorter, totals, tally }),
      soft: soft.result(),
      unconfirmed: asked.unconfirmed.result(),
    };
  } catch (error) {
    sorter.close();
    throw error;
  }
}

/**
 * Returns the entries of a job that delivers only new ones: those that it has not delivered, and reversals of those
 * that it should not have delivered.
 */
function wanted(
  { incremental, connection, lockedThrough }: Gathering,
  entries: readonly BookedEntry[],
  issued: readonly IssuedEntry[],
): BookedEntry[] {
  if (incremental === undefined) return [...entries];
  const delivered = new Set(issued.flatMap((one) => (one.isDelivered ? [one.entry.id] : [])));
  const present = new Set(entries.map(({ entry }) => entry.id));
  const fresh = entries.filter(({ entry }) => !delivered.has(entry.id));
  const stale = issued.filter(
    ({ entry }) =>
      delivered.has(entry.id) &&
      !present.has(entry.id) &&
      entry.kind !== 'reversal' &&
      !delivered.has(`${entry.id}-rev`),
  );
  const state = { connection, lockedThrough, firstOpenDay: lockedThrough && addDays(lockedThrough, 1) };
  return [...fresh, ...stale.map((one) => reversalOf(state, one))];
}

/** Adds an entry to a sorter of entries. */
export function sort(sorter: Sorter, { entry, base, suffix }: BookedEntry, group: string): void {
  sorter.add(`${entry.date} ${entry.id}`, JSON.stringify({ entry, base, suffix, group }));
}

type Grouped = BookedEntry & { group: string };

/** Returns what was gathered in the form of a journal with its report. */
export function gathered(
  { connection, from, to, policy, incremental, watermark, locked }: Gathering,
  parts: { account: AccountFacts; sorter: Sorter; totals: Totals; tally: Tally },
): Omit<Gathered, 'soft' | 'unconfirmed'> {
  const { account, sorter, totals, tally } = parts;
  const balances = totals.balances();
  const used = balances.filter(({ debit, credit, opening }) => debit !== 0n || credit !== 0n || opening !== 0n);
  const names = [...new Set(used.map((one) => one.account))];
  async function* booked(): AsyncGenerator<Grouped> {
    for await (const text of sorter.sorted()) yield JSON.parse(text) as Grouped;
  }
  const journal: Journal = {
    facts: {
      connection,
      from,
      to,
      mode: incremental === undefined ? 'full' : 'incremental',
      zone: account.zone,
      currency: account.currency,
      entries: totals.entries,
      policyHash: policy.hash,
      watermark,
      locked,
      rates: policy.settings.rates,
    },
    accounts: names.map((name) => policy.account(name)),
    currencies: [...new Set(used.map((one) => one.currency))].toSorted(),
    properties: totals.properties.map((id) => policy.property(id, account.properties.get(id) ?? `property ${id}`)),
    balances: used,
    async *entries(): AsyncGenerator<JournalEntry> {
      for await (const { entry } of booked()) yield entry;
    },
  };
  return { journal, ...tally.result(), control: totals.control(), booked, close: () => sorter.close() };
}
