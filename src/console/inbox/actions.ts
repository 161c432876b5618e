import { z } from 'zod';
import { MESSAGE_LENGTH, NOTE_LENGTH } from '../../contract/conversations.ts';
import { ApiError } from '../../kernel/errors.ts';
import { isPlainDate } from '../../kernel/dates.ts';
import { type ConsoleAction, consoleAction } from '../page.ts';
import type { Visit } from '../visit.ts';
import { conversationOfPlan } from './query.ts';
import { readThread, type Thread } from './thread.ts';

const words = z.string().trim().min(1, 'must not be empty').max(MESSAGE_LENGTH);
const date = z.string().refine(isPlainDate, 'must be a date such as 2027-03-01');
/** A plan, and the state in which it was shown. */
const decided = { plan: z.string(), state: z.string() };

/** Everything that a person can do in a conversation. */
export const inboxActions: readonly ConsoleAction[] = [
  consoleAction({
    name: 'send',
    right: 'inbox.send',
    fields: z.object({ message: words }),
    async run(visit, { message }) {
      const { conversation_id, guest } = await opened(visit);
      await visit.v3('sendMessage', { conversation_id, message });
      return { said: visit.texts.inbox.sent(guest.name) };
    },
  }),
  consoleAction({
    name: 'note',
    right: 'inbox.send',
    fields: z.object({ note: z.string().max(NOTE_LENGTH).optional() }),
    async run(visit, { note }) {
      const { conversation_id } = await opened(visit);
      await visit.v3('updateConversationNote', { conversation_id, note: note ?? null });
      return { said: visit.texts.inbox.noted };
    },
  }),
  consoleAction({
    name: 'approve',
    right: 'inbox.send',
    fields: z.object({ ...decided, text: words.optional() }),
    async run(visit, { plan, state, text }) {
      const { guest } = await ownerOf(visit, plan);
      const operation = 'POST /portal/automations/plans/:plan_id/approve';
      await visit.portal(operation, { plan_id: plan, state, ...(text !== undefined && { text }) });
      return { said: visit.texts.inbox.approved(guest.name) };
    },
  }),
  consoleAction({
    name: 'discard',
    right: 'inbox.send',
    isQuiet: true,
    fields: z.object(decided),
    async run(visit, { plan, state }) {
      await ownerOf(visit, plan);
      await visit.portal('POST /portal/automations/plans/:plan_id/cancel', { plan_id: plan, state });
      return { said: visit.texts.inbox.discarded };
    },
  }),
  consoleAction({
    name: 'preapprove',
    right: 'inbox.send',
    fields: z.object({}),
    async run(visit) {
      const { conversation_id, guest } = await opened(visit);
      await visit.v3('createPreapproval', { conversation_id });
      return { said: visit.texts.inbox.preapproved(guest.name) };
    },
  }),
  consoleAction({
    name: 'offer',
    right: 'inbox.send',
    fields: z.object({
      check_in_date: date,
      check_out_date: date,
      price: z.coerce.number('must be an amount').positive(),
      number_of_adults: z.coerce.number().int().min(1).max(99),
    }),
    async run(visit, offer) {
      const { conversation_id, guest, inquiry } = await opened(visit);
      if (!inquiry) throw new ApiError(409, visit.texts.inbox.noInquiry);
      await visit.v3('createSpecialOffer', { conversation_id, listing_id: inquiry.listing_id, ...offer });
      return { said: visit.texts.inbox.offered(guest.name) };
    },
  }),
  consoleAction({
    name: 'withdraw',
    right: 'inbox.send',
    fields: z.object({ special_offer_id: z.string() }),
    async run(visit, { special_offer_id }) {
      const { conversation_id } = await opened(visit);
      await visit.v3('withdrawSpecialOffer', { conversation_id, special_offer_id });
      return { said: visit.texts.inbox.withdrawn };
    },
  }),
];

/**
 * Reads the conversation that the page shows. The connection's token may see more than the person, so nothing is done in
 * a conversation that they do not see. @throws ApiError 404 for such a one
 */
async function opened(visit: Visit): Promise<Thread> {
  const { services, connection, person } = visit;
  const conversation = visit.at['conversation'] ?? '';
  const properties = person.properties ?? undefined;
  const thread = await readThread(services.db, { connection, conversation, properties, limit: 1 });
  if (!thread) throw new ApiError(404, 'There is no such conversation.');
  return thread;
}

/** Reads the conversation of a plan. @throws ApiError 404 if the plan is about another one */
async function ownerOf(visit: Visit, plan: string): Promise<Thread> {
  const thread = await opened(visit);
  const { services, connection } = visit;
  const owner = await conversationOfPlan(services.db, { connection, plan });
  if (owner !== thread.conversation_id) throw new ApiError(404, 'There is no such draft.');
  return thread;
}
