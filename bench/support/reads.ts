import { addDays } from '../../src/kernel/dates.ts';
import { type BenchCore, CHANNEL } from './core.ts';
import { lastThread } from './portfolio.ts';
import type { Read } from './reading.ts';

export const GOAL = { page: 0.5, single: 0.3 };

/** One of the ten busiest reads of a core. */
interface BusyRead extends Read {
  /** Who asks it so often. */
  why: string;
}

/** By what they are called on the command line. */
export function readsOf({ today, portfolio, code }: BenchCore & { code: string }): Record<string, BusyRead> {
  const month = `start_date=${today}&end_date=${addDays(today, 30)}`;
  const back = `start_date=${portfolio.from}&end_date=${today}`;
  const lastHalfYear = `start_check_out_date=${addDays(today, -180)}`;
  const tenProperties = Array.from({ length: 10 }, (_, index) => index + 1).join();
  const listings = ['L1', 'L2', 'L3'].map((listing_id) => ({ channel_type: CHANNEL, listing_id }));
  return {
    reservations: {
      what: 'reservations of a window, page of 100',
      why: 'every scan of a mirror',
      path: '/v3/reservations?start_check_out_date=2000-01-01&limit=100&offset=200',
      goal: GOAL.page,
    },
    reservation: {
      what: 'one reservation by its code',
      why: 'each event that is looked up',
      path: `/v3/reservations?reservation_code=${code}`,
      goal: GOAL.single,
    },
    availabilities: {
      what: 'master calendar, a month of ten properties',
      why: 'booking pages ask before each offer',
      path: `/v3/availabilities?property_ids=${tenProperties}&${month}`,
      goal: GOAL.page,
      days: 'availabilities',
    },
    calendars: {
      what: 'calendars of listings, a month of three',
      why: 'no event tells of prices set elsewhere, so they are read again and again',
      path: '/v3/listings/calendar',
      body: { start_date: today, end_date: addDays(today, 30), listings },
      goal: GOAL.page,
      days: 'calendar',
    },
    conversations: {
      what: 'conversations, page of 20',
      why: 'an inbox that is open on somebody’s screen',
      path: '/v3/conversations',
      goal: GOAL.page,
    },
    messages: {
      what: 'one conversation with 20 messages',
      why: 'each message_created',
      path: `/v3/conversations/${lastThread(portfolio)}`,
      goal: GOAL.page,
    },
    transactions: {
      what: 'transactions of a year, page of 100',
      why: 'accounting scans, and transactions are announced by no event of their own',
      path: `/v3/transactions?${back}&limit=100`,
      goal: GOAL.page,
    },
    properties: {
      what: 'properties, page of 50',
      why: 'the first thing that every client asks',
      path: '/v3/properties?limit=50',
      goal: GOAL.page,
    },
    reviews: {
      what: 'reviews of half a year, page of 20',
      why: 'no event tells of a review',
      path: `/v3/reviews?${lastHalfYear}`,
      goal: GOAL.page,
    },
    tasks: {
      what: 'tasks, page of 100',
      why: 'phones of the staff ask all day',
      path: '/v3/tasks?limit=100',
      goal: GOAL.page,
    },
  };
}
