import { type Format, oneFile } from './format.ts';
import { journalOptions, readOptions } from './options.ts';
import { plainText } from './writing/plainText.ts';

/** Amounts use a decimal point. Without this directive, hledger reads 1.250 as a number in thousands. */
const dialect = { head: ['decimal-mark .', ''] };

/** Journals for hledger. */
export const hledger: Format = {
  name: 'hledger',
  title: 'journal for hledger, which passes its strict checks',
  extension: 'journal',
  write: oneFile((journal, options) => {
    const { openings } = readOptions('hledger', journalOptions, options);
    return plainText({ journal, dialect, withOpenings: openings === 'entry' });
  }),
};
