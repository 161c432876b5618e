import { readStays, reservations } from '../mirror/reservations.ts';
import { type Cursor, type ListPage, PAGE_ROWS, walkList } from './list.ts';
import { type Asking, numbered, type Walk } from './walk.ts';

/** Nobody checks out later; the walk begins here and goes back in time. */
const END_OF_TIME = '2199-12-31';
/** The cost of a page grows with its offset. */
const WINDOW_ROWS = 10_000;

/** All stays by check-out, latest first, with the date as the bound: no window has to be guessed. */
export const reservationsWalk: Walk = {
  resource: reservations.name,
  rows: reservations,
  cost: (rows) => Math.ceil(rows / (PAGE_ROWS - 1)) + 1,
  async *steps(asking) {
    let total = 0;
    const first: Cursor = { bound: END_OF_TIME, offset: 0 };
    const pages = walkList({ fetch: (cursor) => fetchPage(asking, cursor), first, windowRows: WINDOW_ROWS });
    let isFirst = true;
    for await (const { page, number, fresh, total: ofWindow } of pages) {
      if (isFirst) total = ofWindow;
      isFirst = false;
      yield { rows: fresh, visit: (visitor) => visitor.rows(reservations, page, number) };
    }
    return { total };
  },
  async count({ client, purpose, signal }) {
    const input = { end_check_out_date: END_OF_TIME, limit: 1 };
    return (await client.call('listReservations', input, { purpose, signal })).data.total;
  },
};

async function fetchPage(asking: Asking, { bound, offset }: Cursor): Promise<ListPage> {
  const { answer, number } = await numbered(asking, (options) =>
    asking.client.call(
      'listReservations',
      { order_by: 'check_out_date', end_check_out_date: bound, offset, limit: PAGE_ROWS },
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
