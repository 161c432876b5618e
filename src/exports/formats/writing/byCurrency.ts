import type { Currency } from '../../../kernel/money.ts';
import type { JournalEntry, Posting } from '../../journal/entry.ts';
import type { WrittenFile } from '../format.ts';

/** Returns the postings of an entry in one currency; they add up to zero. */
export function postingsIn(entry: JournalEntry, currency: Currency): Posting[] {
  return entry.postings.filter((posting) => posting.currency === currency);
}

/** Returns the position of a currency among those of its entry, in their order there; 0 for the first. */
export function placeOfCurrency(entry: JournalEntry, currency: Currency): number {
  return [...new Set(entry.postings.map((posting) => posting.currency))].indexOf(currency);
}

interface Chunked {
  /** Text at the top of each file. */
  head: string;
  /** Part of the file's name before the number. */
  part: string;
  most: number;
}

/**
 * Yields files with a limited number of lines, numbered from 001. A group is never split; a group above the limit gets
 * a file of its own.
 */
export async function* filesOf(
  groups: AsyncIterable<string[]>,
  { head, part, most }: Chunked,
): AsyncGenerator<WrittenFile> {
  let count = 0;
  let waiting: string[] = [];
  const written = (): WrittenFile => {
    count += 1;
    return { part: `${part}-${String(count).padStart(3, '0')}`, chunks: once(head + waiting.join('')) };
  };
  for await (const group of groups) {
    if (waiting.length > 0 && waiting.length + group.length > most) {
      yield written();
      waiting = [];
    }
    // A group may have more lines than a call may have arguments.
    for (const line of group) waiting.push(line);
  }
  if (waiting.length > 0) yield written();
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
