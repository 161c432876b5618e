import type { Kysely } from 'kysely';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { Mirror, MirrorDb } from '../tables/database.ts';

/** The time until an absent key is requested again; each further answer of absence doubles it. */
const FIRST_MS = 60 * 60_000;
const LONGEST_MS = 24 * 60 * 60_000;

interface Keys {
  connection: string;
  resource: string;
  keys: readonly string[];
}

/**
 * Returns the keys among these that upstream does not have, according to recent answers. An event is reason to ask all
 * the same.
 */
export async function absentAmong(db: MirrorDb, of: Keys, nowMs: number): Promise<ReadonlySet<string>> {
  const rows = await knownAbsences(db, of);
  const now = instantOf(nowMs);
  return new Set(rows.filter((row) => row.ask_again_at > now).map((row) => row.key));
}

/** Reads the recorded absence of one key; undefined: there is none. */
export async function absenceOf(
  db: MirrorDb,
  { connection, resource, key }: Omit<Keys, 'keys'> & { key: string },
): Promise<{ found_at: Instant; times: number } | undefined> {
  return (await knownAbsences(db, { connection, resource, keys: [key] }))[0];
}

/** Records that upstream has answered 404 for one key, requested by itself. */
export async function noteAbsence(
  db: MirrorDb,
  { connection, resource, key }: Omit<Keys, 'keys'> & { key: string },
  nowMs: number,
): Promise<void> {
  const [known] = await knownAbsences(db, { connection, resource, keys: [key] });
  const times = (known?.times ?? 0) + 1;
  const waitMs = Math.min(FIRST_MS * 2 ** (times - 1), LONGEST_MS);
  const row = { found_at: instantOf(nowMs), times, ask_again_at: instantOf(nowMs + waitMs) };
  await db
    .insertInto('absences')
    .values({ connection, resource, key, ...row })
    .onConflict((conflict) => conflict.columns(['connection', 'resource', 'key']).doUpdateSet(row))
    .execute();
}

/** Deletes the recorded absences of keys that exist. */
export async function noteThere(db: MirrorDb, of: Keys): Promise<void> {
  const known = await knownAbsences(db, of);
  if (known.length > 0) await forgetAbsences(db, { ...of, keys: known.map((row) => row.key) });
}

/** Reads the recorded absences of these keys. */
export function knownAmong(db: MirrorDb, of: Keys) {
  return knownAbsences(db, of);
}

/** Deletes absences that were found before a moment. */
export async function forgetOld(
  db: MirrorDb,
  { connection, resource, before }: { connection: string; resource: string; before: Instant },
): Promise<void> {
  await db
    .deleteFrom('absences')
    .where('connection', '=', connection)
    .where('resource', '=', resource)
    .where('found_at', '<', before)
    .execute();
}

const knownAbsences = prepared((db: Kysely<Mirror>, arg: Keys) =>
  db
    .selectFrom('absences')
    .select(['key', 'times', 'found_at', 'ask_again_at'])
    .where('connection', '=', arg.connection)
    .where('resource', '=', arg.resource)
    .where((eb) => inList(eb.ref('key'), arg.keys)),
);

const forgetAbsences = prepared((db: Kysely<Mirror>, arg: Keys) =>
  db
    .deleteFrom('absences')
    .where('connection', '=', arg.connection)
    .where('resource', '=', arg.resource)
    .where((eb) => inList(eb.ref('key'), arg.keys)),
);
