import { type Format, oneFile } from './format.ts';
import { journalOptions, readOptions } from './options.ts';
import { plainText } from './writing/plainText.ts';

/** Every amount is written with a point; without being told, hledger takes 1.250 for a number in thousands. */
const dialect = { head: ['decimal-mark .', ''] };

export const hledger: Format = {
  name: 'hledger',
  title: 'journal for hledger, which passes its strict checks',
  extension: 'journal',
  write: oneFile((journal, options) => {
    const { openings } = readOptions('hledger', journalOptions, options);
    return plainText({ journal, dialect, withOpenings: openings === 'entry' });
  }),
};
