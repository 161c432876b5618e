import { z } from 'zod';
import { csvCell, csvLine } from '../../kernel/csvText.ts';
import { type Currency, decimalText } from '../../kernel/money.ts';
import type { Journal, JournalEntry } from '../journal/entry.ts';
import { filesOf, postingsIn } from './writing/byCurrency.ts';
import { type Format, type FormatOptions, requireNeeds, type WrittenFile } from './format.ts';
import { accountsByName, propertyTitles } from './writing/lookups.ts';
import { readOptions } from './options.ts';
import { oneLine } from './writing/text.ts';
import { dateStyles, writtenDate } from './writing/writtenDate.ts';

const HEADER = [
  '*Narration',
  '*Date',
  'Description',
  '*AccountCode',
  '*TaxRate',
  '*Amount',
  'TrackingName1',
  'TrackingOption1',
  'TrackingName2',
  'TrackingOption2',
] as const;

/** Most lines of a file. Its limit is 300 lines with the header. */
const MOST_LINES = 299;
const LONGEST_TEXT = 500;
/** Longest name of a tracking option that Xero accepts. */
const LONGEST_OPTION = 100;

const settings = z.strictObject({
  /** The date format of the organisation's region. */
  date: z.enum(dateStyles).default('DD/MM/YYYY'),
  /** Display name of the tax rate for accounts without one. */
  tax: z.string().min(1).default('Tax Exempt'),
  /** Tracking categories for property and channel; empty for no tracking. */
  property: z.string().default('Property'),
  channel: z.string().default('Channel'),
});
type Settings = z.output<typeof settings>;

/**
 * Manual journals for Xero. Lines with the same narration and date form one journal there, so the narration begins with
 * the entry's id.
 */
export const xero: Format = {
  name: 'xero',
  title: 'manual journals for Xero (CSV), per currency and 300 lines a file',
  extension: 'csv',
  needs: {
    key: 'code',
    what: 'the code of every account',
    isMet: ({ code }) => code !== null && code.trim() !== '',
  },
  write: files,
};

async function* files(journal: Journal, options: FormatOptions): AsyncGenerator<WrittenFile> {
  const chosen = readOptions('xero', settings, options);
  requireNeeds(xero, journal);
  const line = lineWriter(journal, chosen);
  for (const currency of journal.currencies) {
    yield* filesOf(groups(journal, currency, line), { head: csvLine(HEADER), part: currency, most: MOST_LINES });
  }
}

type LineWriter = (entry: JournalEntry, currency: Currency) => string[];

async function* groups(journal: Journal, currency: Currency, write: LineWriter): AsyncGenerator<string[]> {
  for await (const entry of journal.entries()) {
    const lines = write(entry, currency);
    if (lines.length > 0) yield lines;
  }
}

function lineWriter(journal: Journal, chosen: Settings): LineWriter {
  const codes = accountCodes(journal);
  const taxes = accountsByName(journal);
  const properties = propertyTitles(journal, LONGEST_OPTION);
  return (entry, currency) => {
    const narration = csvCell(oneLine(`${entry.id} ${entry.description}`, LONGEST_TEXT));
    const date = writtenDate(entry.date, chosen.date);
    const channel = tracking(chosen.channel, entry.channel);
    return postingsIn(entry, currency).map(({ account, amount, propertyId, memo }) =>
      csvLine([
        narration,
        date,
        csvCell(oneLine(memo ?? entry.payee, LONGEST_TEXT)),
        csvCell(codes.get(account) ?? ''),
        csvCell(taxes.get(account)?.tax ?? chosen.tax),
        decimalText(amount, currency),
        ...tracking(chosen.property, propertyId === null ? null : (properties.get(propertyId) ?? null)),
        ...channel,
      ]),
    );
  };
}

/** Writes both cells or neither. */
function tracking(category: string, option: string | null): string[] {
  const name = option === null ? '' : oneLine(option, LONGEST_OPTION);
  return category === '' || name === '' ? ['', ''] : [csvCell(oneLine(category, LONGEST_OPTION)), csvCell(name)];
}

/** Returns the codes of accounts. Xero identifies accounts by code alone. */
function accountCodes({ accounts }: Journal): ReadonlyMap<string, string> {
  return new Map(accounts.map(({ name, code }) => [name, oneLine(code ?? '', LONGEST_OPTION)]));
}
