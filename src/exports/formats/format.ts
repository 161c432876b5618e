import type { Journal } from '../journal/entry.ts';

/** Settings of a job for its format: `exports.jobs.<job>.options`. What each takes stands with the format. */
export type FormatOptions = Readonly<Record<string, string>>;

/** One file of a written journal. */
export interface WrittenFile {
  /** What its name has behind that of the job: letters, digits and `-`; empty where a journal is one file. */
  readonly part: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** A way to write a journal. Same journal and options, same bytes. */
export interface Format {
  /** Also the name of the job that is there from the start. */
  readonly name: string;
  /** One line: what it is and who takes it. */
  readonly title: string;
  /** Without its dot. */
  readonly extension: string;
  /** Files in a fixed order; each is read to its end before the next is asked for. Throws UsageError for wrong options. */
  write(journal: Journal, options: FormatOptions): AsyncIterable<WrittenFile>;
}

/** A `write` for formats that make one file of a journal. */
export function oneFile(
  chunks: (journal: Journal, options: FormatOptions) => AsyncIterable<string | Uint8Array>,
): Format['write'] {
  return async function* write(journal, options) {
    yield { part: '', chunks: chunks(journal, options) };
  };
}
