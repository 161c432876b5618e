type Fields = Record<string, unknown>;

/** Summarizes the result of a call in a line: the number of rows, or the id of the new one. */
export function summaryOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return 'Done.';
  const fields = data as Fields;
  const lists = Object.entries(fields).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [list] = lists;
  if (list && lists.length === 1)
    return `Done. ${countOf(list[1].length, fields['total'])} ${wordsOf(list[0])}; see structuredContent.`;
  const ids = Object.entries(fields).filter(([name, value]) => /(_id|_code|^id)$/.test(name) && isShort(value));
  const isMore = Object.keys(fields).length > ids.length;
  const named = ids.map(([name, value]) => `${name} ${String(value)}`).join(', ');
  return ['Done.', named && `${named}.`, isMore && 'See structuredContent.'].filter(Boolean).join(' ');
}

function countOf(rows: number, total: unknown): string {
  return typeof total === 'number' ? `${rows} of ${total}` : String(rows);
}

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}

function isShort(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.length <= 64);
}
