import { type Currency, decimalText } from '../../kernel/money.ts';
import type { Journal, JournalEntry, Posting } from '../journal/entry.ts';
import { placeOfCurrency, postingsIn } from './writing/byCurrency.ts';
import { isNameWithin, writtenName, writtenNames } from './writing/accountNames.ts';
import { type Format, type FormatOptions, requireNeeds, type WrittenFile } from './format.ts';
import { propertyTitles } from './writing/lookups.ts';
import { noOptions, readOptions } from './options.ts';
import { partyOf } from './writing/party.ts';
import { latin1Bytes, latin1Cell, latin1Text } from './writing/text.ts';
import { writtenDate } from './writing/writtenDate.ts';

const FIELDS = ['TRNSTYPE', 'DATE', 'ACCNT', 'NAME', 'CLASS', 'AMOUNT', 'DOCNUM', 'MEMO'];
const HEADER = [`!TRNS\tTRNSID\t${FIELDS.join('\t')}`, `!SPL\tSPLID\t${FIELDS.join('\t')}`, '!ENDTRNS'];
const LINE_END = '\r\n';

/** Longest document number that QuickBooks Desktop accepts. */
const LONGEST_NUMBER = 11;
const LONGEST_NAME = 31;
const LONGEST_MEMO = 4_000;

/**
 * Files for QuickBooks Desktop. A file has one currency, as most company files do. An import cannot be undone there.
 */
export const iif: Format = {
  name: 'iif',
  title: 'general journal for QuickBooks Desktop (IIF), a file per currency',
  extension: 'iif',
  needs: {
    key: 'name',
    what: `names of accounts in letters of western Europe, with parts of at most ${LONGEST_NAME} signs`,
    isMet: (account) => isNameWithin(account, { part: LONGEST_NAME }) && isWritable(writtenName(account)),
  },
  write: files,
};

async function* files(journal: Journal, options: FormatOptions): AsyncGenerator<WrittenFile> {
  readOptions('iif', noOptions, options);
  requireNeeds(iif, journal);
  for (const currency of journal.currencies) yield { part: currency, chunks: latin1Bytes(lines(journal, currency)) };
}

async function* lines(journal: Journal, currency: Currency): AsyncGenerator<string> {
  yield rows(HEADER);
  const properties = propertyTitles(journal, LONGEST_NAME);
  const names = writtenNames(journal);
  for await (const entry of journal.entries()) {
    const postings = postingsIn(entry, currency);
    if (postings.length === 0) continue;
    yield rows([
      ...postings.map((posting, index) => {
        const className = posting.propertyId === null ? '' : (properties.get(posting.propertyId) ?? '');
        return `${index === 0 ? 'TRNS' : 'SPL'}\t\t${fields(entry, { ...posting, account: names(posting.account) }, className).join('\t')}`;
      }),
      'ENDTRNS',
    ]);
  }
}

function fields(entry: JournalEntry, { account, amount, currency, memo }: Posting, className: string): string[] {
  return [
    'GENERAL JOURNAL',
    writtenDate(entry.date, 'MM/DD/YYYY'),
    account,
    text(partyOf(entry, account).replaceAll(':', ' '), LONGEST_NAME),
    text(className, LONGEST_NAME),
    decimalText(amount, currency),
    documentNumber(entry, currency),
    text(`${entry.id} ${memo ?? entry.description}`, LONGEST_MEMO),
  ];
}

function documentNumber(entry: JournalEntry, currency: Currency): string {
  const place = placeOfCurrency(entry, currency);
  const further = place === 0 ? '' : String.fromCharCode(65 + (place % 26));
  return `${entry.reference.slice(0, LONGEST_NUMBER - further.length)}${further}`;
}

/**
 * Writes a text for a cell. Tabs and line ends are removed as control characters. A quotation mark would begin a text
 * that continues over them, so it becomes an apostrophe.
 */
function text(value: string, longest: number): string {
  return latin1Cell(value, longest).replaceAll('"', "'");
}

function rows(all: readonly string[]): string {
  return all.join(LINE_END) + LINE_END;
}

/**
 * Returns true if a name needs no replacement. Replacing characters that QuickBooks Desktop cannot store could merge
 * two accounts.
 */
function isWritable(name: string): boolean {
  return !/["\t\r\n]/.test(name) && latin1Text(name) === name;
}
