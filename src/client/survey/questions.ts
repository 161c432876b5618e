import { type OperationId, operationIds, operations } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import { addDays, type PlainDate } from '../../kernel/dates.ts';
import type { Fields } from '../fields.ts';

/** Every operation that changes nothing. */
export const readOperations: readonly OperationId[] = operationIds.filter((id) => operations[id].scope === 'read');

/** Rows of earlier answers in our words, by the name of their list. */
export type Known = ReadonlyMap<string, readonly Fields[]>;

/** A call, or the reason why there is none. */
type Question = { input: Fields } | { skipped: string };

/** Days of a window that every deployment answers. */
const DAYS_BACK = 179;
const MOST_ROWS = 100;

interface Answered {
  known: Known;
  today: PlainDate;
}

type Ask = (answered: Answered) => Question;

const lists = { offset: 0, limit: MOST_ROWS };

/** Builds a call from the first matching row of a list. */
function byRow(list: string, what: string, input: (row: Fields, today: PlainDate) => Fields, fits = anyRow): Ask {
  return ({ known, today }) => {
    const row = known.get(list)?.find(fits);
    return row ? { input: input(row, today) } : { skipped: `there is no ${what} to ask for` };
  };
}

const anyRow = (_row: Fields): boolean => true;
const isOn = (channel: string) => (row: Fields) => row['channel_type'] === channel;
const isPlaced = (row: Fields) => Number(row['id']) > 0;

const outstanding = (today: PlainDate) => ({ start_date: addDays(today, -DAYS_BACK), end_date: today });
const checkOuts = (today: PlainDate, until: number) => ({
  start_check_out_date: addDays(today, -DAYS_BACK),
  end_check_out_date: addDays(today, until),
});

/** The inputs of operations that need more than offset and limit. */
const questions: Partial<Record<OperationId, Ask>> = {
  listReservations: ({ today }) => ({ input: { ...lists, ...checkOuts(today, DAYS_BACK) } }),
  listReviews: ({ today }) => ({ input: { ...lists, ...checkOuts(today, 0) } }),
  listTransactions: ({ today }) => ({ input: { ...lists, ...outstanding(today) } }),
  listTasks: ({ today }) => ({ input: { ...lists, ...outstanding(today) } }),
  listAutomationActions: () => ({ input: { ...lists, type: 'message' } }),
  listAvailabilities: byRow(
    'properties',
    'property',
    ({ id }, today) => ({ property_ids: String(id), start_date: today, end_date: addDays(today, 30) }),
    isPlaced,
  ),
  getPricingRatios: byRow('properties', 'property', ({ id }) => ({ property_id: id }), isPlaced),
  listCalendars: byRow('listings', 'listing', ({ channel_type, listing_id }, today) => ({
    start_date: today,
    end_date: addDays(today, 30),
    listings: [{ channel_type, listing_id }],
  })),
  getMarketplaceARules: byRow('listings', 'listing of marketplace_a', ofListing, isOn('marketplace_a')),
  getMarketplaceBRules: byRow('listings', 'listing of marketplace_b', ofListing, isOn('marketplace_b')),
  getConversation: byRow('conversations', 'conversation', ofConversation),
  listSpecialOffers: byRow('conversations', 'conversation', ofConversation),
  getKnowledgeBase: byRow('knowledge_bases', 'entry', ({ id }) => ({ id })),
  getCustomFields: byRow('reservations', 'stay', ({ stay_code }) => ({ stay_code })),
};

function ofListing({ listing_id }: Fields): Fields {
  return { listing_id };
}

function ofConversation({ conversation_id }: Fields): Fields {
  return { conversation_id, ...lists };
}

/** Returns the call of an operation, from the rows known so far. */
export function questionOf(id: OperationId, answered: Answered): Question {
  const asked = questions[id];
  if (asked) return asked(answered);
  const { query, params }: Operation = operations[id];
  const needed = Object.keys(params.shape);
  if (needed.length > 0) return { skipped: `nothing is known to ask for (${needed.join(', ')})` };
  return { input: 'offset' in query.shape && 'limit' in query.shape ? { ...lists } : {} };
}

/** Puts lists first whose rows other operations need. */
export function inAskingOrder(ids: readonly OperationId[]): OperationId[] {
  const isDependent = (id: OperationId) => {
    const { params, path }: Operation = operations[id];
    return Object.keys(params.shape).length > 0 || (id in questions && !path.startsWith('/re') && id !== 'listTasks');
  };
  return [...ids.filter((id) => !isDependent(id)), ...ids.filter(isDependent)];
}
