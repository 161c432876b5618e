import type { Fields } from '../../client/fields.ts';
import type { GuestsTable } from '../tables/database.ts';
import { diffOf, type FieldChange } from '../tables/rows/diff.ts';
import { valuesOf } from '../tables/reservations/guests.ts';
import type { IncomingRow } from '../tables/rows/resource.ts';
import { type GuestReference, sameValues, type Values } from '../tables/rows/personal.ts';
import { changedValues } from '../privacy/personalValues.ts';
import type { StoredRow } from '../tables/rows/rowTable.ts';

/**
 * created: not known, or gone and back · updated: a field differs · same: spelled differently, means the same ·
 * unchanged: byte for byte · stale: a later read is already applied.
 */
type Verdict = 'created' | 'updated' | 'same' | 'unchanged' | 'stale';

/** A row of an answer, with the stored row and the result of their comparison. */
export interface Decided {
  row: IncomingRow;
  stored: StoredRow | undefined;
  verdict: Verdict;
  /** null where nothing is compared. */
  diff: readonly FieldChange[] | null;
}

/** The stored personal values of a row. */
interface Kept {
  guests: readonly GuestsTable[];
  values: Values;
}

/**
 * Compares a row of an answer, read with this number, with the row in the mirror.
 * @param rewrites writes the columns of an unchanged row again, since they may have been tampered with
 */
export function decide(
  row: IncomingRow,
  stored: StoredRow | undefined,
  kept: Kept,
  number: number,
  rewrites: boolean,
): Decided {
  if (!stored) return { row, stored, verdict: 'created', diff: null };
  if (stored.read_number >= number) return { row, stored, verdict: 'stale', diff: null };
  if (stored.deleted_at !== null) return { row, stored, verdict: 'created', diff: null };
  const sameRaw = stored.raw === row.rawText;
  const isSame = sameRaw && sameGuests(kept.guests, row.guests) && sameValues(kept.values, row.values);
  if (isSame && !rewrites) return { row, stored, verdict: 'unchanged', diff: null };
  const diff = [
    ...(sameRaw ? [] : diffOf(JSON.parse(stored.raw) as Fields, row.raw)),
    ...personalChanges(row, kept.guests),
    ...changedValues(row, kept.values),
  ];
  return { row, stored, verdict: diff.length === 0 ? 'same' : 'updated', diff };
}

const guestColumns = [
  'name',
  'phone',
  'email',
  'id_type',
  'id_number',
  'gender',
  'country',
  'is_booker',
  'id_images',
  'more',
] as const satisfies (keyof GuestsTable)[];

/** Returns true if two sets of guest rows of one stay hold the same values. */
export function sameGuests(a: readonly GuestsTable[], b: readonly GuestsTable[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((one) => {
    const other = b.find((row) => row.guest_key === one.guest_key);
    return other !== undefined && guestColumns.every((column) => one[column] === other[column]);
  });
}

/** Returns personal values that were replaced by others; both sides of the diff are references. */
function personalChanges(row: IncomingRow, storedGuests: readonly GuestsTable[]): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const stored of storedGuests) {
    const owner = row.personal.get(stored.guest_key);
    if (!owner) continue;
    const reference: GuestReference = { $guest: `${stored.stay_code}/${stored.guest_key}` };
    for (const [path, before] of valuesOf(stored)) {
      const after = owner.values.get(path);
      // A value that appears or goes shows in the raw row; so does a list that grows.
      if (after === undefined || JSON.stringify(after) === JSON.stringify(before)) continue;
      if (Array.isArray(after) && Array.isArray(before) && after.length !== before.length) continue;
      changes.push({ path: owner.prefix + path, before: reference, after: reference, personal: true });
    }
  }
  return changes;
}
