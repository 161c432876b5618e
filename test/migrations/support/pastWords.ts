import { columns, tables, values } from '../../../migrations/mirror/0038_words.ts';

type Row = Record<string, unknown>;

const nameOf = new Map<string, string>(tables.map(([before, after]) => [before, after]));
const columnOf = new Map<string, string>(columns.map(([table, before, after]) => [`${table} ${before}`, after]));

/** Returns the name that a table of the past has today. */
export function tableToday(table: string): string {
  return nameOf.get(table) ?? table;
}

/** Returns the name that a column of a table of the past has today. */
export function columnToday(table: string, column: string): string {
  return columnOf.get(`${tableToday(table)} ${column}`) ?? column;
}

/** Returns a row of the past as the words of today say it. */
export function rowToday(table: string, row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      const known = values.find(
        ([of, name, before]) => of === tableToday(table) && name === column && before === value,
      );
      return [columnToday(table, column), known ? known[3] : value];
    }),
  );
}

/** Returns those columns of a row of today that a table of the past has, in the words of then. */
export function rowOfThen(table: string, row: Row, columnsOfThen: readonly string[]): Row {
  return Object.fromEntries(
    columnsOfThen.flatMap((column): [string, unknown][] => {
      const today = columnToday(table, column);
      if (!(today in row)) return [];
      const known = values.find(
        ([of, name, , after]) => of === tableToday(table) && name === today && after === row[today],
      );
      return [[column, known ? known[2] : row[today]]];
    }),
  );
}
