import { availabilityWalk } from './resources/availability.ts';
import {
  calendarShareLinksWalk,
  propertyGroupsWalk,
  propertyTagsWalk,
  reservationTagsWalk,
  roomTypesWalk,
} from './resources/portfolio.ts';
import { specialOffersWalk, threadsWalk } from './resources/conversations.ts';
import { calendarsWalk } from './resources/calendars.ts';
import { channelAccountsWalk } from './resources/channelAccounts.ts';
import { listingsWalk } from './resources/listings.ts';
import { automationActionsWalk, knowledgeBasesWalk, staffsWalk, tasksWalk } from './resources/work.ts';
import { propertiesWalk } from './resources/properties.ts';
import { reservationsWalk } from './resources/reservations.ts';
import { reviewsWalk } from './resources/reviews.ts';
import { accountWalk, customChannelsWalk, dictionariesWalk, webhooksWalk } from './resources/singleLists.ts';
import { transactionsWalk } from './resources/transactions.ts';
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
 * Every walk, in the order in which they are made: what others need first (zones, properties), the
 * ledger before the bookings whose payments follow from it, and threads before the offers that are made in them.
 */
export const walks: readonly Walk[] = [
  ...groundwork,
  transactionsWalk,
  reservationsWalk,
  threadsWalk,
  specialOffersWalk,
  reviewsWalk,
  availabilityWalk,
  calendarsWalk,
  staffsWalk,
  tasksWalk,
  automationActionsWalk,
  knowledgeBasesWalk,
];

/** Kinds of rows that are read with others alone. */
export const readWithOthers: readonly string[] = walks
  .flatMap(({ also = [] }) => also.map(({ name }) => name))
  .filter((name) => walks.every(({ resource }) => resource !== name));
