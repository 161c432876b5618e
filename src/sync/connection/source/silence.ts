import type { Instant } from '../../../kernel/dates.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { newestReceived } from '../../queue/inbox.ts';
import type { RegistrationNote } from '../webhook/registrationNote.ts';

/** The number of changes without an event, and with no event since, that is no accident. */
const UNLIKELY = 5;

/**
 * Counts the changes that reads have found since the newest event, although events should have announced them. An event
 * that may still be under way is not counted: after a restart, reads are often faster than the events.
 */
export async function missedSince(db: MirrorDb, connection: string, newest: Instant | null): Promise<number> {
  const { count } = await db
    .selectFrom('lost_events')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('connection', '=', connection)
    .where('state', '=', 'lost')
    .$if(newest !== null, (query) => query.where('seen_at', '>', newest as Instant))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns true if events must have been sent since the registration was made, and none has come. */
export async function isUnlikelySilent(
  db: MirrorDb,
  connection: string,
  { made_at }: Pick<RegistrationNote, 'made_at'>,
): Promise<boolean> {
  const newest = (await newestReceived(db, connection)) ?? null;
  const since = made_at !== null && (newest === null || made_at > newest) ? made_at : newest;
  return (await missedSince(db, connection, since)) >= UNLIKELY;
}
