import { STAY_NIGHTS } from '../../contract/reservations.ts';
import { addDays, dateIn, type PlainDate } from '../../kernel/dates.ts';
import { readStays, reservations } from '../mirror/reservations.ts';
import { type Bookmark, type Cursor, type ListPage, PAGE_ROWS, walkList } from './list.ts';
import { type Asking, numbered, type Walk } from './walk.ts';

/** Nobody checks out later; the walk begins here and goes back in time. */
export const END_OF_TIME = '2199-12-31';
const BEGINNING_OF_TIME = '1900-01-01';
/** The cost of a page grows with its offset. */
const WINDOW_ROWS = 10_000;

/** Which stays a walk reads; what is left out does not bound it. */
export interface StaysWithin {
  checkOutFrom?: PlainDate;
  checkOutTo?: PlainDate;
  checkInTo?: PlainDate;
}

/** Stays by check-out, latest first, with the date as the bound: no window has to be guessed. */
function staysWalk(part: string | undefined, within: (today: PlainDate) => StaysWithin): Walk {
  const stays = (asking: Asking) => within(dateIn(asking.reading.zone, asking.clock.now()));
  return {
    resource: reservations.name,
    ...(part !== undefined && { part }),
    rows: reservations,
    cost: (rows) => Math.ceil(rows / (PAGE_ROWS - 1)) + 1,
    async *steps(asking, bookmark) {
      const chosen = (bookmark as StaysBookmark | undefined)?.within ?? stays(asking);
      const first: Cursor = { bound: chosen.checkOutTo ?? END_OF_TIME, offset: 0 };
      const pages = walkList({
        fetch: (cursor) => fetchPage(asking, chosen, cursor),
        first,
        bookmark: (bookmark as StaysBookmark | undefined)?.list,
        windowRows: WINDOW_ROWS,
      });
      let total: number | undefined;
      for await (const { page, number, fresh, total: ofWindow, bookmark: list } of pages) {
        total ??= ofWindow;
        yield {
          rows: fresh,
          visit: (visitor) => visitor.rows(reservations, page, number),
          ...(list && { bookmark: { within: chosen, list } satisfies StaysBookmark }),
        };
      }
      return { total: total ?? 0 };
    },
    ...(part !== undefined && {
      scope(asking: Asking) {
        const { checkOutFrom, checkOutTo, checkInTo } = stays(asking);
        return {
          column: 'check_out_date',
          from: checkOutFrom ?? BEGINNING_OF_TIME,
          to: checkOutTo ?? END_OF_TIME,
          ...(checkInTo !== undefined && { notAfter: { column: 'check_in_date', date: checkInTo } }),
        };
      },
    }),
    async count(asking) {
      const { client, purpose, signal } = asking;
      const chosen = stays(asking);
      const input = { end_check_out_date: chosen.checkOutTo ?? END_OF_TIME, ...filtersOf(chosen), limit: 1 };
      return (await client.call('listReservations', input, { purpose, signal })).data.total;
    },
  };
}

/** The dates belong to the bookmark: on another day the same part would be another list. */
interface StaysBookmark {
  within: StaysWithin;
  list: Bookmark;
}

function filtersOf({ checkOutFrom, checkInTo }: StaysWithin) {
  return {
    ...(checkOutFrom !== undefined && { start_check_out_date: checkOutFrom }),
    // Both ends of check-in go together; the earlier one bounds nothing that check-out does not.
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
  const stays = answer.data.reservations;
  return {
    page: readStays(stays, answer, asking.reading),
    number,
    places: stays.map((stay) => ({ at: stay.check_out_date, id: stay.id })),
    answered: stays.length + answer.quarantined.length,
    total: answer.data.total,
  };
}

/** Days around a stay in which it is hot. */
const HOT_DAYS = 14;
/** Days before and after check-out within which a deposit is paid, deducted and given back. */
const UNSETTLED_DAYS = { before: 60, after: 30 };

export const reservationsWalk = staysWalk(undefined, () => ({}));

/** Stays that go on, were over lately, or begin soon. */
export const nearStaysWalk = staysWalk('near', (today) => ({
  checkOutFrom: addDays(today, -HOT_DAYS),
  checkInTo: addDays(today, HOT_DAYS),
}));

/** Stays whose deposit may not be settled. */
export const unsettledStaysWalk = staysWalk('unsettled', (today) => ({
  checkOutFrom: addDays(today, -UNSETTLED_DAYS.after),
  checkOutTo: addDays(today, UNSETTLED_DAYS.before),
}));

/**
 * The first read in the order of use: what goes on or comes soon, then what comes later, then what was.
 * @param today of its beginning: all parts go by the same day, whenever they are read
 */
export function staysInOrderOfUse(today: PlainDate): readonly Walk[] {
  const from = addDays(today, -HOT_DAYS);
  const to = addDays(today, UNSETTLED_DAYS.before);
  return [
    staysWalk('now', () => ({ checkOutFrom: from, checkOutTo: to })),
    staysWalk('later', () => ({ checkOutFrom: addDays(to, 1) })),
    staysWalk('past', () => ({ checkOutTo: addDays(from, -1) })),
  ];
}
