import { grouped, span, table } from './output.ts';

type Flat = Readonly<Record<string, unknown>>;

/** Formats a nested status: indented lines `key: value`, and records of one shape as the rows of a table. */
export function statusText(value: unknown, depth = 0): string {
  const indent = '  '.repeat(depth);
  return Object.entries(value as Record<string, unknown>)
    .map(([key, one]) => {
      if (!isNested(one)) return `${indent}${key}: ${shown(key, one)}`;
      return `${indent}${key}:\n${areAlike(one) ? rowsOf(one, `${indent}  `) : statusText(one, depth + 1)}`;
    })
    .filter((line) => !line.endsWith(':\n'))
    .join('\n');
}

/** Returns true for flat records with the same keys. */
function areAlike(value: object): value is Readonly<Record<string, Flat>> {
  const records: unknown[] = Object.values(value);
  const keys = records.map((one) => (isFlat(one) ? Object.keys(one).join() : undefined));
  return keys[0] !== undefined && keys.every((one) => one === keys[0]);
}

function isFlat(value: unknown): value is Flat {
  return isNested(value) && !Array.isArray(value) && !Object.values(value).some(isNested);
}

/** Formats a record in each line, name first, without the columns that are empty in all records. */
function rowsOf(records: Readonly<Record<string, Flat>>, indent: string): string {
  const all = Object.values(records);
  const columns = Object.keys(all[0] ?? {}).filter((key) => all.some((one) => one[key] !== null));
  const lines = Object.entries(records).map(([name, one]) => [name, ...columns.map((key) => shown(key, one[key]))]);
  return table(['', ...columns], lines).replaceAll(/^/gm, indent);
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function shown(key: string, value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'object') return 'none';
  if (typeof value === 'number') return /(^|_)age$/.test(key) ? span(value) : grouped(value);
  return JSON.stringify(value).replaceAll('"', '');
}
