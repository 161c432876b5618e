/** A nested status as indented lines, `key: value`, for people. */
export function statusText(value: unknown, depth = 0): string {
  const indent = '  '.repeat(depth);
  return Object.entries(value as Record<string, unknown>)
    .map(([key, one]) =>
      isNested(one) ? `${indent}${key}:\n${statusText(one, depth + 1)}` : `${indent}${key}: ${plain(one)}`,
    )
    .filter((line) => !line.endsWith(':\n'))
    .join('\n');
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'object') return 'none';
  return typeof value === 'number' ? value.toLocaleString('en-US') : JSON.stringify(value).replaceAll('"', '');
}
