import { OperatorError } from '../../kernel/errors.ts';
import type { WrittenNumber } from './numbers.ts';
import type { ColumnChoice } from './oneWay.ts';
import type { Moment, Problem, ReadingContext, Reason, Remark } from '../outcome.ts';

/** One data row, split into cells. */
export interface Row {
  line: number;
  row: number;
  cells: readonly string[];
}

/** A row while it is read, with its problems and its remarks. */
export interface ReadingRow extends Row {
  problems: Problem[];
  remarks: Remark[];
}

/**
 * Reads a value from a row: null when the file leaves it empty, undefined when it is unusable (the row then has the
 * problem).
 */
export type Reader<T> = (row: ReadingRow) => T | null | undefined;

/** The data that every reader is compiled with. */
export interface Scope {
  columns: Columns;
  isNull: (text: string) => boolean;
  readNumber: (text: string) => WrittenNumber | undefined;
  readMoment: (text: string) => Moment | undefined;
  months: ReadonlyMap<string, number>;
  context: ReadingContext;
}

/** The positions of a file's columns. It collects the missing columns that a mapping names. */
interface Columns {
  /**
   * @param choice the column, or names of which the first in the file counts
   * @param key the mapping key that names it, for the message
   */
  position: (choice: ColumnChoice, key: string) => number;
  /** Throws an OperatorError that names every missing column. */
  assertAllFound: (fileName: string) => void;
}

export function columnsOf(header: readonly string[]): Columns {
  const positions = new Map(header.map((name, index) => [name, index]));
  const missing: string[] = [];
  return {
    position(choice, key) {
      const names = [choice].flat();
      const position = names.map((name) => positions.get(name)).find((found) => found !== undefined);
      if (position !== undefined) return position;
      const listed = names.map((name) => `"${name}"`).join(' or ');
      missing.push(`${listed} (mapping key ${key})${nearMiss(names, header)}`);
      return -1;
    },
    assertAllFound(fileName) {
      if (missing.length === 0) return;
      throw new OperatorError(
        `${fileName} has no column ${missing.join(', no column ')}`,
        `its columns are: ${header.join(', ')}. If that looks wrong, check format.delimiter in the mapping, or format.sheet for a workbook`,
      );
    },
  };
}

/** Returns a reader of a cell's trimmed text; null when it is empty or one of the mapping's null texts. */
export function cellReader(scope: Scope, column: ColumnChoice, key: string): (row: Row) => string | null {
  const position = scope.columns.position(column, key);
  return (row) => {
    const text = (row.cells[position] ?? '').trim();
    return scope.isNull(text) ? null : text;
  };
}

/** Records a problem. It returns undefined so that a reader can return its result. */
export function refuse(row: ReadingRow, field: string, reason: Reason, value: string): undefined {
  row.problems.push({ field, reason, value });
  return undefined;
}

/** Records the interpretation of a value that is accepted. */
export function remark(row: ReadingRow, field: string, kind: Remark['remark'], value: string): void {
  row.remarks.push({ field, remark: kind, value });
}

function nearMiss(names: readonly string[], header: readonly string[]): string {
  const tidy = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '');
  const near = header.find((each) => names.some((name) => tidy(each) === tidy(name)));
  return near === undefined ? '' : `; did you mean "${near}"?`;
}
