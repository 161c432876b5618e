import { z } from 'zod';
import { csvCell, csvLine } from '../../kernel/csvText.ts';
import { type Currency, decimalText } from '../../kernel/money.ts';
import type { Journal, JournalEntry, Posting } from '../journal/entry.ts';
import { filesOf, placeOfCurrency, postingsIn } from './writing/byCurrency.ts';
import { type Format, type FormatOptions, requireNeeds, type WrittenFile } from './format.ts';
import { isNameWithin, writtenNames } from './writing/accountNames.ts';
import { propertyTitles } from './writing/lookups.ts';
import { readOptions } from './options.ts';
import { partyOf } from './writing/party.ts';
import { oneLine } from './writing/text.ts';
import { dateStyles, writtenDate } from './writing/writtenDate.ts';

const HEADER = [
  'Journal No.',
  'Journal Date',
  'Account Name',
  'Debits',
  'Credits',
  'Description',
  'Name',
  'Currency',
  'Location',
  'Class',
] as const;

/** Most rows of a file. An import accepts 1,000 rows with the header. */
const MOST_LINES = 999;
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_NAME = 100;
const MOST_LEVELS = 5;

const settings = z.strictObject({
  /** The date format of the company. */
  date: z.enum(dateStyles).default('MM/DD/YYYY'),
});

/**
 * Journal entries for QuickBooks Online. The journal number is the entry's reference, so QuickBooks refuses a second
 * import as a duplicate.
 */
export const quickbooks: Format = {
  name: 'quickbooks',
  title: 'journal entries for QuickBooks Online (CSV), per currency and 1,000 rows a file',
  extension: 'csv',
  needs: {
    key: 'name',
    what: `names of accounts of at most ${MOST_LEVELS} parts of ${LONGEST_NAME} signs`,
    isMet: (account) => isNameWithin(account, { levels: MOST_LEVELS, part: LONGEST_NAME }),
  },
  write: files,
};

async function* files(journal: Journal, options: FormatOptions): AsyncGenerator<WrittenFile> {
  const { date } = readOptions('quickbooks', settings, options);
  requireNeeds(quickbooks, journal);
  const names = writtenNames(journal);
  const properties = propertyTitles(journal, LONGEST_NAME);
  const lineOf = (entry: JournalEntry, posting: Posting) => {
    const { account, amount, currency, propertyId, memo } = posting;
    const size = decimalText(Math.abs(amount), currency);
    return csvLine([
      csvCell(journalNumber(entry, currency)),
      writtenDate(entry.date, date),
      csvCell(names(account)),
      amount > 0 ? size : '',
      amount < 0 ? size : '',
      csvCell(oneLine(`${entry.id} ${memo ?? entry.description}`, LONGEST_DESCRIPTION)),
      csvCell(oneLine(partyOf(entry, names(account)), LONGEST_NAME)),
      csvCell(currency),
      csvCell(oneLine(entry.channel ?? '', LONGEST_NAME)),
      csvCell(propertyId === null ? '' : (properties.get(propertyId) ?? '')),
    ]);
  };
  for (const currency of journal.currencies) {
    const groups = linesIn(journal, currency, lineOf);
    yield* filesOf(groups, { head: csvLine(HEADER), part: currency, most: MOST_LINES });
  }
}

async function* linesIn(
  journal: Journal,
  currency: Currency,
  lineOf: (entry: JournalEntry, posting: Posting) => string,
): AsyncGenerator<string[]> {
  for await (const entry of journal.entries()) {
    const lines = postingsIn(entry, currency).map((posting) => lineOf(entry, posting));
    if (lines.length > 0) yield lines;
  }
}

/**
 * Returns the journal number. A journal there has one currency, so a letter marks each further currency of an entry.
 * The limit is 21 characters.
 */
function journalNumber(entry: JournalEntry, currency: Currency): string {
  const place = placeOfCurrency(entry, currency);
  return place === 0 ? entry.reference : `${entry.reference}${String.fromCharCode(65 + (place % 26))}`;
}
