import { availabilityWalk } from './availability.ts';
import { automationActionsWalk, knowledgeBasesWalk, staffsWalk, tasksWalk } from './pagedLists.ts';
import { propertiesWalk } from './properties.ts';
import { reservationsWalk } from './reservations.ts';
import { accountWalk, customChannelsWalk, dictionariesWalk, webhooksWalk } from './singleLists.ts';
import { transactionsWalk } from './transactions.ts';
import type { Walk } from './walk.ts';

/**
 * Every walk, in the order in which they are made: what others need first (zones, properties), and the
 * ledger before the bookings whose payments follow from it.
 */
export const walks: readonly Walk[] = [
  accountWalk,
  webhooksWalk,
  dictionariesWalk,
  customChannelsWalk,
  propertiesWalk,
  transactionsWalk,
  reservationsWalk,
  availabilityWalk,
  staffsWalk,
  tasksWalk,
  automationActionsWalk,
  knowledgeBasesWalk,
];
