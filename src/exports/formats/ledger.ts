import { type Format, oneFile } from './format.ts';
import { journalOptions, readOptions } from './options.ts';
import { plainText, tags } from './writing/plainText.ts';

/** With --pedantic, ledger refuses an undeclared key. */
const dialect = { head: [...tags.map((tag) => `tag ${tag}`), ''] };

/** Journals for ledger. */
export const ledger: Format = {
  name: 'ledger',
  title: 'journal for ledger, which passes --strict --pedantic',
  extension: 'ledger',
  write: oneFile((journal, options) => {
    const { openings } = readOptions('ledger', journalOptions, options);
    return plainText({ journal, dialect, withOpenings: openings === 'entry' });
  }),
};
