import type { OperationId } from '../../../contract/index.ts';
import { REVIEW_DAYS, reviewStatuses } from '../../../contract/reviews.ts';
import { TRANSACTION_DAYS } from '../../../contract/transactions.ts';
import { addDays, dateIn, daysBetween } from '../../../kernel/dates.ts';
import type { Work } from '../../budget/plan.ts';
import { AVAILABILITY } from '../../tables/listings/availability.ts';
import { CALENDAR } from '../../tables/listings/calendar.ts';
import { conversations } from '../../tables/conversations/conversations.ts';
import { messages } from '../../tables/conversations/messages.ts';
import { reservations } from '../../tables/reservations/reservations.ts';
import { reviews } from '../../tables/conversations/reviews.ts';
import { specialOffers } from '../../tables/conversations/specialOffers.ts';
import { transactions } from '../../tables/account/transactions.ts';
import { rowQueries } from '../../tables/rows/rowTable.ts';
import { listedOffersScan } from '../resources/conversations.ts';
import { PAGE_ROWS } from '../list.ts';
import type { ScanContext } from '../purpose.ts';
import { askingOf } from '../run.ts';
import type { Scan } from '../scan.ts';

/** The operations with which a scan reads a resource. */
const operationsOf: Readonly<Record<string, readonly OperationId[]>> = {
  account: ['getAccount'],
  webhook: ['listWebhooks'],
  dictionary_item: ['listIncomeItems', 'listExpenseItems', 'listIncomeMethods', 'listExpenseMethods'],
  custom_channel: ['listCustomChannels'],
  property: ['listProperties'],
  room_type: ['listRoomTypes'],
  property_group: ['listPropertyGroups'],
  property_tag: ['listPropertyTags'],
  reservation_tag: ['listReservationTags'],
  calendar_share_link: ['listCalendarShareLinks'],
  channel_account: ['listChannelAccounts'],
  listing: ['listListings'],
  transaction: ['listTransactions'],
  reservation: ['listReservations'],
  review: ['listReviews'],
  availability: ['listAvailabilities'],
  calendar: ['listCalendars'],
  staff: ['listStaffs'],
  task: ['listTasks'],
  automation_action: ['listAutomationActions'],
  knowledge_base: ['listKnowledgeBases'],
};

/** The sizes of the lists to read. */
export interface Sizes {
  /** Returns the rows that a scan is expected to meet; for days, the properties or listings. */
  rowsOf(scan: Scan): number;
  conversations: number;
  /** Conversations in which offers can be made, and those in which one is open. */
  offerConversations: { all: number; open: number };
  /** Days since the first entry of the ledger. */
  historyDays: number;
}

/** Returns the requests of a scan, as far as its size determines them. */
export function requestsOf(scan: Scan, sizes: Sizes): Work[] {
  const listed = Math.ceil(sizes.conversations / (PAGE_ROWS - 1)) + 1;
  switch (scan.resource) {
    case conversations.name:
    case messages.name:
      if (scan.part !== undefined) return [{ operation: 'listConversations', requests: 1 }];
      return [
        { operation: 'listConversations', requests: listed },
        { operation: 'getConversation', requests: sizes.conversations },
      ];
    case specialOffers.name:
      if (scan.part !== undefined) return [{ operation: 'listSpecialOffers', requests: sizes.offerConversations.open }];
      return [
        ...(scan === listedOffersScan ? [{ operation: 'listConversations', requests: listed } as const] : []),
        { operation: 'listSpecialOffers', requests: sizes.offerConversations.all },
      ];
    default:
      return plainRequests(scan, sizes);
  }
}

function plainRequests(scan: Scan, sizes: Sizes): Work[] {
  const rows = sizes.rowsOf(scan);
  const operations = operationsOf[scan.resource] ?? [];
  if (operations.length > 1) return operations.map((operation) => ({ operation, requests: 1 }));
  return operations.map((operation) => ({ operation, requests: pagesOf(scan, rows, sizes) }));
}

/** Returns the pages of a scan. They overlap by a row, and windows of dates are requested even where they are empty. */
function pagesOf(scan: Scan, rows: number, { historyDays }: Sizes): number {
  const pages = Math.max(1, Math.ceil((rows - 1) / (PAGE_ROWS - 1)));
  if (scan.resource === transactions.name && scan.part === undefined) {
    return pages + Math.ceil(historyDays / (TRANSACTION_DAYS - 1)) + EMPTY_YEARS_AHEAD;
  }
  if (scan.resource === reviews.name) {
    const windows = scan.part === undefined ? Math.ceil(historyDays / REVIEW_DAYS) : 1;
    return pages + windows * reviewStatuses.length;
  }
  return scan.rows && !scan.rows.lists ? pages : scan.cost(rows);
}

const EMPTY_YEARS_AHEAD = 3;

/** Returns the sizes of the mirror, which are those of upstream at the last read. */
export async function mirroredSizes(context: ScanContext, scans: readonly Scan[]): Promise<Sizes> {
  const { store, connection, clock, historyFrom } = context;
  const asking = askingOf(context, 'reconcile', () => {});
  const rows = new Map<Scan, number>();
  for (const scan of scans) {
    const resource = scan.rows ?? scan.of;
    if (!resource) continue;
    const scope = scan.scope?.(asking);
    const queries = rowQueries(resource);
    rows.set(
      scan,
      await (scope ? queries.countWithin(store.db, connection, scope) : queries.count(store.db, connection)),
    );
  }
  return {
    rowsOf: (scan) => rows.get(scan) ?? 0,
    conversations: await rowQueries(conversations).count(store.db, connection),
    offerConversations: {
      all: await conversationsWith(context, undefined),
      open: await conversationsWith(context, 'active'),
    },
    historyDays: historyDaysOf(historyFrom, context.zone(), clock.now()),
  };
}

async function conversationsWith({ store, connection }: ScanContext, status: string | undefined): Promise<number> {
  const { conversations } = await store.db
    .selectFrom('special_offers')
    .select((eb) => eb.fn.count<number>('conversation_id').distinct().as('conversations'))
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
    .executeTakeFirstOrThrow();
  return conversations;
}

export function historyDaysOf(historyFrom: string, zone: string, nowMs: number): number {
  return Math.max(1, daysBetween(historyFrom, addDays(dateIn(zone, nowMs), 1)));
}

/** The assumed number of days over which reservations are spread; the next constant is the nights of a stay. */
const SPREAD_DAYS = 1_095;
const STAY_NIGHTS = 4;
/**
 * Assumed ledger entries of each reservation; the next constant is the reservations per conversation and per review.
 */
const ENTRIES = 2;
const RESERVATIONS_PER_CONVERSATION = 2;
/** Days that the parts of a resource cover; see the scans. */
const PART_DAYS: Readonly<Record<string, number>> = { near: 28 + STAY_NIGHTS, unsettled: 90 };
const NEAR_LEDGER_DAYS = 91;
const NEAR_REVIEW_DAYS = 46;
/** The assumed rows of every short list. */
const SHORT = 50;
const OPEN_OFFERS = 50;

/**
 * Estimates sizes for a mirror that does not exist yet: the rows that so many listings and reservations usually entail.
 */
export function usualSizes({ listings, bookings }: { listings: number; bookings: number }, historyDays: number): Sizes {
  const aDay = bookings / SPREAD_DAYS;
  const conversations = Math.ceil(bookings / RESERVATIONS_PER_CONVERSATION);
  return {
    rowsOf(scan) {
      const { resource, part } = scan;
      if (resource === CALENDAR || resource === AVAILABILITY) return listings;
      if (resource === 'listing' || resource === 'property' || resource === 'room_type') return listings;
      if (resource === reservations.name)
        return part === undefined ? bookings : Math.ceil(aDay * (PART_DAYS[part] ?? 0));
      if (resource === transactions.name)
        return Math.ceil(ENTRIES * (part === undefined ? bookings : aDay * NEAR_LEDGER_DAYS));
      if (resource === reviews.name) {
        return Math.ceil((part === undefined ? bookings : aDay * NEAR_REVIEW_DAYS) / RESERVATIONS_PER_CONVERSATION);
      }
      return resource === 'task' ? bookings : SHORT;
    },
    conversations,
    offerConversations: { all: Math.ceil(conversations / 3), open: OPEN_OFFERS },
    historyDays,
  };
}
