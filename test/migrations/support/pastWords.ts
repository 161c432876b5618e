import { columns, tables, values } from '../../../migrations/bridge/mirror/0038_words.ts';
import type { Half } from './upgrades.ts';

type Row = Record<string, unknown>;

/** Names and values that a half once had, and those of today. */
export interface PastWords {
  /** Since this migration the words are those of today. */
  readonly until: string;
  tableToday(table: string): string;
  columnToday(table: string, column: string): string;
  /** Returns a row of the past as the words of today say it. */
  rowToday(table: string, row: Row): Row;
  /** Returns those columns of a row of today that a table of the past has, in the words of then. */
  rowOfThen(table: string, row: Row, columnsOfThen: readonly string[]): Row;
}

interface Words {
  readonly until: string;
  readonly tables: readonly (readonly [before: string, now: string])[];
  readonly columns: readonly (readonly [table: string, before: string, now: string])[];
  readonly values: readonly (readonly [table: string, column: string, before: string, now: string])[];
}

function pastOf(words: Words): PastWords {
  const nameOf = new Map<string, string>(words.tables);
  const columnOf = new Map(words.columns.map(([table, before, now]) => [`${table} ${before}`, now]));
  const tableToday = (table: string) => nameOf.get(table) ?? table;
  const columnToday = (table: string, column: string) => columnOf.get(`${tableToday(table)} ${column}`) ?? column;
  return {
    until: words.until,
    tableToday,
    columnToday,
    rowToday(table, row) {
      return Object.fromEntries(
        Object.entries(row).map(([column, value]) => {
          const known = words.values.find(
            ([of, name, before]) => of === tableToday(table) && name === column && before === value,
          );
          return [columnToday(table, column), known ? known[3] : value];
        }),
      );
    },
    rowOfThen(table, row, columnsOfThen) {
      return Object.fromEntries(
        columnsOfThen.flatMap((column): [string, unknown][] => {
          const today = columnToday(table, column);
          if (!(today in row)) return [];
          const known = words.values.find(
            ([of, name, , now]) => of === tableToday(table) && name === today && now === row[today],
          );
          return [[column, known ? known[2] : row[today]]];
        }),
      );
    },
  };
}

export const pastWords: Record<Half, PastWords> = {
  core: pastOf({
    until: '0026_channel_reservations',
    tables: [['channel_bookings', 'channel_reservations']],
    columns: [],
    values: [],
  }),
  mirror: pastOf({ until: '0038_words', tables, columns, values }),
};

/** What has the words of today already. */
export const noPast = pastOf({ until: '', tables: [], columns: [], values: [] });
