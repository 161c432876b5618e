import { type Kysely, sql } from 'kysely';
import { type Instant, instantOf } from '../../../kernel/dates.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorDb, MirrorTrx } from '../../tables/database.ts';

const HOUR_MS = 60 * 60_000;
/** The age after which one read a minute is enough to date the others. */
const EXACT_MS = HOUR_MS;
/** Longer than any row may wait to be read again. */
const KEPT_MS = 60 * 24 * HOUR_MS;

const insertTime = prepared((db: Kysely<Mirror>, arg: { connection: string; number: number; at: Instant }) =>
  db
    .insertInto('read_times')
    .values(arg)
    .onConflict((conflict) => conflict.columns(['connection', 'number']).doNothing()),
);

/** Stores the sending time of the read whose answer is being applied. */
export async function noteSent(
  trx: MirrorTrx,
  { connection, number, at }: { connection: string; number: number; at: Instant | undefined },
): Promise<void> {
  if (at !== undefined) await insertTime(trx, { connection, number, at });
}

const timeAtOrBefore = prepared((db: Kysely<Mirror>, arg: { connection: string; number: number }) =>
  db
    .selectFrom('read_times')
    .select('at')
    .where('connection', '=', arg.connection)
    .where('number', '<=', arg.number)
    .orderBy('number', 'desc')
    .limit(1),
);

/** Returns a moment at or shortly before the sending of a read; undefined if it is no longer known. */
export async function sentAtOrBefore(db: MirrorDb, connection: string, number: number): Promise<Instant | undefined> {
  return (await timeAtOrBefore(db, { connection, number }))[0]?.at;
}

/** Thins out old moments to one a minute, and deletes very old ones. */
export async function thinTimes(db: MirrorDb, connection: string, nowMs: number): Promise<void> {
  const minute = sql<string>`substr(at, 1, 16)`;
  const old = db
    .selectFrom('read_times')
    .where('connection', '=', connection)
    .where('at', '<', instantOf(nowMs - EXACT_MS));
  await db
    .deleteFrom('read_times')
    .where('connection', '=', connection)
    .where('at', '<', instantOf(nowMs - EXACT_MS))
    // Younger ones have been thinned out before.
    .where('at', '>', instantOf(nowMs - 3 * EXACT_MS))
    .where('number', 'not in', (eb) =>
      eb
        .selectFrom(
          old
            .select(({ fn }) => fn.min('number').as('number'))
            .groupBy(minute)
            .as('first'),
        )
        .select('number'),
    )
    .execute();
  await db
    .deleteFrom('read_times')
    .where('connection', '=', connection)
    .where('at', '<', instantOf(nowMs - KEPT_MS))
    .execute();
}
