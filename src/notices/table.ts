import type { Kysely } from 'kysely';
import type { Instant } from '../kernel/dates.ts';
import { next, type TriggerOf } from '../kernel/transitions.ts';
import { inList } from '../store/queries/inList.ts';
import { insertMany } from '../store/queries/insertMany.ts';
import type { Mirror, MirrorDb, MirrorTrx } from '../sync/tables/database.ts';
import { noticeLife } from './states.ts';
import type { NoticeAlarmsTable, NoticePlacesTable, NoticesTable } from './tables.ts';

type Db = Kysely<Mirror>;
type PlaceName = Pick<NoticePlacesTable, 'connection' | 'place_id'>;

export function placesOf(db: MirrorDb, connection: string): Promise<NoticePlacesTable[]> {
  return db
    .selectFrom('notice_places')
    .selectAll()
    .where('connection', '=', connection)
    .orderBy('created_at')
    .orderBy('place_id')
    .execute();
}

export async function changePlace(
  db: Db,
  { connection, place_id }: PlaceName,
  changes: Partial<NoticePlacesTable>,
): Promise<void> {
  await db
    .updateTable('notice_places')
    .set(changes)
    .where('connection', '=', connection)
    .where('place_id', '=', place_id)
    .execute();
}

/** Deletes a place with everything that it was told. */
export async function removePlace(trx: MirrorTrx, { connection, place_id }: PlaceName): Promise<void> {
  for (const table of ['notices', 'notice_places'] as const)
    await trx.deleteFrom(table).where('connection', '=', connection).where('place_id', '=', place_id).execute();
}

/** Takes a place for this process until then. @returns false if another one has it */
export async function claimPlace(
  db: Db,
  { connection, place_id }: PlaceName,
  { now, until }: { now: Instant; until: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notice_places')
    .set({ claimed_until: until })
    .where('connection', '=', connection)
    .where('place_id', '=', place_id)
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets go of all places. One process owns a SQLite store, so an earlier claim means nothing. */
export async function dropPlaceClaims(db: Db, connection: string): Promise<void> {
  await db
    .updateTable('notice_places')
    .set({ claimed_until: null })
    .where('connection', '=', connection)
    .where('claimed_until', 'is not', null)
    .execute();
}

/** Stores notices; a place that knows of the thing already gets no second one. @returns the number of new ones */
export function putNotices(trx: MirrorTrx, rows: readonly NoticesTable[]): Promise<number> {
  return insertMany(trx, 'notices', rows, { columns: ['connection', 'place_id', 'about'] });
}

/** Reads what waits for a place, the oldest first. */
export function waitingOf(db: Db, { connection, place_id }: PlaceName, limit: number): Promise<NoticesTable[]> {
  return db
    .selectFrom('notices')
    .selectAll()
    .where('connection', '=', connection)
    .where('place_id', '=', place_id)
    .where('state', '=', 'waiting')
    .orderBy('next_at')
    .orderBy('notice_id')
    .limit(limit)
    .execute();
}

/** Ends notices, or puts them off. A notice that has ended says nothing any more. */
export async function moveNotices(
  trx: MirrorTrx,
  notices: readonly Pick<NoticesTable, 'connection' | 'notice_id'>[],
  trigger: Exclude<TriggerOf<typeof noticeLife>, 'make'>,
  changes: Partial<Omit<NoticesTable, 'state'>>,
): Promise<void> {
  const [first] = notices;
  if (!first) return;
  const state = next(noticeLife, 'waiting', trigger);
  await trx
    .updateTable('notices')
    .set({ ...changes, state, ...(state !== 'waiting' && { text: '' }) })
    .where('connection', '=', first.connection)
    .where((eb) =>
      inList(
        eb.ref('notice_id'),
        notices.map(({ notice_id }) => notice_id),
      ),
    )
    .where('state', '=', 'waiting')
    .execute();
}

/** Reads the notices about a thing, at every place. */
export function noticesAbout(db: Db, connection: string, about: string): Promise<NoticesTable[]> {
  return db.selectFrom('notices').selectAll().where('connection', '=', connection).where('about', '=', about).execute();
}

/** Reads the newest notices of a connection, or of one place. */
export function newestNotices(
  db: MirrorDb,
  { connection, placeId, limit }: { connection: string; placeId?: string | undefined; limit: number },
): Promise<NoticesTable[]> {
  return db
    .selectFrom('notices')
    .selectAll()
    .where('connection', '=', connection)
    .$if(placeId !== undefined, (query) => query.where('place_id', '=', placeId ?? ''))
    .orderBy('notice_id', 'desc')
    .limit(limit)
    .execute();
}

/** Deletes notices that ended before. @returns how many, at most `limit` */
export async function pruneNotices(
  trx: MirrorTrx,
  { connection, before, limit }: { connection: string; before: Instant; limit: number },
): Promise<number> {
  const rows = await trx
    .selectFrom('notices')
    .select('notice_id')
    .where('connection', '=', connection)
    .where('ended_at', '<', before)
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  const ids = rows.map(({ notice_id }) => notice_id);
  await trx
    .deleteFrom('notices')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('notice_id'), ids))
    .execute();
  return ids.length;
}

export function knownAlarms(db: Db, connection: string): Promise<NoticeAlarmsTable[]> {
  return db
    .selectFrom('notice_alarms')
    .selectAll()
    .where('connection', '=', connection)
    .orderBy('seen_at')
    .orderBy('alarm')
    .execute();
}

export async function addAlarm(trx: MirrorTrx, row: NoticeAlarmsTable): Promise<void> {
  await insertMany(trx, 'notice_alarms', [row], { columns: ['connection', 'alarm_key'] });
}

export async function changeAlarm(
  trx: MirrorTrx,
  { connection, alarm_key }: Pick<NoticeAlarmsTable, 'connection' | 'alarm_key'>,
  changes: Partial<NoticeAlarmsTable>,
): Promise<void> {
  await trx
    .updateTable('notice_alarms')
    .set(changes)
    .where('connection', '=', connection)
    .where('alarm_key', '=', alarm_key)
    .execute();
}

export async function removeAlarm(
  trx: MirrorTrx,
  { connection, alarm_key }: Pick<NoticeAlarmsTable, 'connection' | 'alarm_key'>,
): Promise<void> {
  await trx
    .deleteFrom('notice_alarms')
    .where('connection', '=', connection)
    .where('alarm_key', '=', alarm_key)
    .execute();
}
