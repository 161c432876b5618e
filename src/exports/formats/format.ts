import { UsageError } from '../../kernel/errors.ts';
import type { Account, Journal } from '../journal/entry.ts';

/** Options of a job for its format: `exports.jobs.<job>.options`. Each format defines its own. */
export type FormatOptions = Readonly<Record<string, string>>;

/** One file of a written journal. */
export interface WrittenFile {
  /** The part of the file name after the job's name: letters, digits and `-`. Empty if a journal is one file. */
  readonly part: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** Data of accounts that a format requires before it can write them: `exports.books.<connection>.chart.<account>`. */
export interface Needs {
  readonly key: 'code' | 'name';
  /** Completes the sentence "format … needs ". */
  readonly what: string;
  /** Set if the codes belong to a country's chart, so an invented number fits none of its classes. */
  readonly ofCountry?: true;
  isMet(account: Account): boolean;
}

/** A way to write a journal. The same journal and options give the same bytes. */
export interface Format {
  /** Also the name of the built-in job. */
  readonly name: string;
  /** One line: the format and the programs that import it. */
  readonly title: string;
  /** Extension without its dot. */
  readonly extension: string;
  /** Required beginning of its file names; none if absent. */
  readonly prefix?: string;
  /** Absent if accounts need no further data. */
  readonly needs?: Needs;
  /**
   * Yields files in a fixed order; each must be read to its end before the next one. Throws UsageError for wrong
   * options.
   */
  write(journal: Journal, options: FormatOptions): AsyncIterable<WrittenFile>;
}

const MOST_NAMED = 20;

/**
 * Checks that all accounts have the data that a format needs.
 * @throws UsageError that names the accounts without it
 */
export function requireNeeds({ name, needs }: Format, { accounts }: Journal): void {
  const without = needs ? accounts.filter((one) => !needs.isMet(one)) : [];
  if (!needs || without.length === 0) return;
  const named = without.slice(0, MOST_NAMED).map((one) => one.name.slice(0, 200));
  const rest = without.length - named.length;
  throw new UsageError(
    `format ${name} needs ${needs.what}; ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''} ${without.length === 1 ? 'has' : 'have'} none`,
    needs.ofCountry
      ? `./stayd export map --for ${name} lists them; exports.books.<connection>.chart.<account>.code takes the number of your chart`
      : `./stayd export map --for ${name} proposes lines for exports.books.<connection>.chart.<account>.${needs.key}`,
  );
}

/** Returns the `write` of a format that makes one file of a journal. */
export function oneFile(
  chunks: (journal: Journal, options: FormatOptions) => AsyncIterable<string | Uint8Array>,
): Format['write'] {
  return async function* write(journal, options) {
    yield { part: '', chunks: chunks(journal, options) };
  };
}
