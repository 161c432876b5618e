import { instantOf, msOf } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { putFact, readFact } from '../../sync/tables/connection/facts.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import type { Change } from '../../sync/feed/feed.ts';
import type { Automating } from '../context.ts';
import { fingerprintOf, normalised } from '../fingerprint.ts';
import { contentsOf } from '../facts/mirrorMessages.ts';
import { ownSends } from './ledger.ts';

/** The default, and the minimum: longer than any delay seen in practice. */
const LEAST_MS = 2 * 60_000;
/** Greatest delay that counts. A message with a longer one was found late. */
const LONGEST_MS = 10 * 60_000;
const KEPT = 20;
const MARGIN = 1.5;
const MARGIN_MS = 10_000;

/** Returns the milliseconds within which a message shows: the slowest of the last ones, with a margin. */
export async function showsWithin(db: MirrorDb, connection: string): Promise<number> {
  const slowest = Math.max(0, ...(await readShowing(db, connection)));
  return Math.max(LEAST_MS, slowest * MARGIN + MARGIN_MS);
}

async function readShowing(db: MirrorDb, connection: string): Promise<number[]> {
  const fact = await readFact(db, connection, 'showing');
  return fact ? (JSON.parse(fact.value) as number[]) : [];
}

/**
 * Learns the delay of messages from the host. For our messages it counts from their sending; for others that an event
 * announced, from their own time.
 */
export async function learnShowing(context: Automating, changes: readonly Change[]): Promise<void> {
  const { store, connection, clock } = context;
  const came = changes.filter(
    ({ resource, op, needs_answer }) => resource === 'message' && op === 'created' && needs_answer === 0,
  );
  if (came.length === 0) return;
  const rows = await store.db
    .selectFrom('messages')
    .select(['message', 'conversation_id', 'sent_at'])
    .where('connection', '=', connection)
    .where('sender_role', '!=', 'guest')
    .where((eb) =>
      inList(
        eb.ref('message'),
        came.map((change) => change.part ?? change.key),
      ),
    )
    .execute();
  const texts = await contentsOf(
    context,
    rows.map((row) => row.message),
  );
  const took: number[] = [];
  for (const { message, conversation_id, sent_at } of rows) {
    const change = came.find((one) => message === (one.part ?? one.key));
    if (!change) continue;
    const left = await leftAt(context, conversation_id, texts.get(message) ?? '');
    const bears = sent_at === null || change.seen_by !== 'event' ? undefined : msOf(sent_at);
    const since = left ?? (bears === undefined ? undefined : bears + context.timekeeper.aheadMs());
    const ms = since === undefined ? -1 : msOf(change.at) - since;
    if (ms >= 0 && ms <= LONGEST_MS) took.push(Math.round(ms));
  }
  if (took.length === 0) return;
  const value = JSON.stringify([...(await readShowing(store.db, connection)), ...took].slice(-KEPT));
  await putFact(store.db, { connection, name: 'showing', value, changed_at: instantOf(clock.now()) });
}

/**
 * Returns the sending time of a text of ours, or undefined if it is not ours. Of several sends of the same text, the
 * newest counts.
 */
async function leftAt(context: Automating, conversation_id: string, text: string): Promise<number | undefined> {
  const sends = await ownSends(context.store.db, context, conversation_id);
  const seen = { letters: normalised(text), fingerprint: fingerprintOf(text) };
  const same = sends.filter((send) => send.wrote(seen)).map(({ atMs }) => atMs);
  return same.length === 0 ? undefined : Math.max(...same);
}
