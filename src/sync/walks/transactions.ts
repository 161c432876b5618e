import { TRANSACTION_DAYS } from '../../contract/transactions.ts';
import type { Clock } from '../../kernel/clock.ts';
import { addDays, addYears, dateIn, daysBetween, type PlainDate } from '../../kernel/dates.ts';
import { readTransactions, transactions } from '../mirror/transactions.ts';
import { type ListPage, PAGE_ROWS, walkList } from './list.ts';
import { type Asking, numbered, type Walk } from './walk.ts';

/** Windows are made as wide as this many rows need; one with more than twice as many is cut. */
const WINDOW_ROWS = 5_000;
/** One day less than v3 takes: its count includes both ends. */
const MOST_DAYS = TRANSACTION_DAYS - 1;
const YEARS_AHEAD = 3;

interface Window {
  from: PlainDate;
  to: PlainDate;
}

/** All entries by date, newest first, in windows that follow the density of the ledger. */
export const transactionsWalk: Walk = {
  resource: transactions.name,
  rows: transactions,
  cost: (rows) => Math.ceil(rows / (PAGE_ROWS - 1)) + 30,
  async *steps(asking) {
    let to = lastDate(asking.reading.zone, asking.clock);
    let days = MOST_DAYS;
    let total = 0;
    while (to >= asking.historyFrom) {
      const window = windowTo(to, days, asking.historyFrom);
      const first = await fetchPage(asking, window, 0);
      if (first.total > 2 * WINDOW_ROWS && days > 1) {
        days = daysFor(first.total, days);
        continue;
      }
      for await (const { page, number, fresh } of walkList(listOf(asking, window, first))) {
        yield { rows: fresh, visit: (visitor) => visitor.rows(transactions, page, number) };
      }
      total += first.total;
      // Wider by a factor of four at most: one empty stretch says little about the next.
      days = Math.min(daysFor(first.total, days), days * 4, MOST_DAYS);
      to = addDays(window.from, -1);
    }
    return { total };
  },
  async count({ client, purpose, signal, reading, clock, historyFrom }) {
    let total = 0;
    for (let to = lastDate(reading.zone, clock); to >= historyFrom;) {
      const { from } = windowTo(to, MOST_DAYS, historyFrom);
      const input = { start_date: from, end_date: to, limit: 1 };
      total += (await client.call('listTransactions', input, { purpose, signal })).data.total;
      to = addDays(from, -1);
    }
    return total;
  },
};

function lastDate(zone: string, clock: Clock): PlainDate {
  return addYears(dateIn(zone, clock.now()), YEARS_AHEAD);
}

function windowTo(to: PlainDate, days: number, earliest: PlainDate): Window {
  const from = addDays(to, -(Math.min(days, daysBetween(earliest, to) + 1) - 1));
  return { from, to };
}

function daysFor(rows: number, days: number): number {
  return Math.max(1, Math.min(MOST_DAYS, Math.floor((days * WINDOW_ROWS) / Math.max(rows, 1))));
}

/** The list of one window; its first page has already been read. */
function listOf(asking: Asking, window: Window, read: ListPage) {
  let first: ListPage | undefined = read;
  return {
    first: { bound: '', offset: 0 },
    async fetch({ offset }: { offset: number }): Promise<ListPage> {
      const page = offset === 0 && first ? first : await fetchPage(asking, window, offset);
      first = undefined;
      return page;
    },
  };
}

async function fetchPage(asking: Asking, { from, to }: Window, offset: number): Promise<ListPage> {
  const { answer, number } = await numbered(asking, (options) =>
    asking.client.call('listTransactions', { start_date: from, end_date: to, offset, limit: PAGE_ROWS }, options),
  );
  const entries = answer.data.transactions;
  return {
    page: readTransactions(entries, answer, asking.reading),
    number,
    places: entries.map((entry) => ({ at: '', id: entry.id })),
    answered: entries.length + answer.quarantined.length,
    total: answer.data.total,
  };
}
