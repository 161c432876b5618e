import type { PlainDate } from '../../kernel/dates.ts';
import { availabilityWalk, nearNightsWalk } from '../walks/availability.ts';
import { calendarsWalk, nearDaysWalk } from '../walks/calendars.ts';
import { channelAccountsWalk } from '../walks/channelAccounts.ts';
import { specialOffersWalk, threadsWalk } from '../walks/conversations.ts';
import { listingsWalk } from '../walks/listings.ts';
import {
  calendarShareLinksWalk,
  propertyGroupsWalk,
  propertyTagsWalk,
  reservationTagsWalk,
  roomTypesWalk,
} from '../walks/portfolio.ts';
import { propertiesWalk } from '../walks/properties.ts';
import { staysInOrderOfUse } from '../walks/reservations.ts';
import { reviewsWalk } from '../walks/reviews.ts';
import { accountWalk, customChannelsWalk, dictionariesWalk, webhooksWalk } from '../walks/singleLists.ts';
import { transactionsWalk } from '../walks/transactions.ts';
import type { Walk } from '../walks/walk.ts';
import { automationActionsWalk, knowledgeBasesWalk, staffsWalk, tasksWalk } from '../walks/work.ts';

/** What all else refers to: zones, properties, listings. Read first, one after the other. */
export const groundwork: readonly Walk[] = [
  accountWalk,
  webhooksWalk,
  dictionariesWalk,
  customChannelsWalk,
  propertiesWalk,
  roomTypesWalk,
  propertyGroupsWalk,
  propertyTagsWalk,
  reservationTagsWalk,
  calendarShareLinksWalk,
  channelAccountsWalk,
  listingsWalk,
];

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
    [specialOffersWalk],
    [reviewsWalk],
    [staffsWalk, tasksWalk, automationActionsWalk, knowledgeBasesWalk],
  ];
}
