import { type Kysely, sql } from 'kysely';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Instant } from '../../../kernel/dates.ts';
import type { Mirror, MirrorDb, MirrorTrx } from '../../tables/database.ts';

const anyone = prepared((db: Kysely<Mirror>, arg: { connection: string }) =>
  db.selectFrom('erasures').select('erased_at').where('connection', '=', arg.connection).limit(1),
);

/** Returns true if any erasure was ever made in this connection. */
export async function hasErasures(db: MirrorDb, connection: string): Promise<boolean> {
  return (await anyone(db, { connection })).length > 0;
}

const among = prepared((db: Kysely<Mirror>, arg: { connection: string; subjects: readonly string[] }) =>
  db
    .selectFrom('erasures')
    .select(['subject', 'erased_at'])
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('subject'), arg.subjects)),
);

/** Returns the erased ones among these fingerprints, with the time of erasure. */
export async function erasedAmong(
  db: MirrorDb,
  connection: string,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await among(db, { connection, subjects });
  return new Map(rows.map((row) => [row.subject, row.erased_at]));
}

/** One line of the record of erasures, which is also stored outside the database. */
export interface Erasure {
  connection: string;
  subject: string;
  erasure_id: string;
  erased_at: Instant;
}

/** Stores erasures; known ones do not change. @returns the number of new ones */
export function insertErasures(trx: MirrorTrx, erasures: readonly Erasure[]): Promise<number> {
  const rows = erasures.map((one) => ({ ...one, applied: 0 }));
  return insertMany(trx, 'erasures', rows, { columns: ['connection', 'subject'] });
}

/** Returns the stored erasures that are not among these. */
export async function erasuresBeside(db: MirrorDb, known: readonly Erasure[]): Promise<Erasure[]> {
  const names = new Set(known.map(nameOf));
  const rows = await db
    .selectFrom('erasures')
    .select(['connection', 'subject', 'erasure_id', 'erased_at'])
    .orderBy('erased_at')
    .orderBy('subject')
    .execute();
  return rows.filter((row) => !names.has(nameOf(row)));
}

function nameOf({ connection, subject }: Erasure): string {
  return JSON.stringify([connection, subject]);
}

/** Returns connections with erasures that may be incomplete. */
export async function unfinished(db: MirrorDb): Promise<string[]> {
  const rows = await db
    .selectFrom('erasures')
    .select('connection')
    .distinct()
    .where('applied', '=', sql.lit(0))
    .execute();
  return rows.map((row) => row.connection);
}

/** Marks all erasures up to a moment as complete. */
export async function finish(db: MirrorDb, connection: string, erasedAt: Instant): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ applied: 1 })
    .where('connection', '=', connection)
    .where('applied', '=', 0)
    .where('erased_at', '<=', erasedAt)
    .execute();
}
