import type { QueryExecutorProvider } from 'kysely';
import type { Fields } from '../../../client/fields.ts';
import type { Sealer } from '../../../kernel/seal.ts';
import { sealerOf } from '../../../store/sealing/keyed.ts';
import type { GuestsTable } from '../database.ts';
import type { FieldChange } from './diff.ts';

/** Makes another text of one that belongs to a place: seals it, opens it, or seals it with another key. */
export type TextTurn = (text: string, context: string) => string;

/** Kinds of rows with a field that is kept sealed wherever the row stands: in its table, in old versions, in diffs. */
const sealedFields: Readonly<Record<string, string>> = { webhook: 'url', calendar_share_link: 'url' };
export const SEALED_RESOURCES = Object.keys(sealedFields);

/** Under this path further personal values of a stay hold its lock code. */
const LOCK_CODE = /(^|\.)lock_code$/;

/** A row, by the words of events. */
export interface RowName {
  connection: string;
  resource: string;
  key: string | number;
}

/** What the mirror keeps of a guest, as it is written. */
export function sealedGuest(db: QueryExecutorProvider, guest: GuestsTable): GuestsTable {
  const { seal } = lazy(db);
  return { ...guest, more: turnMore(guest, seal) };
}

/** The inverse. */
export function openedGuest<Guest extends Pick<GuestsTable, 'connection' | 'stay_code' | 'more'>>(
  db: QueryExecutorProvider,
  guest: Guest,
): Guest {
  const { open } = lazy(db);
  return { ...guest, more: turnMore(guest, open) };
}

/** The further personal values of a guest with its lock code turned; null: there are none. */
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

/** The raw form of a row, as it is written. */
export function sealedRaw(db: QueryExecutorProvider, row: RowName, raw: string): string {
  return turnRaw(row, raw, lazy(db).seal);
}

/** The inverse. */
export function openedRaw(db: QueryExecutorProvider, row: RowName, raw: string): string {
  return turnRaw(row, raw, lazy(db).open);
}

export function turnRaw(row: RowName, raw: string, turn: TextTurn): string {
  const field = sealedFields[row.resource];
  if (field === undefined) return raw;
  const fields = fieldsOf(raw);
  if (fields === undefined) return raw;
  return JSON.stringify({ ...fields, ...turnField(fields, field, row, turn) });
}

/** The diff of a change, as it is written. */
export function sealedDiff(
  db: QueryExecutorProvider,
  row: RowName,
  diff: readonly FieldChange[],
): readonly FieldChange[] {
  return turnDiff(row, diff, lazy(db).seal);
}

/** The inverse, of its text. */
export function openedDiff(db: QueryExecutorProvider, row: RowName, diff: string | null): string | null {
  if (diff === null || sealedFields[row.resource] === undefined) return diff;
  return JSON.stringify(turnDiff(row, JSON.parse(diff) as FieldChange[], lazy(db).open));
}

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

/** undefined: somebody has bent it. It differs from what the source says as it is. */
function fieldsOf(text: string): Fields | undefined {
  try {
    return JSON.parse(text) as Fields;
  } catch {
    return undefined;
  }
}

/** What the address of a webhook or of a shared calendar is sealed for. */
export function urlContext({ connection, resource, key }: RowName): string {
  return `address of ${resource} ${key} of ${connection}`;
}

/** Typed columns of a row, as they are written. */
export function sealedColumns<Columns extends object>(
  db: QueryExecutorProvider,
  row: RowName,
  columns: Columns,
): Columns {
  const field = sealedFields[row.resource];
  return field === undefined ? columns : { ...columns, ...turnField(columns, field, row, lazy(db).seal) };
}

/** The inverse. */
export function openedColumns<Columns extends object>(
  db: QueryExecutorProvider,
  row: RowName,
  columns: Columns,
): Columns {
  const field = sealedFields[row.resource];
  return field === undefined ? columns : { ...columns, ...turnField(columns, field, row, lazy(db).open) };
}

/** What the address of our own webhook at a source is sealed for. */
export function hookContext(connection: string): string {
  return `address of our webhook at ${connection}`;
}

/**
 * A text that does not open was bent, since the key was proven at the start. As it stands it differs from what the source
 * says, which is how it is found and mended.
 */
function openedText(sealer: Sealer, text: string, context: string): string {
  try {
    return sealer.open(text, context);
  } catch {
    return text;
  }
}

/** Asks for the key only where there is something to turn. */
function lazy(db: QueryExecutorProvider): { seal: TextTurn; open: TextTurn } {
  return {
    seal: (text, context) => sealerOf(db).seal(text, context),
    open: (text, context) => openedText(sealerOf(db), text, context),
  };
}
