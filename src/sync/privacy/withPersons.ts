import type { Fields } from '../../client/fields.ts';
import type { MirrorDb } from '../tables/database.ts';
import { valuesOf } from '../tables/reservations/guests.ts';
import { storedGuests } from '../tables/reservations/reservations.ts';
import { BOOKER, type GuestReference, isReference } from '../tables/rows/personal.ts';

/**
 * Returns a stored row in the form of upstream: references are replaced by the personal values, or null once those are
 * erased.
 */
export async function withPersons(
  db: MirrorDb,
  row: { connection: string; resource: string; rowKey: string },
  raw: Fields,
): Promise<Fields> {
  const value = row.resource === 'reservation' ? await guestsOf(db, row) : await valuesOfRow(db, row);
  return filled(raw, '', value) as Fields;
}

/** Returns the value behind a reference, by its path in the row. */
type Lookup = (owner: string, path: string) => unknown;

async function guestsOf(db: MirrorDb, row: { connection: string; rowKey: string }): Promise<Lookup> {
  const guests = await storedGuests(db, { connection: row.connection, stays: [row.rowKey] });
  const byOwner = new Map(guests.map((guest) => [guest.guest_key, valuesOf(guest)]));
  return (owner, path) => byOwner.get(owner)?.get(owner === BOOKER ? path : path.replace(/^.*?\.\d+\./, ''));
}

async function valuesOfRow(
  db: MirrorDb,
  row: { connection: string; resource: string; rowKey: string },
): Promise<Lookup> {
  const values = await db
    .selectFrom('personal_values')
    .select(['path', 'text', 'json'])
    .where('connection', '=', row.connection)
    .where('resource', '=', row.resource)
    .where('row_key', '=', row.rowKey)
    .execute();
  const byPath = new Map(
    values.map(({ path, text, json }) => [path, json === null ? text : (JSON.parse(json) as unknown)]),
  );
  return (_owner, path) => byPath.get(path);
}

function filled(value: unknown, path: string, lookup: Lookup): unknown {
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    // A list of personal values is stored as one.
    const [first] = list;
    if (isReference(first)) return lookup(ownerOf(first), path) ?? [];
    return list.map((element, index) => filled(element, `${path}.${index}`, lookup));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isReference(value)) return lookup(ownerOf(value), path) ?? null;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, filled(field, path === '' ? name : `${path}.${name}`, lookup)]),
  );
}

function ownerOf({ $guest }: GuestReference): string {
  return $guest.slice($guest.lastIndexOf('/') + 1);
}
