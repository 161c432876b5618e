import { CallError } from '../../../client/callError.ts';
import type { Client } from '../../../client/client.ts';
import { offerChannels } from '../../../contract/specialOffers.ts';
import { dateIn } from '../../../kernel/dates.ts';
import type { Ledger } from '../../budget/ledger.ts';
import { foreseeWork, type Work } from '../../budget/plan.ts';
import { conversations } from '../../tables/conversations/conversations.ts';
import { availabilityWalk } from '../resources/availability.ts';
import { calendarsWalk } from '../resources/calendars.ts';
import { threadsWalk } from '../resources/conversations.ts';
import { historyDaysOf, requestsOf, type Sizes } from '../reconcile/requests.ts';
import { listingsWalk } from '../resources/listings.ts';
import { PAGE_ROWS } from '../list.ts';
import { propertiesWalk } from '../resources/properties.ts';
import type { WalkContext } from '../purpose.ts';
import { askingOf } from '../run.ts';
import type { Asking, Walk } from '../walk.ts';
import { rowsOfWork } from './stages.ts';
import { groundwork } from '../all.ts';

export interface BackfillPlan {
  /** Of each operation, counting included. */
  work: readonly Work[];
  requests: number;
  /** Rows that there are upstream. */
  rows: number;
  /** The same by resource, as far as lists tell. */
  counts: Readonly<Record<string, number>>;
  startAt: number;
  /** When everything has been read (epoch milliseconds). */
  finishAt: number;
}

/**
 * Asks upstream how much there is, and says when it will have been read.
 * @param ledger what has been asked so far
 */
export async function planBackfill(context: WalkContext, ledger: () => Ledger): Promise<BackfillPlan> {
  const startAt = context.clock.now();
  const walks = [...groundwork, ...rowsOfWork(dateIn(context.zone(), startAt)).flat()];
  const { sizes, counts, asked } = await upstreamSizes(context, walks);
  const work = walks.flatMap((walk) => requestsOf(walk, sizes));
  const known = ledger();
  const now = context.clock.now();
  // How long a request takes is known from the counting, and does not matter much where there are limits.
  const msPerRequest = asked === 0 ? 0 : (now - startAt) / asked;
  const { finishAt } = foreseeWork(known, work, 'backfill', now, msPerRequest);
  const requests = work.reduce((sum, one) => sum + one.requests, 0);
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { work: mergeWork(work), requests, rows, counts, startAt: now, finishAt };
}

function mergeWork(work: readonly Work[]): Work[] {
  const merged = new Map<Work['operation'], number>();
  for (const { operation, requests } of work) merged.set(operation, (merged.get(operation) ?? 0) + requests);
  return [...merged].map(([operation, requests]) => ({ operation, requests }));
}

/** Counts every list that tells how long it is. */
async function upstreamSizes(
  context: WalkContext,
  walks: readonly Walk[],
): Promise<{ sizes: Sizes; counts: Readonly<Record<string, number>>; asked: number }> {
  let asked = 0;
  const client = counting(context.client, () => (asked += 1));
  const asking = askingOf({ ...context, client }, 'backfill', () => {});
  const counted = new Map<Walk, number>();
  for (const walk of walks) {
    const count = walk.listed ? walk.listed(asking) : walk.count?.(asking);
    counted.set(walk, (await orNone(count)) ?? 0);
  }
  const threads = counted.get(threadsWalk) ?? 0;
  const sizes: Sizes = {
    rowsOf(walk) {
      if (walk.resource === calendarsWalk.resource) return counted.get(listingsWalk) ?? 0;
      if (walk.resource === availabilityWalk.resource) return counted.get(propertiesWalk) ?? 0;
      return counted.get(walk) ?? 0;
    },
    threads,
    offerThreads: { all: Math.round(threads * (await partWithOffers(asking))), open: 0 },
    historyDays: historyDaysOf(context.historyFrom, context.zone(), context.clock.now()),
  };
  const counts: Record<string, number> = {};
  for (const [walk, count] of counted) {
    // What can be counted of messages is the threads.
    const what = walk === threadsWalk ? conversations.name : walk.resource;
    if (count > 0) counts[what] = (counts[what] ?? 0) + count;
  }
  return { sizes, counts, asked };
}

/** How many of the newest threads can have offers: the list of all of them does not tell. */
async function partWithOffers({ client, purpose, signal }: Asking): Promise<number> {
  const { data } = await client.call('listConversations', { offset: 0, limit: PAGE_ROWS }, { purpose, signal });
  const { conversations } = data;
  const able = conversations.filter((one) => one.channel_type === null || offerChannels.includes(one.channel_type));
  return conversations.length === 0 ? 0 : able.length / conversations.length;
}

/** Tells of each call. */
function counting(client: Client, onCall: () => void): Client {
  return {
    call(operation, input, options) {
      onCall();
      return client.call(operation, input, options);
    },
  };
}

/** A list that upstream does not have, or refuses to count, has no rows to plan with. */
async function orNone(count: Promise<number | null> | undefined): Promise<number | undefined> {
  try {
    return (await count) ?? undefined;
  } catch (error) {
    if (error instanceof CallError && error.client === 'fix') return undefined;
    throw error;
  }
}
