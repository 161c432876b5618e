import type { Kysely } from 'kysely';
import { inList } from '../store/inList.ts';
import { prepared } from '../store/prepared.ts';
import type { Applied, ApplyContext } from './apply.ts';
import type { Mirror, Origin } from './database.ts';
import { markKeys } from './markKeys.ts';
import { AVAILABILITY } from './mirror/availability.ts';
import { CALENDAR } from './mirror/calendar.ts';
import { listings } from './mirror/listings.ts';
import { properties } from './mirror/properties.ts';
import type { MirrorResource } from './mirror/resource.ts';
import type { ReadNumbers } from './readNumbers.ts';

type Context = Pick<ApplyContext, 'store' | 'connection' | 'clock'> & { numbers: ReadNumbers };

const knownProperties = prepared((db: Kysely<Mirror>, arg: { connection: string; ids: readonly number[] }) =>
  db
    .selectFrom('properties')
    .select('id')
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('id'), arg.ids)),
);

/**
 * Asks for a read of properties that the mirror has not met: no event announces a new one, but its bookings and
 * nights name it.
 * @returns whether there were any
 */
export async function markUnknown(context: Context, named: readonly number[], origin: Origin): Promise<boolean> {
  const ids = [...new Set(named)].filter((id) => Number.isSafeInteger(id) && id > 0);
  if (ids.length === 0) return false;
  const { store, connection } = context;
  const known = new Set((await knownProperties(store.db, { connection, ids })).map((row) => row.id));
  const unknown = ids.filter((id) => !known.has(id)).map((id) => ({ resource: properties.name, key: String(id) }));
  await markKeys(context, unknown, origin);
  return unknown.length > 0;
}

/** The same for the properties that changed rows name. */
export async function markNamed(
  context: Context,
  resource: MirrorResource,
  applied: Applied,
  origin: Origin,
): Promise<boolean> {
  if (!resource.property || applied.changes.length === 0) return false;
  const named = applied.changes.map(({ raw }) => resource.property?.(raw) ?? 0);
  return markUnknown(context, named, origin);
}

const calendarOf: ReadonlyMap<MirrorResource, string> = new Map([
  [properties, AVAILABILITY],
  [listings, CALENDAR],
]);

/** Asks for all days of what a look-up has just met for the first time; a walk reads them anyway. */
export async function markCalendars(
  context: Context,
  resource: MirrorResource,
  applied: Applied,
  origin: Origin,
): Promise<boolean> {
  const calendar = calendarOf.get(resource);
  if (calendar === undefined) return false;
  const keys = applied.changes
    .filter((change) => change.op === 'created')
    .map((change) => ({ resource: calendar, key: change.key }));
  await markKeys(context, keys, origin);
  return keys.length > 0;
}
