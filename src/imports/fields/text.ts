import { z } from 'zod';
import { cellReader, type ReadingRow, type Scope } from './scope.ts';
import { columnChoice, oneWay, scalar } from './oneWay.ts';

/**
 * Replacements of the file's texts, in any case of letters. null empties the field. A text that is not listed becomes
 * the default, or stays if there is none.
 */
export const valueMap = z.record(z.string(), z.union([scalar, z.null()], { error: 'give a text, a number or null' }));

/** A text: from a column, fixed, or composed from `{row}`, `{line}` and `{column name}`. */
export const textField = oneWay({
  column: z.strictObject({ column: columnChoice, map: valueMap.optional(), default: scalar.optional() }),
  value: z.strictObject({ value: scalar }),
  template: z.strictObject({ template: z.string().min(1) }),
});
type TextField = z.output<typeof textField>;

/** A reader of text, which can be empty but never unusable. */
export type TextReader = (row: ReadingRow) => string | null;

export function textReader(field: TextField, scope: Scope, key: string): TextReader {
  if ('value' in field) return () => field.value;
  if ('template' in field) return templateReader(field.template, scope, `${key}.template`);
  return mappedReader(cellReader(scope, field.column, `${key}.column`), field.map, field.default);
}

/** Returns a reader of a cell with a map and a default. The default also replaces empty cells. */
export function mappedReader(
  cell: (row: ReadingRow) => string | null,
  map: z.output<typeof valueMap> | undefined,
  fallback: string | undefined,
): TextReader {
  const replacements = new Map(Object.entries(map ?? {}).map(([from, to]) => [from.trim().toLowerCase(), to]));
  return (row) => {
    const text = cell(row);
    if (text === null) return fallback ?? null;
    if (replacements.size === 0) return text;
    const replaced = replacements.get(text.toLowerCase());
    return replaced === undefined ? (fallback ?? text) : replaced;
  };
}

function templateReader(template: string, scope: Scope, key: string): TextReader {
  const parts = template.split(/\{([^{}]+)\}/).map((part, index) => {
    if (index % 2 === 0) return () => part;
    if (part === 'row') return (row: ReadingRow) => String(row.row);
    if (part === 'line') return (row: ReadingRow) => String(row.line);
    const cell = cellReader(scope, part, key);
    return (row: ReadingRow) => cell(row) ?? '';
  });
  return (row) => {
    let text = '';
    for (const part of parts) text += part(row);
    return text.trim() || null;
  };
}
