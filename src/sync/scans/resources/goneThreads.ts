import { CallError } from '../../../client/callError.ts';
import { instantOf, msOf } from '../../../kernel/dates.ts';
import { forgetOld, knownAmong, noteAbsence, noteThere } from '../absences.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { conversations } from '../../tables/conversations/conversations.ts';
import { messages } from '../../tables/conversations/messages.ts';
import { specialOffers } from '../../tables/conversations/specialOffers.ts';

/** The word of `absences` for threads that are listed, or named, and not there. */
const THREAD = 'thread';
const FORGOTTEN_MS = 30 * 24 * 60 * 60_000;

/** What is read of a thread by its id. */
export const threadResources: ReadonlySet<string> = new Set([conversations.name, messages.name, specialOffers.name]);

/** Where what is known of threads is kept, and what time it is. */
export interface ThreadMemory {
  db: MirrorDb;
  connection: string;
  nowMs: number;
}

/** Those of these threads that were not there lately, with the moment at which that was found (epoch milliseconds). */
export async function goneAmong(
  { db, connection, nowMs }: ThreadMemory,
  threads: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (threads.length === 0) return new Map();
  const known = await knownAmong(db, { connection, resource: THREAD, keys: threads });
  const now = instantOf(nowMs);
  return new Map(known.filter((row) => row.ask_again_at > now).map((row) => [row.key, msOf(row.found_at)]));
}

/** An answer about a thread; undefined: it is not there, which is remembered, because each such question counts. */
export async function askThread<T>(memory: ThreadMemory, thread: string, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 404) throw error;
    await noteGone(memory, thread);
    return undefined;
  }
}

/** Remembers that a thread is not there: it is asked for again in an hour, and then more seldom. */
export async function noteGone({ db, connection, nowMs }: ThreadMemory, thread: string): Promise<void> {
  await noteAbsence(db, { connection, resource: THREAD, key: thread }, nowMs);
  await forgetOld(db, { connection, resource: THREAD, before: instantOf(nowMs - FORGOTTEN_MS) });
}

/** A thread has answered. */
export async function noteFound({ db, connection }: ThreadMemory, thread: string): Promise<void> {
  await noteThere(db, { connection, resource: THREAD, keys: [thread] });
}

/** How many threads are known not to be there. */
export async function countGone(db: MirrorDb, connection: string): Promise<number> {
  const { count } = await db
    .selectFrom('absences')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('connection', '=', connection)
    .where('resource', '=', THREAD)
    .executeTakeFirstOrThrow();
  return Number(count);
}
