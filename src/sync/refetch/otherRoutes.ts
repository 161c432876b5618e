import type { CallOptions, Client } from '../../client/client.ts';
import { isPlainDate } from '../../kernel/dates.ts';
import type { Fields } from '../../client/fields.ts';
import { reviewStatuses } from '../../contract/reviews.ts';
import { readStays, reservations } from '../tables/reservations/reservations.ts';
import type { Page, Reading } from '../tables/rows/resource.ts';
import { readReviews, reviews } from '../tables/conversations/reviews.ts';
import { readTransactions, transactions } from '../tables/account/transactions.ts';
import { readTasks, tasks } from '../tables/work/tasks.ts';
import type { StoredRow } from '../tables/rows/rowTable.ts';

/** Looks for stored rows in a list that would show them beside others. The page can hold rows of other keys. */
type OtherRoute = (
  client: Client,
  reading: Reading,
  stored: readonly StoredRow[],
  options: CallOptions,
) => Promise<Page>;

const LIMIT = 100;

/** Other routes by the name of the resource in dirty keys. A resource without one is looked up by its key again. */
export const otherRoutes: Readonly<Record<string, OtherRoute>> = {
  [reservations.name]: byDates(
    async (client, reading, [from, to], options) => {
      const ends = { start_check_in_date: from, end_check_in_date: from };
      const input = { ...ends, start_check_out_date: to, end_check_out_date: to, offset: 0, limit: LIMIT };
      const answer = await client.call('listReservations', input, options);
      return readStays(answer.data.reservations, answer, reading);
    },
    ['check_in_date', 'check_out_date'],
  ),
  [transactions.name]: byDates(
    async (client, reading, [date], options) => {
      const input = { start_date: date, end_date: date, offset: 0, limit: LIMIT };
      const answer = await client.call('listTransactions', input, options);
      return readTransactions(answer.data.transactions, answer, reading);
    },
    ['action_at'],
  ),
  [reviews.name]: byDates(
    async (client, reading, [date], options) => {
      const pages: Page[] = [];
      for (const review_status of reviewStatuses) {
        const input = { start_check_out_date: date, end_check_out_date: date, review_status, offset: 0, limit: LIMIT };
        const answer = await client.call('listReviews', input, options);
        pages.push(readReviews(answer.data.reviews, answer, reading));
      }
      return together(pages);
    },
    ['check_out_date'],
  ),
  [tasks.name]: byDates(
    async (client, reading, [date], options) => {
      const input = { start_date: date, end_date: date, offset: 0, limit: LIMIT };
      const answer = await client.call('listTasks', input, options);
      return readTasks(answer.data.tasks, answer, reading);
    },
    ['expected_date'],
  ),
};

type ReadByDates<Dates extends readonly string[]> = (
  client: Client,
  reading: Reading,
  dates: { readonly [Index in keyof Dates]: string },
  options: CallOptions,
) => Promise<Page>;

/** Reads by the dates that the rows had when they were last seen, each pair of dates once. */
function byDates<const Names extends readonly string[]>(read: ReadByDates<Names>, names: Names): OtherRoute {
  return async (client, reading, stored, options) => {
    const wanted = new Map<string, readonly string[]>();
    for (const { raw } of stored) {
      const fields = JSON.parse(raw) as Fields;
      const dates = names.map((name) => String(fields[name]).slice(0, 10));
      if (dates.every(isPlainDate)) wanted.set(dates.join(), dates);
    }
    const pages: Page[] = [];
    for (const dates of wanted.values()) pages.push(await read(client, reading, dates as never, options));
    return together(pages);
  };
}

function together(pages: readonly Page[]): Page {
  return { rows: pages.flatMap(({ rows }) => rows), quarantined: pages.flatMap(({ quarantined }) => quarantined) };
}
