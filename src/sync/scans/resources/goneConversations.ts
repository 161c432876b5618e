import { CallError } from '../../../client/callError.ts';
import { instantOf, msOf } from '../../../kernel/dates.ts';
import { forgetOld, knownAmong, noteAbsence, noteThere } from '../absences.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { conversations } from '../../tables/conversations/conversations.ts';
import { messages } from '../../tables/conversations/messages.ts';
import { specialOffers } from '../../tables/conversations/specialOffers.ts';

/** The word of `absences` for conversations that are listed, or named, and not there. */
const CONVERSATION = 'conversation';
const FORGOTTEN_MS = 30 * 24 * 60 * 60_000;

/** What is read of a conversation by its id. */
export const conversationResources: ReadonlySet<string> = new Set([
  conversations.name,
  messages.name,
  specialOffers.name,
]);

/** Where what is known of conversations is kept, and what time it is. */
export interface ConversationMemory {
  db: MirrorDb;
  connection: string;
  nowMs: number;
}

/** Those of these conversations that were not there lately, with the moment at which that was found (epoch milliseconds). */
export async function goneAmong(
  { db, connection, nowMs }: ConversationMemory,
  conversations: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (conversations.length === 0) return new Map();
  const known = await knownAmong(db, { connection, resource: CONVERSATION, keys: conversations });
  const now = instantOf(nowMs);
  return new Map(known.filter((row) => row.ask_again_at > now).map((row) => [row.key, msOf(row.found_at)]));
}

/** An answer about a conversation; undefined: it is not there, which is remembered, because each such question counts. */
export async function askConversation<T>(
  memory: ConversationMemory,
  conversation: string,
  answer: Promise<T>,
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 404) throw error;
    await noteGone(memory, conversation);
    return undefined;
  }
}

/** Remembers that a conversation is not there: it is asked for again in an hour, and then more seldom. */
export async function noteGone({ db, connection, nowMs }: ConversationMemory, conversation: string): Promise<void> {
  await noteAbsence(db, { connection, resource: CONVERSATION, key: conversation }, nowMs);
  await forgetOld(db, { connection, resource: CONVERSATION, before: instantOf(nowMs - FORGOTTEN_MS) });
}

/** A conversation has answered. */
export async function noteFound({ db, connection }: ConversationMemory, conversation: string): Promise<void> {
  await noteThere(db, { connection, resource: CONVERSATION, keys: [conversation] });
}

/** How many conversations are known not to be there. */
export async function countGone(db: MirrorDb, connection: string): Promise<number> {
  const { count } = await db
    .selectFrom('absences')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('connection', '=', connection)
    .where('resource', '=', CONVERSATION)
    .executeTakeFirstOrThrow();
  return Number(count);
}
