/**
 * The real type of a column. money: whole minor units, shown in major units beside the currency that it names. decimal:
 * an exact number, stored as text.
 */
export type AnalystType =
  | 'text'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'date'
  | 'instant'
  | 'json'
  | 'flag'
  | { money: string };

/** What a view for BI tools adds to the note of a table. */
export interface AnalystNote {
  /** Types that the names of the columns do not tell. */
  types?: Readonly<Record<string, AnalystType>>;
  /** Columns that name or describe a person, or hold free text. `all`: every column, so the whole view is personal. */
  personal?: readonly string[] | 'all';
  /** Columns that no view shows: sealed values, and what only serves the work of stayd. */
  hidden?: readonly string[];
  /** The table that knows the currency of the row, for a table with amounts and no currency. */
  currencyIn?: { table: string; by: readonly string[] };
}

/** Free text of people stands in every raw row, in notes and remarks. */
const ALWAYS_PERSONAL: ReadonlySet<string> = new Set(['raw']);
const LISTS: ReadonlySet<string> = new Set([
  'raw',
  'tags',
  'groups',
  'event_ids',
  'property_ids',
  'room_type_ids',
  'reservation_codes',
]);

/** Returns true if only those who may see personal data see the column. */
export function isPersonal({ personal = [] }: AnalystNote, column: string): boolean {
  return personal === 'all' || personal.includes(column) || ALWAYS_PERSONAL.has(column);
}

/**
 * Returns the type of a column of a table: declared, or told by its name.
 * @param stored the type in the database: text, integer or real, by any of their names
 * @param columns all columns of the table, among which its currencies are
 */
export function analystType(
  { types = {} }: AnalystNote,
  column: string,
  stored: string,
  columns: readonly string[],
): AnalystType {
  const declared = types[column];
  if (declared !== undefined) return declared;
  if (column.endsWith('_minor')) return { money: currencyOf(column, columns) };
  if (LISTS.has(column)) return 'json';
  if (/int/i.test(stored)) return 'integer';
  if (!/text|char/i.test(stored)) return 'number';
  if (/(?:^|_)(?:at|since)$|^valid_(?:from|to)$/.test(column)) return 'instant';
  if (/(?:^|_)(?:date|night|on)$|^through$/.test(column)) return 'date';
  return 'text';
}

/** `deposit_currency` for `deposit_paid_minor`, else `currency`. */
function currencyOf(column: string, columns: readonly string[]): string {
  const own = columns.find((name) => {
    const [, subject] = /^(.+)_currency$/.exec(name) ?? [];
    return subject !== undefined && column.startsWith(`${subject}_`);
  });
  return own ?? 'currency';
}
