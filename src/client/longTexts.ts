import type { Fields } from './fields.ts';

/**
 * The maximum length of a text in characters: no text of v3 is longer than a body that it accepts. Longer ones are cut.
 */
export const LONGEST_TEXT = 1_048_576;
/** The length of a cut text, in characters. */
const KEPT = 100_000;

/**
 * Cuts texts that are far too long, anywhere in an answer, and marks their ends: each is copied, compared and written a
 * dozen times over, while all other work waits.
 */
export function cutLongTexts(fields: Fields): void {
  // A loop instead of recursion, since an answer can be nested to any depth. The places of a list are its names.
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
  // The copy through bytes is needed, since a slice of a text keeps the whole text in memory.
  const beginning = Buffer.from(text.slice(0, KEPT), 'utf8').toString('utf8');
  return `${beginning}… [cut: this text had ${text.length} characters]`;
}
