import { msOf } from '../kernel/dates.ts';
import type { MirrorDb } from '../sync/tables/database.ts';
import type { NoticeAlarm } from './context.ts';
import { placesOf } from './table.ts';

/** Milliseconds of failure that are no accident. */
const FAILING_MS = 10 * 60_000;

/** Returns the places that take nothing. */
export async function noticeTroubles(db: MirrorDb, connection: string, now: number): Promise<NoticeAlarm[]> {
  const places = await placesOf(db, connection);
  return places
    .filter(
      ({ state, failing_since: since }) => state === 'active' && since !== null && now - msOf(since) >= FAILING_MS,
    )
    .map(({ name, failing_since, problem }) => ({
      alarm: `notices to ${name}`,
      says: `nothing has reached "${name}" since ${failing_since}: ${problem}`,
      remedy: `mend its settings and test it: ./stayd notices test "${name}"; or pause it`,
    }));
}
