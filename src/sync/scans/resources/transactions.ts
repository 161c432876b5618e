import { TRANSACTION_DAYS } from '../../../contract/transactions.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { addDays, addYears, dateIn, daysBetween, type PlainDate } from '../../../kernel/dates.ts';
import { readTransactions, transactions } from '../../tables/account/transactions.ts';
import { type Bookmark, entriesOf, type ListPage, PAGE_ROWS, sumOf, scanList } from '../list.ts';
import { type Asking, numbered, type Scan } from '../scan.ts';

/** The rows for which windows are sized; one with more than twice as many is cut. */
const WINDOW_ROWS = 5_000;
/** One day less than v3 takes: its count includes both ends. */
const MOST_DAYS = TRANSACTION_DAYS - 1;
const YEARS_AHEAD = 3;
/** Days around today in which entries are made and corrected. */
const NEAR_DAYS = 45;

interface Window {
  from: PlainDate;
  to: PlainDate;
}

/** The position of an interrupted scan: its window, and the page in it. */
interface LedgerBookmark {
  window: Window;
  days: number;
  list: Bookmark | null;
  total: number;
}

/** Makes a scan of entries by date, newest first, in windows that follow the density of the ledger. */
function ledgerScan(part: string | undefined, datesOf: (asking: Asking) => Window): Scan {
  return {
    resource: transactions.name,
    ...(part !== undefined && { part }),
    rows: transactions,
    cost: (rows) => Math.ceil(rows / (PAGE_ROWS - 1)) + (part === undefined ? 30 : 1),
    async *steps(asking, bookmark) {
      const dates = datesOf(asking);
      const cut = bookmark as LedgerBookmark | undefined;
      let to = cut?.window.to ?? dates.to;
      let days = cut?.days ?? MOST_DAYS;
      let total = cut?.total ?? 0;
      let list = cut?.list ?? undefined;
      while (to >= dates.from) {
        const window = list && cut ? cut.window : windowTo(to, days, dates.from);
        const first = list ? undefined : await fetchPage(asking, window, 0);
        if (first && (first.total ?? 0) > 2 * WINDOW_ROWS && days > 1) {
          days = daysFor(first.total ?? 0, days);
          continue;
        }
        let ofWindow = 0;
        for await (const { page, number, fresh, bookmark: next } of scanList(listOf(asking, window, first, list))) {
          ofWindow += fresh;
          const place: LedgerBookmark = next
            ? { window, days, list: next, total: total + ofWindow }
            : { window: { ...window, to: addDays(window.from, -1) }, days, list: null, total: total + ofWindow };
          yield { rows: fresh, visit: (visitor) => visitor.rows(transactions, page, number), bookmark: place };
        }
        list = undefined;
        total += ofWindow;
        // Wider by a factor of four at most: one empty stretch says little about the next.
        days = Math.min(daysFor(ofWindow, days), days * 4, MOST_DAYS);
        to = addDays(window.from, -1);
      }
      return { total };
    },
    ...(part !== undefined && { scope: (asking: Asking) => ({ column: 'action_date', ...datesOf(asking) }) }),
    async count(asking) {
      const { client, purpose, signal } = asking;
      const dates = datesOf(asking);
      return sumOf(widestWindows(dates), async ({ from, to }) => {
        const input = { start_date: from, end_date: to, offset: 0, limit: 1 };
        return (await client.call('listTransactions', input, { purpose, signal })).data.total;
      });
    },
  };
}

/** Reads the whole ledger. */
export const transactionsScan = ledgerScan(undefined, ({ reading, clock, historyFrom }) => ({
  from: historyFrom,
  to: lastDate(reading.zone, clock),
}));

/** Reads the entries of these weeks. */
export const nearTransactionsScan = ledgerScan('near', ({ reading, clock }) => {
  const today = dateIn(reading.zone, clock.now());
  return { from: addDays(today, -NEAR_DAYS), to: addDays(today, NEAR_DAYS) };
});

function lastDate(zone: string, clock: Clock): PlainDate {
  return addYears(dateIn(zone, clock.now()), YEARS_AHEAD);
}

function windowTo(to: PlainDate, days: number, earliest: PlainDate): Window {
  const from = addDays(to, -(Math.min(days, daysBetween(earliest, to) + 1) - 1));
  return { from, to };
}

function* widestWindows(dates: Window): Generator<Window> {
  for (let { to } = dates; to >= dates.from;) {
    const window = windowTo(to, MOST_DAYS, dates.from);
    yield window;
    to = addDays(window.from, -1);
  }
}

function daysFor(rows: number, days: number): number {
  return Math.max(1, Math.min(MOST_DAYS, Math.floor((days * WINDOW_ROWS) / Math.max(rows, 1))));
}

/** Returns the list of one window; its first page is already read, unless the scan continues in it. */
function listOf(asking: Asking, window: Window, read: ListPage | undefined, bookmark: Bookmark | undefined) {
  let first = read;
  return {
    first: { bound: '', offset: 0 },
    bookmark,
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
  const page = readTransactions(answer.data.transactions, answer, asking.reading);
  return { page, number, entries: entriesOf(page), total: answer.data.total };
}
