import type { Selectable } from 'kysely';
import type { Instant } from '../../../kernel/dates.ts';
import { next, sourcesOf } from '../../../kernel/transitions.ts';
import { connectionLife } from '../states.ts';
import { sealerOf } from '../../../store/sealing/keyed.ts';
import { inList } from '../../../store/queries/inList.ts';
import { putFact, readFact } from './facts.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { ConnectionsTable, MirrorDb, MirrorStore } from '../database.ts';
import { hookContext } from '../rows/sealedValues.ts';

/** The reason to catch up after a clean stop: little or nothing was missed. */
export const AFTER_STOP = 'stop';
/** The reason after any other stop: everything may have been missed. */
const AFTER_START = 'start';

interface Opened {
  connection: string;
  baseUrl: string;
  /** The way in which rows are read; see {@link noteCleanStop}. */
  readWith: string;
  at: Instant;
}

/** Creates a connection and its feed if they do not exist. Stored state stays. */
export async function ensureConnection(
  store: MirrorStore,
  { connection, baseUrl, readWith, at }: Opened,
): Promise<Selectable<ConnectionsTable>> {
  return store.transaction(async (trx) => {
    const why = (await useCleanStop(trx, connection, readWith)) ? AFTER_STOP : AFTER_START;
    await trx
      .insertInto('connections')
      .values({
        connection,
        base_url: baseUrl,
        state: next(connectionLife, null, 'make'),
        reason: null,
        state_at: at,
        probe_at: null,
        webhook_id: null,
        webhook_url: null,
        webhook_secret: null,
        catch_up_due: AFTER_START,
        caught_up_at: null,
        created_at: at,
      })
      .onConflict((conflict) => conflict.column('connection').doUpdateSet({ base_url: baseUrl, catch_up_due: why }))
      .execute();
    await trx
      .insertInto('feed_heads')
      .values({ connection, seq: 0 })
      .onConflict((conflict) => conflict.column('connection').doNothing())
      .execute();
    return trx.selectFrom('connections').selectAll().where('connection', '=', connection).executeTakeFirstOrThrow();
  });
}

/**
 * Records that a connection stops and has missed nothing so far.
 * @param stop `readWith` stands for the way in which rows were read: read in another way, they may be others
 */
export async function noteCleanStop(
  db: MirrorDb,
  connection: string,
  { readWith, at }: { readWith: string; at: Instant },
): Promise<void> {
  const { catch_up_due, caught_up_at, state } = await readConnection(db, connection);
  if (catch_up_due !== null || caught_up_at === null || state !== 'active') return;
  await putFact(db, { connection, name: 'clean_stop', value: readWith, changed_at: at });
}

/** Returns true, once, if the connection was stopped cleanly and its rows were read in the same way. */
async function useCleanStop(trx: MirrorDb, connection: string, readWith: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('connection_facts')
    .set({ value: '' })
    .where('connection', '=', connection)
    .where('name', '=', 'clean_stop')
    .where('value', '=', readWith)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await forgetCleanStops(trx, [connection]);
  return numUpdatedRows > 0n;
}

/** Makes the next start of these connections read everything. */
export async function forgetCleanStops(db: MirrorDb, connections: readonly string[]): Promise<void> {
  await db
    .deleteFrom('connection_facts')
    .where((eb) => inList(eb.ref('connection'), connections))
    .where('name', '=', 'clean_stop')
    .execute();
}

/** Returns when the connection was last stopped cleanly. */
export async function stoppedAt(db: MirrorDb, connection: string): Promise<Instant | undefined> {
  return (await readFact(db, connection, 'clean_stop'))?.changed_at;
}

export async function readConnection(db: MirrorDb, connection: string): Promise<Selectable<ConnectionsTable>> {
  const [row] = await stateOf(db, { connection });
  if (!row) throw new Error(`the mirror knows no connection ${connection}`);
  return row;
}

/** Prepared once, since it runs every few seconds. */
const stateOf = prepared((db: MirrorDb, arg: { connection: string }) =>
  db.selectFrom('connections').selectAll().where('connection', '=', arg.connection),
);

/** Stops reading until a probe succeeds or a person acts. Receiving continues. */
export async function pause(
  db: MirrorDb,
  connection: string,
  reason: string,
  at: Instant,
  probeAt: Instant,
): Promise<void> {
  await db
    .updateTable('connections')
    .set({ state: next(connectionLife, 'active', 'pause'), reason, state_at: at, probe_at: probeAt })
    .where('connection', '=', connection)
    .execute();
}

/** @param reason undefined: the reason does not change */
export async function postponeProbe(
  db: MirrorDb,
  connection: string,
  reason: string | undefined,
  probeAt: Instant,
): Promise<void> {
  const because = reason === undefined ? {} : { reason };
  await db
    .updateTable('connections')
    .set({ ...because, probe_at: probeAt })
    .where('connection', '=', connection)
    .execute();
}

/** Claims the probe that is due. @returns false if none is due, or another process makes it */
export async function claimProbe(db: MirrorDb, connection: string, at: Instant, next: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ probe_at: next })
    .where('connection', '=', connection)
    .where('state', 'in', sourcesOf(connectionLife, 'resume'))
    .where('probe_at', '<=', at)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Resumes reading, beginning with a scan of everything that was missed. */
export async function resume(db: MirrorDb, connection: string, at: Instant): Promise<void> {
  await db
    .updateTable('connections')
    .set({
      state: next(connectionLife, 'paused', 'resume'),
      reason: null,
      state_at: at,
      probe_at: null,
      catch_up_due: 'pause',
    })
    .where('connection', '=', connection)
    .execute();
}

/** Requests a scan of everything. */
export async function requestCatchUp(db: MirrorDb, connection: string, why: string): Promise<void> {
  await db.updateTable('connections').set({ catch_up_due: why }).where('connection', '=', connection).execute();
}

/** Records that everything was read for this reason. */
export async function caughtUp(db: MirrorDb, connection: string, why: string, at: Instant): Promise<void> {
  await db.updateTable('connections').set({ caught_up_at: at }).where('connection', '=', connection).execute();
  // Clears only the reason that this scan was for: a reason that arose meanwhile stays.
  await db
    .updateTable('connections')
    .set({ catch_up_due: null })
    .where('connection', '=', connection)
    .where('catch_up_due', '=', why)
    .execute();
}

/** Stores the secret of a webhook if none is known. @returns false if one is known */
export async function learnSecret(db: MirrorDb, connection: string, sealed: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({ webhook_secret: sealed })
    .where('connection', '=', connection)
    .where('webhook_secret', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores our webhook at the source; its address is sealed here, its secret by the caller. */
export async function rememberWebhook(
  db: MirrorDb,
  connection: string,
  webhook: { id: number | null; url: string | null; secret: string | null },
): Promise<void> {
  const webhook_url = webhook.url === null ? null : sealerOf(db).seal(webhook.url, hookContext(connection));
  await db
    .updateTable('connections')
    .set({ webhook_id: webhook.id, webhook_url, webhook_secret: webhook.secret })
    .where('connection', '=', connection)
    .execute();
}
