import type { Currency } from '../../../kernel/money.ts';
import type { JournalEntry, Posting } from '../../journal/entry.ts';
import type { WrittenFile } from '../format.ts';

/** The part of an entry that is in one currency; it adds up to zero by itself. */
export function postingsIn(entry: JournalEntry, currency: Currency): Posting[] {
  return entry.postings.filter((posting) => posting.currency === currency);
}

/** Which of the currencies of its entry this is, in their order in the entry: 0 for the first. */
export function placeOfCurrency(entry: JournalEntry, currency: Currency): number {
  return [...new Set(entry.postings.map((posting) => posting.currency))].indexOf(currency);
}

interface Chunked {
  /** Stands at the top of each file. */
  head: string;
  /** Before the number in the file's name. */
  part: string;
  most: number;
}

/**
 * Files of so many lines at most, numbered from 001. What belongs together is never split; more of it than a file may
 * have makes a file of its own.
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
