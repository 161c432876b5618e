import { z } from 'zod';
import { columnChoice, columnName, oneWay, scalar } from './oneWay.ts';
import { cellReader, refuse, type Reader, type ReadingRow, type Scope } from './scope.ts';
import { mappedReader, valueMap, type TextReader } from './text.ts';

const wholeNumber = z.int({ error: 'give a whole number' }).min(0);

/** A whole number: from a column, fixed, or the sum of columns. An empty column counts as 0. */
export const countField = oneWay({
  column: z.strictObject({ column: columnChoice, map: valueMap.optional(), default: scalar.optional() }),
  value: z.strictObject({ value: wholeNumber }),
  sum: z.strictObject({ sum: z.array(columnName).min(1) }),
});
type CountField = z.output<typeof countField>;

/** @param name the target field, for the rejects file @param key the mapping key, for messages */
export function countReader(field: CountField, scope: Scope, name: string, key: string): Reader<number> {
  if ('value' in field) return () => field.value;
  if ('sum' in field) return sumReader(field.sum, scope, name, key);
  const text = mappedReader(cellReader(scope, field.column, `${key}.column`), field.map, field.default);
  return oneCount(text, scope, name);
}

function sumReader(columns: readonly string[], scope: Scope, name: string, key: string): Reader<number> {
  const parts = columns.map((column) => oneCount(cellReader(scope, column, `${key}.sum`), scope, name));
  return (row) => {
    let sum: number | null = null;
    for (const part of parts) {
      const count = part(row);
      if (count === undefined) return undefined;
      if (count !== null) sum = (sum ?? 0) + count;
    }
    return sum;
  };
}

/** Reads one whole number. Zero decimals are accepted, since spreadsheets write `2.0` when a column has empty cells. */
function oneCount(text: TextReader, scope: Scope, name: string): Reader<number> {
  return (row: ReadingRow) => {
    const written = text(row);
    if (written === null) return null;
    const number = scope.readNumber(written);
    if (!number || number.mark !== '') return refuse(row, name, 'not a number', written);
    const count = Number(number.plain);
    if (!Number.isSafeInteger(count)) return refuse(row, name, 'not a whole number', written);
    return count < 0 ? refuse(row, name, 'negative number', written) : count;
  };
}
