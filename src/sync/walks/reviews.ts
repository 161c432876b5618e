import { REVIEW_DAYS, reviewStatuses, type ReviewStatus } from '../../contract/reviews.ts';
import { addDays, dateIn } from '../../kernel/dates.ts';
import { readReviews, reviews } from '../mirror/reviews.ts';
import { PAGE_ROWS } from './list.ts';
import { type Asking, numbered, type Walk } from './walk.ts';

/** Reviews of stays that end on a later day than the operator's today, seen from elsewhere. */
const DAYS_AHEAD = 1;

interface Window {
  from: string;
  to: string;
  status: ReviewStatus;
}

/** All windows from today back to a date, each once for every status: one alone lists not all. */
function* windows({ reading, clock }: Asking, earliest: string): Generator<Window> {
  let to = addDays(dateIn(reading.zone, clock.now()), DAYS_AHEAD);
  while (to >= earliest) {
    const furthest = addDays(to, 1 - REVIEW_DAYS);
    const from = furthest < earliest ? earliest : furthest;
    for (const status of reviewStatuses) yield { from, to, status };
    to = addDays(from, -1);
  }
}

/** Days after check-out within which both sides write and answer. */
const NEAR_DAYS = 45;

/** Reviews by check-out date. One that lacks both sides is listed twice. */
function listedReviews(part: string | undefined, earliest: (asking: Asking) => string): Walk {
  return {
    resource: reviews.name,
    ...(part !== undefined && { part }),
    rows: reviews,
    cost: (rows) => Math.ceil(rows / (PAGE_ROWS - 1)) + reviewStatuses.length,
    async *steps(asking, bookmark) {
      const seen = new Set<string>();
      const cut = bookmark as ReviewsBookmark | undefined;
      for (const { from, to, status } of windows(asking, earliest(asking))) {
        if (cut && to > cut.to) continue;
        for (let offset = 0; ; offset += PAGE_ROWS - 1) {
          const input = {
            start_check_out_date: from,
            end_check_out_date: to,
            review_status: status,
            offset,
            limit: PAGE_ROWS,
          };
          const { answer, number } = await numbered(asking, (options) =>
            asking.client.call('listReviews', input, options),
          );
          const page = readReviews(answer.data.reviews, answer, asking.reading);
          const known = seen.size;
          for (const { key } of [...page.rows, ...page.unfit]) seen.add(key);
          yield {
            rows: seen.size - known,
            visit: (visitor) => visitor.rows(reviews, page, number),
            bookmark: { to } satisfies ReviewsBookmark,
          };
          const answered = page.rows.length + page.unfit.length;
          if (answered === 0 || offset + answered >= answer.data.total) break;
        }
      }
      return { total: seen.size };
    },
    async listed(asking) {
      const { client, purpose, signal } = asking;
      let total = 0;
      for (const { from, to, status } of windows(asking, earliest(asking))) {
        const input = { start_check_out_date: from, end_check_out_date: to, review_status: status, limit: 1 };
        total += (await client.call('listReviews', input, { purpose, signal })).data.total;
      }
      return total;
    },
    ...(part !== undefined && {
      scope: (asking: Asking) => ({
        column: 'check_out_date',
        from: earliest(asking),
        to: addDays(dateIn(asking.reading.zone, asking.clock.now()), DAYS_AHEAD),
      }),
    }),
  };
}

/** The window that was being read when a walk was cut off. */
interface ReviewsBookmark {
  to: string;
}

export const reviewsWalk = listedReviews(undefined, ({ historyFrom }) => historyFrom);

/** Those of stays that were over lately. */
export const nearReviewsWalk = listedReviews('near', ({ reading, clock }) =>
  addDays(dateIn(reading.zone, clock.now()), -NEAR_DAYS),
);
