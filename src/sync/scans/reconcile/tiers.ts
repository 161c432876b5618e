import { groundwork } from '../all.ts';
import { nearNightsScan, availabilityScan } from '../resources/availability.ts';
import { calendarsScan, nearDaysScan } from '../resources/calendars.ts';
import {
  newestMessagesScan,
  openOffersScan,
  specialOffersScan,
  conversationsScan,
} from '../resources/conversations.ts';
import { nearStaysScan, reservationsScan, unsettledStaysScan } from '../resources/reservations.ts';
import { nearReviewsScan, reviewsScan } from '../resources/reviews.ts';
import { nearTransactionsScan, transactionsScan } from '../resources/transactions.ts';
import type { Scan } from '../scan.ts';
import { automationActionsScan, knowledgeBasesScan, staffsScan, tasksScan } from '../resources/work.ts';
import type { Tier } from './freshness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const few = 'a short list that no event announces';
const lost = 'an event may have been lost';

/** Lists that one request or a few answer whole. */
const shortLists: readonly Scan[] = [...groundwork, staffsScan, automationActionsScan, knowledgeBasesScan];

/**
 * The tiers that are read again automatically, most urgent first. Each has the age that it never exceeds while the
 * limits of the account leave room for it. When they do not, those further down wait.
 */
export const tiers: readonly Tier[] = [
  {
    scan: nearDaysScan,
    maxAgeMs: 15 * MINUTE,
    reason: 'a repeated push, restrictions, price rules and edits on the channel send no event',
  },
  {
    scan: nearStaysScan,
    maxAgeMs: 15 * MINUTE,
    reason: 'deposits and channel_details change without an event, most of all around the stay',
  },
  { scan: newestMessagesScan, maxAgeMs: 15 * MINUTE, reason: 'a guest waits for an answer even if the event was lost' },
  { scan: nearNightsScan, maxAgeMs: HOUR, reason: 'a lost event may hide a double booking' },
  ...shortLists.map((scan): Tier => ({ scan, maxAgeMs: HOUR, reason: few })),
  { scan: unsettledStaysScan, maxAgeMs: 2 * HOUR, reason: 'deposits are settled up to weeks before and after a stay' },
  { scan: openOffersScan, maxAgeMs: 2 * HOUR, reason: 'offers end without an event' },
  { scan: nearTransactionsScan, maxAgeMs: 6 * HOUR, reason: lost },
  { scan: nearReviewsScan, maxAgeMs: 6 * HOUR, reason: 'replies and late reviews; an event may have been lost' },
  { scan: tasksScan, maxAgeMs: 12 * HOUR, reason: 'no event announces tasks, and there may be many' },
  { scan: calendarsScan, maxAgeMs: 12 * HOUR, reason: 'the same as the near days, three years ahead' },
  { scan: availabilityScan, maxAgeMs: 12 * HOUR, reason: lost },
  { scan: reservationsScan, maxAgeMs: DAY, reason: 'old stays change seldom; an event may have been lost' },
  { scan: transactionsScan, maxAgeMs: DAY, reason: 'an entry may have moved to another date, or be gone' },
  { scan: reviewsScan, maxAgeMs: DAY, reason: lost },
  { scan: specialOffersScan, maxAgeMs: 14 * DAY, reason: 'a request a conversation; open offers are read hourly' },
  {
    scan: conversationsScan,
    maxAgeMs: 21 * DAY,
    reason: 'a request a conversation; notes of old conversations send no event',
  },
];
