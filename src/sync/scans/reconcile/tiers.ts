import { groundwork } from '../all.ts';
import { nearNightsWalk, availabilityWalk } from '../resources/availability.ts';
import { calendarsWalk, nearDaysWalk } from '../resources/calendars.ts';
import { newestMessagesWalk, openOffersWalk, specialOffersWalk, threadsWalk } from '../resources/conversations.ts';
import { nearStaysWalk, reservationsWalk, unsettledStaysWalk } from '../resources/reservations.ts';
import { nearReviewsWalk, reviewsWalk } from '../resources/reviews.ts';
import { nearTransactionsWalk, transactionsWalk } from '../resources/transactions.ts';
import type { Walk } from '../walk.ts';
import { automationActionsWalk, knowledgeBasesWalk, staffsWalk, tasksWalk } from '../resources/work.ts';
import type { Tier } from './freshness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const few = 'a short list of which no event tells';
const lost = 'an event may have been lost';

/** Lists that one request or a few answer whole. */
const shortLists: readonly Walk[] = [...groundwork, staffsWalk, automationActionsWalk, knowledgeBasesWalk];

/**
 * What is read again by itself, hottest first, and the age it never exceeds while the limits of the account leave
 * room for it. When they do not, those further down wait.
 */
export const tiers: readonly Tier[] = [
  {
    walk: nearDaysWalk,
    maxAgeMs: 15 * MINUTE,
    reason: 'a repeated push, restrictions, price rules and edits on the channel send no event',
  },
  {
    walk: nearStaysWalk,
    maxAgeMs: 15 * MINUTE,
    reason: 'deposits and channel_details change without an event, most of all around the stay',
  },
  { walk: newestMessagesWalk, maxAgeMs: 15 * MINUTE, reason: 'a guest waits for an answer even if the event was lost' },
  { walk: nearNightsWalk, maxAgeMs: HOUR, reason: 'a lost event may hide a double booking' },
  ...shortLists.map((walk): Tier => ({ walk, maxAgeMs: HOUR, reason: few })),
  { walk: unsettledStaysWalk, maxAgeMs: 2 * HOUR, reason: 'deposits are settled up to weeks before and after a stay' },
  { walk: openOffersWalk, maxAgeMs: 2 * HOUR, reason: 'offers end without an event' },
  { walk: nearTransactionsWalk, maxAgeMs: 6 * HOUR, reason: lost },
  { walk: nearReviewsWalk, maxAgeMs: 6 * HOUR, reason: 'replies and late reviews; an event may have been lost' },
  { walk: tasksWalk, maxAgeMs: 12 * HOUR, reason: 'no event tells of tasks, and there may be many' },
  { walk: calendarsWalk, maxAgeMs: 12 * HOUR, reason: 'the same as the near days, three years ahead' },
  { walk: availabilityWalk, maxAgeMs: 12 * HOUR, reason: lost },
  { walk: reservationsWalk, maxAgeMs: DAY, reason: 'old stays change seldom; an event may have been lost' },
  { walk: transactionsWalk, maxAgeMs: DAY, reason: 'an entry may have moved to another date, or be gone' },
  { walk: reviewsWalk, maxAgeMs: DAY, reason: lost },
  { walk: specialOffersWalk, maxAgeMs: 14 * DAY, reason: 'a request a thread; open offers are read hourly' },
  { walk: threadsWalk, maxAgeMs: 21 * DAY, reason: 'a request a thread; notes of old threads send no event' },
];
