import { channelAccounts } from './channelAccounts.ts';
import { conversations } from './conversations.ts';
import { messages } from './messages.ts';
import { listings } from './listings.ts';
import { properties } from './properties.ts';
import { reservations } from './reservations.ts';
import type { MirrorResource } from './resource.ts';
import { reviews } from './reviews.ts';
import { specialOffers } from './specialOffers.ts';
import { staffs } from './staffs.ts';
import { tasks } from './tasks.ts';
import { transactions } from './transactions.ts';

/** Every kind of row that is looked up by key, by the word that events and dirty keys use. */
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
