import type { PlainDate } from '../../kernel/dates.ts';
import { availabilityWalk, nearNightsWalk } from '../walks/availability.ts';
import { calendarsWalk, nearDaysWalk } from '../walks/calendars.ts';
import { listedOffersWalk, threadsWalk } from '../walks/conversations.ts';
import { staysInOrderOfUse } from '../walks/reservations.ts';
import { reviewsWalk } from '../walks/reviews.ts';
import { transactionsWalk } from '../walks/transactions.ts';
import type { Walk } from '../walks/walk.ts';
import { automationActionsWalk, knowledgeBasesWalk, staffsWalk, tasksWalk } from '../walks/work.ts';

/**
 * Everything else, side by side, because each kind of request has limits of its own; what is useful first stands
 * first in its row.
 */
export function rowsOfWork(today: PlainDate): readonly (readonly Walk[])[] {
  return [
    staysInOrderOfUse(today),
    [transactionsWalk],
    [nearDaysWalk, calendarsWalk],
    [nearNightsWalk, availabilityWalk],
    [threadsWalk],
    [listedOffersWalk],
    [reviewsWalk],
    [staffsWalk, tasksWalk, automationActionsWalk, knowledgeBasesWalk],
  ];
}
