import type { z } from 'zod';
import type { Known } from '../../../client/known.ts';
import type { guest } from '../../../contract/reservations.ts';
import type { GuestsTable } from '../database.ts';
import { BOOKER, type PersonalOwner, type PersonalValues } from '../rows/personal.ts';
import { flag } from '../wireValues.ts';

type Guest = Known<z.output<typeof guest>>;
type PersonalColumn = 'name' | 'phone' | 'email' | 'id_number' | 'id_images';

/** The personal values that have a column of their own. Every other one is in `more`, by its path. */
const columnsOfBooker: Readonly<Record<string, PersonalColumn>> = {
  guest_name: 'name',
  guest_phone: 'phone',
  guest_email: 'email',
};
const columnsOfGuest: Readonly<Record<string, PersonalColumn>> = {
  name: 'name',
  phone: 'phone',
  email: 'email',
  id_number: 'id_number',
  id_images: 'id_images',
};

/** Returns the rows of `guests` for one stay: the booker, and each guest on record. */
export function guestRows(
  connection: string,
  stayCode: string,
  guests: readonly Guest[] | null,
  personal: PersonalValues,
): GuestsTable[] {
  const rows: GuestsTable[] = [];
  const booker = personal.get(BOOKER);
  if (booker) rows.push(rowFor(connection, stayCode, BOOKER, booker, undefined));
  for (const [index, one] of (guests ?? []).entries()) {
    // A guest without a number is identified by the position in the list.
    const key = one.id === null ? `#${index}` : String(one.id);
    // A list that names a guest twice gives one row: the first.
    if (rows.some((row) => row.guest_key === key)) continue;
    rows.push(rowFor(connection, stayCode, key, personal.get(key), one));
  }
  return rows;
}

function rowFor(
  connection: string,
  stayCode: string,
  key: string,
  owner: PersonalOwner | undefined,
  guest: Guest | undefined,
): GuestsTable {
  const row: GuestsTable = {
    connection,
    stay_code: stayCode,
    guest_key: key,
    name: null,
    phone: null,
    email: null,
    id_type: guest?.id_type ?? null,
    id_number: null,
    gender: guest?.gender ?? null,
    country: guest?.country ?? null,
    is_booker: flag(guest ? guest.is_booker : true),
    id_images: null,
    more: null,
  };
  const more: Record<string, unknown> = {};
  const columns = guest ? columnsOfGuest : columnsOfBooker;
  for (const [path, value] of owner?.values ?? []) {
    const column = columns[path];
    if (column === 'id_images') row.id_images = JSON.stringify(value);
    else if (column && typeof value === 'string') row[column] = value;
    else more[path] = value;
  }
  if (Object.keys(more).length > 0) row.more = JSON.stringify(more);
  return row;
}

/** Returns the personal values of a stored row, by path: the inverse of {@link guestRows}. */
export function valuesOf(row: GuestsTable): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const columns = row.guest_key === BOOKER ? columnsOfBooker : columnsOfGuest;
  for (const [path, column] of Object.entries(columns)) {
    const value = row[column];
    if (value !== null) values.set(path, column === 'id_images' ? JSON.parse(value) : value);
  }
  if (row.more !== null) {
    for (const [path, value] of Object.entries(JSON.parse(row.more) as Record<string, unknown>))
      values.set(path, value);
  }
  return values;
}
