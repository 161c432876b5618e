import { UsageError } from '../../kernel/errors.ts';
import type { Account, Journal } from '../journal/entry.ts';

/** Settings of a job for its format: `exports.jobs.<job>.options`. What each takes stands with the format. */
export type FormatOptions = Readonly<Record<string, string>>;

/** One file of a written journal. */
export interface WrittenFile {
  /** What its name has behind that of the job: letters, digits and `-`; empty where a journal is one file. */
  readonly part: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** What a format must be told of accounts before it can write them: `exports.books.<connection>.chart.<account>`. */
export interface Needs {
  readonly key: 'code' | 'name';
  /** Ends the sentence "format … needs ". */
  readonly what: string;
  /** Its codes are those of a country's chart, whose classes no free number hits. */
  readonly ofCountry?: true;
  isMet(account: Account): boolean;
}

/** A way to write a journal. Same journal and options, same bytes. */
export interface Format {
  /** Also the name of the job that is there from the start. */
  readonly name: string;
  /** One line: what it is and who takes it. */
  readonly title: string;
  /** Without its dot. */
  readonly extension: string;
  /** What the names of its files must begin with; left out: nothing. */
  readonly prefix?: string;
  /** Left out: accounts are written as they are. */
  readonly needs?: Needs;
  /** Files in a fixed order; each is read to its end before the next is asked for. Throws UsageError for wrong options. */
  write(journal: Journal, options: FormatOptions): AsyncIterable<WrittenFile>;
}

const MOST_NAMED = 20;

/** @throws UsageError that names the accounts of which the format has not been told enough */
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

/** A `write` for formats that make one file of a journal. */
export function oneFile(
  chunks: (journal: Journal, options: FormatOptions) => AsyncIterable<string | Uint8Array>,
): Format['write'] {
  return async function* write(journal, options) {
    yield { part: '', chunks: chunks(journal, options) };
  };
}
