import type { Kysely } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { Mirror, MirrorTrx } from '../tables/database.ts';

/** The records that are complete from some moment on. */
type Kept = 'events' | 'changes' | 'versions';

const bound = prepared((db: Kysely<Mirror>, arg: { connection: string; kept: string }) =>
  db.selectFrom('history_bounds').select('since').where('connection', '=', arg.connection).where('kept', '=', arg.kept),
);

/** Returns the moment from which records are complete; undefined: none were ever deleted. */
export async function historyBound(db: Kysely<Mirror>, connection: string, kept: Kept): Promise<Instant | undefined> {
  return (await bound(db, { connection, kept }))[0]?.since;
}

/** Stores, in the transaction that deletes records, the moment from which they are complete. Never goes back. */
export async function raiseBound(trx: MirrorTrx, connection: string, kept: Kept, since: Instant): Promise<void> {
  const known = await historyBound(trx, connection, kept);
  if (known !== undefined && known >= since) return;
  await insertMany(trx, 'history_bounds', [{ connection, kept, since }], {
    columns: ['connection', 'kept'],
    update: ['since'],
  });
}
