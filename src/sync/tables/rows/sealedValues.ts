import type { QueryExecutorProvider } from 'kysely';
import type { Fields } from '../../../client/fields.ts';
import type { Sealer } from '../../../kernel/seal.ts';
import { sealerOf } from '../../../store/sealing/keyed.ts';
import type { GuestsTable } from '../database.ts';
import type { FieldChange } from './diff.ts';

/** Seals or opens a text that belongs to a context, or seals it with another key. */
export type TextTurn = (text: string, context: string) => string;

/** Kinds of rows with a field that is sealed everywhere: in its table, in old versions, in diffs. */
const sealedFields: Readonly<Record<string, string>> = { webhook: 'url', calendar_share_link: 'url' };
export const SEALED_RESOURCES = Object.keys(sealedFields);

/** Matches the path of the lock code among the further personal values of a stay. */
const LOCK_CODE = /(^|\.)lock_code$/;

/** A row, as events name it. */
export interface RowName {
  connection: string;
  resource: string;
  key: string | number;
}

/** Returns the row of a guest in its stored, sealed form. */
export function sealedGuest(db: QueryExecutorProvider, guest: GuestsTable): GuestsTable {
  const { seal } = lazy(db);
  return { ...guest, more: turnMore(guest, seal) };
}

/** Reverses {@link sealedGuest}. */
export function openedGuest<Guest extends Pick<GuestsTable, 'connection' | 'stay_code' | 'more'>>(
  db: QueryExecutorProvider,
  guest: Guest,
): Guest {
  const { open } = lazy(db);
  return { ...guest, more: turnMore(guest, open) };
}

/** Returns the further personal values of a guest with the lock code sealed or opened; null: there are none. */
export function turnMore(
  { connection, stay_code, more }: Pick<GuestsTable, 'connection' | 'stay_code' | 'more'>,
  turn: TextTurn,
): string | null {
  // Most have none, and a page of guests is read often.
  if (more === null || !more.includes('lock_code')) return more;
  const values = fieldsOf(more);
  if (values === undefined) return more;
  const context = `lock code of ${stay_code} of ${connection}`;
  const turned = Object.entries(values).map(([path, value]) => [
    path,
    LOCK_CODE.test(path) && typeof value === 'string' ? turn(value, context) : value,
  ]);
  return JSON.stringify(Object.fromEntries(turned));
}

/** Returns the raw form of a row as it is stored. */
export function sealedRaw(db: QueryExecutorProvider, row: RowName, raw: string): string {
  return turnRaw(row, raw, lazy(db).seal);
}

/** Reverses {@link sealedRaw}. */
export function openedRaw(db: QueryExecutorProvider, row: RowName, raw: string): string {
  return turnRaw(row, raw, lazy(db).open);
}

/** Seals or opens the sealed field of a raw row; a row without one does not change. */
export function turnRaw(row: RowName, raw: string, turn: TextTurn): string {
  const field = sealedFields[row.resource];
  if (field === undefined) return raw;
  const fields = fieldsOf(raw);
  if (fields === undefined) return raw;
  return JSON.stringify({ ...fields, ...turnField(fields, field, row, turn) });
}

/** Returns the diff of a change as it is stored. */
export function sealedDiff(
  db: QueryExecutorProvider,
  row: RowName,
  diff: readonly FieldChange[],
): readonly FieldChange[] {
  return turnDiff(row, diff, lazy(db).seal);
}

/** Reverses {@link sealedDiff}, from and to text. */
export function openedDiff(db: QueryExecutorProvider, row: RowName, diff: string | null): string | null {
  if (diff === null || sealedFields[row.resource] === undefined) return diff;
  return JSON.stringify(turnDiff(row, JSON.parse(diff) as FieldChange[], lazy(db).open));
}

/** Seals or opens the sealed field in a diff. */
export function turnDiff(row: RowName, diff: readonly FieldChange[], turn: TextTurn): readonly FieldChange[] {
  const field = sealedFields[row.resource];
  if (field === undefined) return diff;
  return diff.map((change) =>
    change.path === field
      ? { ...change, ...turnField(change, 'before', row, turn), ...turnField(change, 'after', row, turn) }
      : change,
  );
}

function turnField(fields: object, name: string, row: RowName, turn: TextTurn): Fields {
  const value: unknown = Reflect.get(fields, name);
  return typeof value === 'string' ? { [name]: turn(value, urlContext(row)) } : {};
}

/** Parses a stored object; undefined if it was tampered with. Left unchanged, it differs from the source. */
function fieldsOf(text: string): Fields | undefined {
  try {
    return JSON.parse(text) as Fields;
  } catch {
    return undefined;
  }
}

/** Returns the context for sealing the address of a webhook or of a shared calendar. */
export function urlContext({ connection, resource, key }: RowName): string {
  return `address of ${resource} ${key} of ${connection}`;
}

/** Returns the typed columns of a row as they are stored. */
export function sealedColumns<Columns extends object>(
  db: QueryExecutorProvider,
  row: RowName,
  columns: Columns,
): Columns {
  const field = sealedFields[row.resource];
  return field === undefined ? columns : { ...columns, ...turnField(columns, field, row, lazy(db).seal) };
}

/** Reverses {@link sealedColumns}. */
export function openedColumns<Columns extends object>(
  db: QueryExecutorProvider,
  row: RowName,
  columns: Columns,
): Columns {
  const field = sealedFields[row.resource];
  return field === undefined ? columns : { ...columns, ...turnField(columns, field, row, lazy(db).open) };
}

/** Returns the context for sealing the address of our own webhook at a source. */
export function hookContext(connection: string): string {
  return `address of our webhook at ${connection}`;
}

/**
 * Opens a text, or returns it unchanged if it does not open. Such a text was tampered with, since the key was proven at
 * the start. Unchanged it differs from the source, so the next comparison finds and repairs it.
 */
function openedText(sealer: Sealer, text: string, context: string): string {
  try {
    return sealer.open(text, context);
  } catch {
    return text;
  }
}

/** Asks for the key only if there is something to seal or open. */
function lazy(db: QueryExecutorProvider): { seal: TextTurn; open: TextTurn } {
  return {
    seal: (text, context) => sealerOf(db).seal(text, context),
    open: (text, context) => openedText(sealerOf(db), text, context),
  };
}
