import { CallError } from '../../../client/callError.ts';
import { instantOf, msOf } from '../../../kernel/dates.ts';
import { forgetOld, knownAmong, noteAbsence, noteThere } from '../absences.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { conversations } from '../../tables/conversations/conversations.ts';
import { messages } from '../../tables/conversations/messages.ts';
import { specialOffers } from '../../tables/conversations/specialOffers.ts';

/** The name in `absences` of conversations that are listed or named but missing. */
const CONVERSATION = 'conversation';
const FORGOTTEN_MS = 30 * 24 * 60 * 60_000;

/** The resources that are read by the id of a conversation. */
export const conversationResources: ReadonlySet<string> = new Set([
  conversations.name,
  messages.name,
  specialOffers.name,
]);

/** The place where facts about conversations are stored, and the time. */
export interface ConversationMemory {
  db: MirrorDb;
  connection: string;
  nowMs: number;
}

/**
 * Returns the conversations among these that were lately missing, with the moment of that finding (epoch milliseconds).
 */
export async function goneAmong(
  { db, connection, nowMs }: ConversationMemory,
  conversations: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (conversations.length === 0) return new Map();
  const known = await knownAmong(db, { connection, resource: CONVERSATION, keys: conversations });
  const now = instantOf(nowMs);
  return new Map(known.filter((row) => row.ask_again_at > now).map((row) => [row.key, msOf(row.found_at)]));
}

/**
 * Resolves to an answer about a conversation. Undefined: it is missing, which is recorded, because each such request
 * counts against us.
 */
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

/** Records that a conversation is missing: it is requested again in an hour, and then less often. */
export async function noteGone({ db, connection, nowMs }: ConversationMemory, conversation: string): Promise<void> {
  await noteAbsence(db, { connection, resource: CONVERSATION, key: conversation }, nowMs);
  await forgetOld(db, { connection, resource: CONVERSATION, before: instantOf(nowMs - FORGOTTEN_MS) });
}

/** Records that a conversation has answered. */
export async function noteFound({ db, connection }: ConversationMemory, conversation: string): Promise<void> {
  await noteThere(db, { connection, resource: CONVERSATION, keys: [conversation] });
}

/** Counts the conversations that are known to be missing. */
export async function countGone(db: MirrorDb, connection: string): Promise<number> {
  const { count } = await db
    .selectFrom('absences')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('connection', '=', connection)
    .where('resource', '=', CONVERSATION)
    .executeTakeFirstOrThrow();
  return Number(count);
}
