import { REVIEW_DAYS, reviewStatuses, type ReviewStatus } from '../../../contract/reviews.ts';
import { addDays, addYears, dateIn } from '../../../kernel/dates.ts';
import { readReviews, reviews } from '../../tables/conversations/reviews.ts';
import { type Cursor, entriesOf, type ListPage, PAGE_ROWS, sumOf, scanList } from '../list.ts';
import { sizeOf } from '../sizeOf.ts';
import { type Asking, numbered, type Scan } from '../scan.ts';

/** Days ahead of the operator's today, for stays that end where it is already a later day. */
const DAYS_AHEAD = 1;
/** Years ahead, for stays that were prolonged after their review; calendars reach no further. */
const YEARS_AHEAD = 3;

interface Window {
  from: string;
  to: string;
  status: ReviewStatus;
}

/** Yields all windows from one date back to another, each once for every status: one status alone does not list all. */
function* windows(latest: string, earliest: string): Generator<Window> {
  let to = latest;
  while (to >= earliest) {
    const furthest = addDays(to, 1 - REVIEW_DAYS);
    const from = furthest < earliest ? earliest : furthest;
    for (const status of reviewStatuses) yield { from, to, status };
    to = addDays(from, -1);
  }
}

/** Days after check-out within which both sides write and answer. */
const NEAR_DAYS = 45;

const todayOf = ({ reading, clock }: Asking) => dateIn(reading.zone, clock.now());

/** Makes a scan of reviews by check-out date, between two dates. A review that lacks both sides is listed twice. */
function listedReviews(part: string | undefined, span: (asking: Asking) => { from: string; to: string }): Scan {
  return {
    resource: reviews.name,
    ...(part !== undefined && { part }),
    rows: reviews,
    cost: (rows) => Math.ceil(rows / (PAGE_ROWS - 1)) + reviewStatuses.length,
    async *steps(asking, bookmark) {
      const seen = new Set<string>();
      const cut = bookmark as ReviewsBookmark | undefined;
      const { from: earliest, to: latest } = span(asking);
      for (const { from, to, status } of windows(latest, earliest)) {
        if (cut && to > cut.to) continue;
        const fetch = ({ offset }: Cursor) => fetchPage(asking, { from, to, status }, offset);
        for await (const { page, number } of scanList({ first: { bound: '', offset: 0 }, fetch })) {
          const known = seen.size;
          for (const { key } of [...page.rows, ...page.quarantined]) seen.add(key);
          yield {
            rows: seen.size - known,
            visit: (visitor) => visitor.rows(reviews, page, number),
            bookmark: { to } satisfies ReviewsBookmark,
          };
        }
      }
      return { total: seen.size };
    },
    async listed(asking) {
      const { client, purpose, signal } = asking;
      const { from: earliest, to: latest } = span(asking);
      return sumOf(windows(latest, earliest), (window) =>
        sizeOf(async (offset, limit) => {
          const input = { ...inputOf(window), offset, limit };
          const { data } = await client.call('listReviews', input, { purpose, signal });
          return { total: data.total, keys: data.reviews.map((row) => `${row.reservation_code}/${row.property_id}`) };
        }),
      );
    },
    ...(part !== undefined && {
      scope: (asking: Asking) => ({ column: 'check_out_date', ...span(asking) }),
    }),
  };
}

function inputOf({ from, to, status }: Window) {
  return { start_check_out_date: from, end_check_out_date: to, review_status: status };
}

async function fetchPage(asking: Asking, window: Window, offset: number): Promise<ListPage> {
  const input = { ...inputOf(window), offset, limit: PAGE_ROWS };
  const { answer, number } = await numbered(asking, (options) => asking.client.call('listReviews', input, options));
  const page = readReviews(answer.data.reviews, answer, asking.reading);
  return { page, number, entries: entriesOf(page), total: answer.data.total };
}

/** The position of an interrupted scan: the window that was being read. */
interface ReviewsBookmark {
  to: string;
}

export const reviewsScan = listedReviews(undefined, (asking) => ({
  from: asking.historyFrom,
  to: addYears(todayOf(asking), YEARS_AHEAD),
}));

/** Reads the reviews of stays that were over lately. */
export const nearReviewsScan = listedReviews('near', (asking) => ({
  from: addDays(todayOf(asking), -NEAR_DAYS),
  to: addDays(todayOf(asking), DAYS_AHEAD),
}));
