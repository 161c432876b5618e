import { CallError } from '../../client/callError.ts';
import { apply, type Applied } from '../apply/apply.ts';
import type { DirtyKey } from '../queue/dirtyKeys.ts';
import { doubt, goneForGood } from './doubt.ts';
import {
  goneAmong,
  noteFound,
  noteGone,
  conversationResources,
  type ConversationMemory,
} from '../scans/resources/goneConversations.ts';
import type { Fields } from '../../client/fields.ts';
import { following } from '../apply/following.ts';
import { pendingEvents } from '../queue/inbox.ts';
import type { LookUpContext } from './lookUpContext.ts';
import { markSuspects } from '../queue/markKeys.ts';
import type { MirrorResource, Page } from '../tables/rows/resource.ts';
import { rowQueries } from '../tables/rows/rowTable.ts';
import { UnreadableAnswer } from './unreadableAnswer.ts';

/** Thrown for an answer without the row that an event has promised: upstream shows it a moment later. */
class EarlyAnswer extends Error {
  override readonly name = 'EarlyAnswer';
}

/** The number of reads of a key that lacks the promised row; each wait is twice the one before. */
const PATIENT_ATTEMPTS = 7;

/**
 * Reads everything under one dirty key and applies it; a key that is gone upstream becomes a tombstone. The transaction
 * that applies the answer also marks the keys to read because of it, and ends the claim on the key.
 */
export async function lookUp(context: LookUpContext, resource: MirrorResource, dirty: DirtyKey): Promise<Applied> {
  const { client, signal } = context;
  let number: number | undefined;
  const beforeSend = async () => {
    // An answer in several pages has the number of the first one: nothing in it is older.
    number ??= await context.numbers.take();
  };
  const reading = context.reading();
  if (!resource.lookUp) throw new Error(`a ${resource.name} cannot be looked up`);
  const awaited = await awaitedOf(context, resource, dirty.key);
  const options = { purpose: 'lookup', signal, beforeSend } as const;
  const ask = () => resource.lookUp?.(client, reading, dirty.key, options, awaited) ?? Promise.resolve(goneUpstream);
  const isKnownGone = await isGoneConversation(context, resource, dirty);
  // The remembered result is as good as an answer that comes now.
  if (isKnownGone) await beforeSend();
  const first = isKnownGone ? goneUpstream : await orGone(ask());
  if (!isKnownGone) context.health.answered();
  const page = await doubt(context, resource, dirty, first, { reading, options });
  const missing = page.missing ?? (page === goneUpstream ? [...awaited] : []);
  const isEarly = missing.length > 0 && dirty.attempts < PATIENT_ATTEMPTS;
  // An unreadable row beside readable ones is quarantined. Where there is no other row, the key has not been read.
  const [quarantined] = page.rows.length === 0 ? page.quarantined : [];
  if (resource.leavesSuspects && page.rows.length === 0 && !quarantined) await suspect(context, resource, dirty);
  const applied = await apply(context, {
    resource,
    page,
    number: number ?? 0,
    origin: dirty.origin,
    whole: page.partial ? [] : [dirty.key],
    // An answer of another list settles the key, too.
    ...((resource.awaits || page !== first) && { ends: isEarly ? [] : [dirty.key] }),
    ...(awaited.size === 0 && { patience: context.patience }),
    // A failed read releases its key when it sets the time of the next attempt.
    ...(!isEarly && !quarantined && { release: { by: context.by, keys: [dirty.key] } }),
    follow: following(context, resource, false),
  });
  context.named.asked(applied.following);
  if (!isEarly) await rememberConversation(context, resource, dirty.key, page);
  if (quarantined) throw new UnreadableAnswer(`${quarantined.key}: ${quarantined.problem}`);
  if (isEarly) throw new EarlyAnswer(`${dirty.key}: ${missing.join(', ')} cannot be seen yet`);
  return applied;
}

/** Returns true if the conversation is remembered as missing. An event is reason to ask all the same. */
async function isGoneConversation(context: LookUpContext, { name }: MirrorResource, dirty: DirtyKey): Promise<boolean> {
  if (!conversationResources.has(name) || dirty.origin === 'event') return false;
  return (await goneAmong(memoryOf(context), [dirty.key])).has(dirty.key);
}

/** Remembers that a conversation is missing, since each request for a missing one counts against us. */
async function rememberConversation(context: LookUpContext, { name }: MirrorResource, key: string, page: Page) {
  if (!conversationResources.has(name)) return;
  if (page === goneUpstream || page === goneForGood) await noteGone(memoryOf(context), key);
  else if (page.rows.length > 0) await noteFound(memoryOf(context), key);
}

function memoryOf({ store, connection, clock }: LookUpContext): ConversationMemory {
  return { db: store.db, connection, nowMs: clock.now() };
}

/**
 * Marks the reservations to which a row that came and went unseen may have belonged. Its own is unknown, so rather too
 * many are marked than too few, and before the answer is applied.
 */
async function suspect(context: LookUpContext, resource: MirrorResource, dirty: DirtyKey): Promise<void> {
  const stored = await rowQueries(resource).storedUnder(context.store.db, context.connection, [dirty.key]);
  if (stored.length === 0) await markSuspects(context, dirty.first_marked_at);
}

/** The most events of a key whose promises are examined; a larger burst is read by its newest. */
const MOST_AWAITED = 1_000;

/** Returns the rows that the waiting events of this key promise. */
async function awaitedOf(
  { store, connection }: LookUpContext,
  resource: MirrorResource,
  key: string,
): Promise<ReadonlySet<string>> {
  if (!resource.awaits) return new Set();
  const events = await pendingEvents(store.db, {
    connection,
    resource: resource.name,
    keys: [key],
    number: Number.MAX_SAFE_INTEGER,
    after: '',
    limit: MOST_AWAITED,
  });
  const promised = events.map(({ body }) =>
    body === null ? undefined : resource.awaits?.(JSON.parse(body) as Fields),
  );
  return new Set(promised.filter((one) => one !== undefined));
}

const goneUpstream: Page = { rows: [], quarantined: [] };

async function orGone(answer: Promise<Page>): Promise<Page> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CallError && error.code === 404) return goneUpstream;
    throw error;
  }
}
