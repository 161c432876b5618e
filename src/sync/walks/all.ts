import { availabilityWalk } from './availability.ts';
import {
  calendarShareLinksWalk,
  propertyGroupsWalk,
  propertyTagsWalk,
  reservationTagsWalk,
  roomTypesWalk,
} from './portfolio.ts';
import { conversationsWalk, messagesWalk, specialOffersWalk } from './conversations.ts';
import { calendarsWalk } from './calendars.ts';
import { channelAccountsWalk } from './channelAccounts.ts';
import { listingsWalk } from './listings.ts';
import { automationActionsWalk, knowledgeBasesWalk, staffsWalk, tasksWalk } from './work.ts';
import { propertiesWalk } from './properties.ts';
import { reservationsWalk } from './reservations.ts';
import { reviewsWalk } from './reviews.ts';
import { accountWalk, customChannelsWalk, dictionariesWalk, webhooksWalk } from './singleLists.ts';
import { transactionsWalk } from './transactions.ts';
import type { Walk } from './walk.ts';

/** What all else refers to: zones, properties, listings. Lists that one request or a few answer whole. */
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
 * Every walk, in the order in which they are made: what others need first (zones, properties), and the
 * ledger before the bookings whose payments follow from it.
 */
export const walks: readonly Walk[] = [
  ...groundwork,
  transactionsWalk,
  reservationsWalk,
  conversationsWalk,
  messagesWalk,
  specialOffersWalk,
  reviewsWalk,
  availabilityWalk,
  calendarsWalk,
  staffsWalk,
  tasksWalk,
  automationActionsWalk,
  knowledgeBasesWalk,
];
