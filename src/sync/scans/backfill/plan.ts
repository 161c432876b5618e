import { CallError } from '../../../client/callError.ts';
import type { Client } from '../../../client/client.ts';
import { offerChannels } from '../../../contract/specialOffers.ts';
import { dateIn } from '../../../kernel/dates.ts';
import type { Ledger } from '../../budget/ledger.ts';
import { foreseeWork, type Work } from '../../budget/plan.ts';
import { conversations } from '../../tables/conversations/conversations.ts';
import { availabilityScan } from '../resources/availability.ts';
import { calendarsScan } from '../resources/calendars.ts';
import { conversationsScan } from '../resources/conversations.ts';
import { historyDaysOf, requestsOf, type Sizes } from '../reconcile/requests.ts';
import { listingsScan } from '../resources/listings.ts';
import { PAGE_ROWS } from '../list.ts';
import { propertiesScan } from '../resources/properties.ts';
import type { ScanContext } from '../purpose.ts';
import { askingOf } from '../run.ts';
import type { Asking, Scan } from '../scan.ts';
import { rowsOfWork } from './stages.ts';
import { groundwork } from '../all.ts';

export interface BackfillPlan {
  /** The requests of each operation, counting included. */
  work: readonly Work[];
  requests: number;
  /** The number of rows upstream. */
  rows: number;
  /** The same by resource, as far as lists report it. */
  counts: Readonly<Record<string, number>>;
  startAt: number;
  /** The moment when everything has been read (epoch milliseconds). */
  finishAt: number;
}

/** Counts the rows upstream, and predicts when they will have been read. @param ledger the requests so far */
export async function planBackfill(context: ScanContext, ledger: () => Ledger): Promise<BackfillPlan> {
  const startAt = context.clock.now();
  const scans = [...groundwork, ...rowsOfWork(dateIn(context.zone(), startAt)).flat()];
  const { sizes, counts, asked } = await upstreamSizes(context, scans);
  const work = scans.flatMap((scan) => requestsOf(scan, sizes));
  const known = ledger();
  const now = context.clock.now();
  // The time of a request is known from the counting. Where there are limits, it does not matter much.
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

/** Counts every list that reports its length. */
async function upstreamSizes(
  context: ScanContext,
  scans: readonly Scan[],
): Promise<{ sizes: Sizes; counts: Readonly<Record<string, number>>; asked: number }> {
  let asked = 0;
  const client = counting(context.client, () => (asked += 1));
  const asking = askingOf({ ...context, client }, 'backfill', () => {});
  const counted = new Map<Scan, number>();
  for (const scan of scans) {
    const count = scan.listed ? scan.listed(asking) : scan.count?.(asking);
    counted.set(scan, (await orNone(count)) ?? 0);
  }
  const count = counted.get(conversationsScan) ?? 0;
  const sizes: Sizes = {
    rowsOf(scan) {
      if (scan.resource === calendarsScan.resource) return counted.get(listingsScan) ?? 0;
      if (scan.resource === availabilityScan.resource) return counted.get(propertiesScan) ?? 0;
      return counted.get(scan) ?? 0;
    },
    conversations: count,
    offerConversations: { all: Math.round(count * (await partWithOffers(asking))), open: 0 },
    historyDays: historyDaysOf(context.historyFrom, context.zone(), context.clock.now()),
  };
  const counts: Record<string, number> = {};
  for (const [scan, count] of counted) {
    // Messages themselves cannot be counted, so their conversations are.
    const what = scan === conversationsScan ? conversations.name : scan.resource;
    if (count > 0) counts[what] = (counts[what] ?? 0) + count;
  }
  return { sizes, counts, asked };
}

/** Returns the part of the newest conversations that can have offers: the list of all of them does not show it. */
async function partWithOffers({ client, purpose, signal }: Asking): Promise<number> {
  const { data } = await client.call('listConversations', { offset: 0, limit: PAGE_ROWS }, { purpose, signal });
  const { conversations } = data;
  const able = conversations.filter((one) => one.channel_type === null || offerChannels.includes(one.channel_type));
  return conversations.length === 0 ? 0 : able.length / conversations.length;
}

/** Wraps a client so that it reports each call. */
function counting(client: Client, onCall: () => void): Client {
  return {
    call(operation, input, options) {
      onCall();
      return client.call(operation, input, options);
    },
  };
}

/** Returns undefined for a list that upstream does not have, or refuses to count: there are no rows to plan with. */
async function orNone(count: Promise<number | null> | undefined): Promise<number | undefined> {
  try {
    return (await count) ?? undefined;
  } catch (error) {
    if (error instanceof CallError && error.client === 'fix') return undefined;
    throw error;
  }
}
