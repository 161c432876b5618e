import { accounts } from './account/account.ts';
import { customChannels } from './account/customChannels.ts';
import { dictionaryItems } from './account/dictionaries.ts';
import { webhooks } from './account/webhooks.ts';
import { calendarShareLinks } from './portfolio/calendarShareLinks.ts';
import { propertyGroups } from './portfolio/propertyGroups.ts';
import { propertyTags } from './portfolio/propertyTags.ts';
import { reservationTags } from './portfolio/reservationTags.ts';
import { roomTypes } from './portfolio/roomTypes.ts';
import { automationActions } from './work/automationActions.ts';
import { knowledgeBases } from './work/knowledgeBases.ts';
import { channelAccounts } from './listings/channelAccounts.ts';
import { conversations } from './conversations/conversations.ts';
import { messages } from './conversations/messages.ts';
import { listings } from './listings/listings.ts';
import { properties } from './portfolio/properties.ts';
import { reservations } from './reservations/reservations.ts';
import type { MirrorResource } from './rows/resource.ts';
import { reviews } from './conversations/reviews.ts';
import { specialOffers } from './conversations/specialOffers.ts';
import { staffs } from './work/staffs.ts';
import { tasks } from './work/tasks.ts';
import { transactions } from './account/transactions.ts';

/** The kinds of rows that are looked up by key, under the names that events and dirty keys use. */
export const rowResources: Readonly<Record<string, MirrorResource>> = Object.fromEntries(
  [
    properties,
    channelAccounts,
    listings,
    transactions,
    reservations,
    conversations,
    messages,
    specialOffers,
    reviews,
    staffs,
    tasks,
  ].map((resource) => [resource.name, resource]),
);

/** All kinds of rows of the mirror. Kinds that are not looked up by key come with whole lists. */
export const allResources: readonly MirrorResource[] = [
  ...Object.values(rowResources),
  accounts,
  webhooks,
  dictionaryItems,
  customChannels,
  roomTypes,
  propertyGroups,
  propertyTags,
  reservationTags,
  calendarShareLinks,
  automationActions,
  knowledgeBases,
];
