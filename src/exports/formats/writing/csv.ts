import { csvCell, csvLine } from '../../../kernel/csvText.ts';
import { decimalText } from '../../../kernel/money.ts';
import type { Journal, JournalEntry } from '../../journal/entry.ts';
import { type Format, oneFile } from '../format.ts';
import { noOptions, readOptions } from '../options.ts';
import { accountsByName, propertyCodes } from './lookups.ts';
import { joined, oneLine } from './text.ts';

const COLUMNS = [
  'entry_id',
  'posting',
  'reference',
  'date',
  'original_date',
  'kind',
  'source',
  'revision',
  'corrects',
  'payee',
  'description',
  'reservation_code',
  'stay_code',
  'channel',
  'account',
  'account_type',
  'account_code',
  'amount',
  'currency',
  'property_id',
  'property_code',
  'memo',
] as const;

const LONGEST_TEXT = 1_000;

/** The long form: one line per posting, with its entry on each. Amounts are signed, above zero for a debit. */
export const csv: Format = {
  name: 'csv',
  title: 'CSV, one line a posting, for spreadsheets and databases',
  extension: 'csv',
  write: oneFile((journal, options) => {
    readOptions('csv', noOptions, options);
    return joined(lines(journal));
  }),
};

async function* lines(journal: Journal): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  const accounts = accountsByName(journal);
  const properties = propertyCodes(journal);
  for await (const entry of journal.entries()) {
    const before = entryCells(entry);
    for (const [index, posting] of entry.postings.entries()) {
      const { account, amount, currency, propertyId, memo = null } = posting;
      yield csvLine([
        csvCell(entry.id),
        csvCell(index + 1),
        ...before,
        csvCell(account),
        csvCell(accounts.get(account)?.type ?? null),
        text(accounts.get(account)?.code ?? null),
        // The exact text of the amount, never a floating-point number.
        decimalText(amount, currency),
        csvCell(currency),
        csvCell(propertyId),
        text(propertyId === null ? null : (properties.get(propertyId) ?? null)),
        text(memo),
      ]);
    }
  }
}

function entryCells(entry: JournalEntry): string[] {
  return [
    csvCell(entry.reference),
    csvCell(entry.date),
    csvCell(entry.originalDate),
    csvCell(entry.kind),
    text(`${entry.source.kind}/${entry.source.id}`),
    csvCell(entry.revision),
    csvCell(entry.corrects),
    text(entry.payee),
    text(entry.description),
    text(entry.reservation),
    text(entry.stay),
    text(entry.channel),
  ];
}

function text(value: string | null): string {
  return csvCell(value === null ? null : oneLine(value, LONGEST_TEXT));
}
