import type { Fields } from './fields.ts';

/** No text of v3 is longer than a body that it takes; one that is, in characters, is cut. */
export const LONGEST_TEXT = 1_048_576;
/** What is left of one that was cut, in characters. */
const KEPT = 100_000;

/**
 * Cuts texts that are far too long, wherever they stand in an answer, and says so at their ends: each is copied,
 * compared and written a dozen times over, while everybody waits.
 */
export function cutLongTexts(fields: Fields): void {
  // No call for each, since an answer can be nested as deep as it likes. A list has its places for names.
  const open = [fields];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const name of Object.keys(node)) {
      const value = node[name];
      if (typeof value === 'object' && value !== null) open.push(value as Fields);
      else if (typeof value === 'string' && value.length > LONGEST_TEXT) node[name] = cut(value);
    }
  }
}

function cut(text: string): string {
  // By way of bytes, since a part of a text keeps the whole of it in memory.
  const beginning = Buffer.from(text.slice(0, KEPT), 'utf8').toString('utf8');
  return `${beginning}… [cut: this text had ${text.length} characters]`;
}
