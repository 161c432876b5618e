import { STAY_NIGHTS } from '../../../contract/reservations.ts';
import { addDays, dateIn, type PlainDate } from '../../../kernel/dates.ts';
import {
  BEGINNING_OF_TIME,
  END_OF_TIME,
  newestStays,
  readStays,
  reservations,
} from '../../tables/reservations/reservations.ts';
import { rowQueries } from '../../tables/rows/rowTable.ts';
import { type IncomingRow, textIn } from '../../tables/rows/resource.ts';
import { plainDateFrom } from '../../tables/wireValues.ts';
import { type Bookmark, type Cursor, type ListPage, PAGE_ROWS, sumOf, type ScannedPage, scanList } from '../list.ts';
import { sizeOf } from '../sizeOf.ts';
import { type Asking, numbered, type Scan } from '../scan.ts';

/** The rows of a window, since the cost of a page grows with its offset. */
const WINDOW_ROWS = 10_000;

/** The dates that bound a scan of stays; a field that is left out does not bound it. */
interface StaysWithin {
  checkOutFrom?: PlainDate;
  checkOutTo?: PlainDate;
  checkInTo?: PlainDate;
}

/**
 * Makes a scan of stays by check-out, latest first, with the date as the bound: no window has to be guessed.
 * @param within the lists that are read, one after the other; no stay is in two of them
 */
function staysScan(part: string | undefined, within: (today: PlainDate) => readonly StaysWithin[]): Scan {
  const stays = (asking: Asking) => within(dateIn(asking.reading.zone, asking.clock.now()));
  return {
    resource: reservations.name,
    ...(part !== undefined && { part }),
    rows: reservations,
    cost: (rows) => Math.ceil(rows / (PAGE_ROWS - 1)) + 1,
    async *steps(asking, bookmark) {
      const cut = bookmark as StaysBookmark | undefined;
      let list = cut?.list;
      let total = cut?.total ?? 0;
      // A bookmark of an earlier version holds a single list.
      const lists = [cut?.within ?? stays(asking)].flat();
      for (const [index, chosen] of lists.entries()) {
        for await (const { page, number, fresh, bookmark: next } of pagesOf(asking, chosen, list)) {
          total += fresh;
          yield {
            rows: fresh,
            visit: (visitor) => visitor.rows(reservations, page, number),
            ...(next && { bookmark: { within: lists.slice(index), list: next, total } satisfies StaysBookmark }),
          };
        }
        list = undefined;
      }
      return { total };
    },
    ...(part !== undefined && {
      scope(asking: Asking) {
        const lists = stays(asking);
        // The last list bounds the scope where the others are open: no check-out is before its check-in.
        const { checkOutTo, checkInTo } = lists.at(-1) ?? {};
        return {
          column: 'check_out_date',
          from: lists[0]?.checkOutFrom ?? BEGINNING_OF_TIME,
          to: checkOutTo ?? END_OF_TIME,
          ...(checkInTo !== undefined && { notAfter: { column: 'check_in_date', date: checkInTo } }),
        };
      },
    }),
    async count(asking) {
      const { client, purpose, signal } = asking;
      return sumOf(stays(asking), (chosen) =>
        sizeOf(async (offset, limit) => {
          const within = { ...filtersOf(chosen), end_check_out_date: chosen.checkOutTo ?? END_OF_TIME };
          const { data } = await client.call('listReservations', { ...within, offset, limit }, { purpose, signal });
          return {
            total: data.total,
            keys: data.reservations.map((row) => String(row.stay_code ?? row.reservation_code)),
          };
        }),
      );
    },
  };
}

function pagesOf(asking: Asking, chosen: StaysWithin, bookmark: Bookmark | undefined): AsyncGenerator<ScannedPage> {
  return scanList({
    fetch: (cursor) => fetchPage(asking, chosen, cursor),
    first: { bound: chosen.checkOutTo ?? END_OF_TIME, offset: 0 },
    bookmark,
    windowRows: WINDOW_ROWS,
  });
}

/** The position with its dates: on another day the same part would be another list. */
interface StaysBookmark {
  /** The remaining lists, first the one that was being read. */
  within: StaysWithin | readonly StaysWithin[];
  list: Bookmark;
  /** Rows shown so far. */
  total?: number;
}

function filtersOf({ checkOutFrom, checkInTo }: StaysWithin) {
  return {
    ...(checkOutFrom !== undefined && { start_check_out_date: checkOutFrom }),
    // Both ends of check-in must be given together; the earlier one adds nothing to the bound on check-out.
    ...(checkInTo !== undefined && {
      start_check_in_date: addDays(checkOutFrom ?? BEGINNING_OF_TIME, -STAY_NIGHTS),
      end_check_in_date: checkInTo,
    }),
  };
}

async function fetchPage(asking: Asking, within: StaysWithin, { bound, offset }: Cursor): Promise<ListPage> {
  const { answer, number } = await numbered(asking, (options) =>
    asking.client.call(
      'listReservations',
      { ...filtersOf(within), order_by: 'check_out_date', end_check_out_date: bound, offset, limit: PAGE_ROWS },
      options,
    ),
  );
  const page = readStays(answer.data.reservations, answer, asking.reading);
  const dateOf = ({ raw }: IncomingRow) => plainDateFrom(textIn(raw, 'check_out_date')) ?? undefined;
  const read = page.rows.map((row) => ({ key: String(row.rowKey), order: dateOf(row) }));
  return {
    page,
    number,
    entries: [...read, ...page.quarantined.map(({ key }) => ({ key }))],
    total: answer.data.total,
  };
}

/** Days around a stay in which it changes often. */
const HOT_DAYS = 14;
/** Days before and after check-out within which a deposit is paid, deducted and returned. */
const UNSETTLED_DAYS = { before: 60, after: 30 };

export const reservationsScan = staysScan(undefined, () => [{}]);

/**
 * Reads current stays, and those that were over lately or begin soon. Most of them end soon, and a source is fastest
 * for a window of check-out dates alone. Requested all at once, it would go through every later stay for each page.
 */
export const nearStaysScan = staysScan('near', (today) => {
  const [checkOutFrom, soon] = [addDays(today, -HOT_DAYS), addDays(today, HOT_DAYS)];
  return [
    { checkOutFrom, checkOutTo: soon },
    { checkOutFrom: addDays(soon, 1), checkInTo: soon },
  ];
});

/** Reads the reservations that were made last, until a page shows none that the mirror does not have. */
export const newestStaysScan: Scan = {
  resource: reservations.name,
  part: 'newest',
  rows: reservations,
  cost: () => 1,
  scope: () => null,
  async *steps(asking) {
    let total = 0;
    for (let offset = 0; ; offset += PAGE_ROWS) {
      const { client, db, reading } = asking;
      const { answer: page, number } = await numbered(asking, (options) =>
        newestStays(client, reading, options, offset),
      );
      const keys = page.rows.map(({ rowKey }) => rowKey);
      // Asked before the page is applied, which makes all of them known.
      const known = await rowQueries(reservations).known(db, reading.connection, keys);
      total += page.rows.length;
      yield { rows: page.rows.length, visit: (visitor) => visitor.rows(reservations, page, number) };
      if (page.rows.length === 0 || known.length >= page.rows.length) return { total };
    }
  },
};

/** Reads stays whose deposit may not be settled. */
export const unsettledStaysScan = staysScan('unsettled', (today) => [
  { checkOutFrom: addDays(today, -UNSETTLED_DAYS.after), checkOutTo: addDays(today, UNSETTLED_DAYS.before) },
]);

/**
 * Returns the scans of the first read in the order of use: current and upcoming stays, then later ones, then past ones.
 * @param today the date of its beginning: all parts use the same date, whenever they are read
 */
export function staysInOrderOfUse(today: PlainDate): readonly Scan[] {
  const from = addDays(today, -HOT_DAYS);
  const to = addDays(today, UNSETTLED_DAYS.before);
  return [
    staysScan('now', () => [{ checkOutFrom: from, checkOutTo: to }]),
    staysScan('later', () => [{ checkOutFrom: addDays(to, 1) }]),
    staysScan('past', () => [{ checkOutTo: addDays(from, -1) }]),
  ];
}
