import type { JournalEntry } from '../../journal/entry.ts';

/** The entries of one month, or as many of them as a file may have. */
export interface Month {
  /** `2027-03`. */
  readonly month: string;
  /** 1 for the first file of the month. */
  readonly number: number;
  readonly entries: AsyncIterable<JournalEntry>;
}

interface Limit {
  readonly most: number;
  /** Returns the number of lines that an entry takes. */
  lines(entry: JournalEntry): number;
}

const NO_LIMIT: Limit = { most: Infinity, lines: () => 1 };

/**
 * Yields entries month by month, in the order of their dates; no entry is split. Each month must be read to its end
 * before the next one.
 */
export async function* byMonth(all: AsyncIterable<JournalEntry>, limit: Limit = NO_LIMIT): AsyncGenerator<Month> {
  const entries = all[Symbol.asyncIterator]();
  let next = await entries.next();
  let before = { month: '', number: 0 };
  while (!next.done) {
    const month = next.value.date.slice(0, 7);
    before = { month, number: month === before.month ? before.number + 1 : 1 };
    yield {
      ...before,
      entries: (async function* () {
        for (let lines = 0; !next.done && next.value.date.startsWith(month); next = await entries.next()) {
          const own = limit.lines(next.value);
          if (lines > 0 && lines + own > limit.most) return;
          lines += own;
          yield next.value;
        }
      })(),
    };
  }
}
