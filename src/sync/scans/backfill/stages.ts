import type { PlainDate } from '../../../kernel/dates.ts';
import { availabilityWalk, nearNightsWalk } from '../resources/availability.ts';
import { calendarsWalk, nearDaysWalk } from '../resources/calendars.ts';
import { listedOffersWalk, threadsWalk } from '../resources/conversations.ts';
import { staysInOrderOfUse } from '../resources/reservations.ts';
import { reviewsWalk } from '../resources/reviews.ts';
import { transactionsWalk } from '../resources/transactions.ts';
import type { Walk } from '../walk.ts';
import { automationActionsWalk, knowledgeBasesWalk, staffsWalk, tasksWalk } from '../resources/work.ts';

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
