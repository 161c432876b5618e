import { z } from 'zod';
import { csvCell, csvLine } from '../../kernel/csvText.ts';
import { decimalText } from '../../kernel/money.ts';
import type { AccountBalance, Journal } from '../journal/entry.ts';
import { clearingBalances, statementLines, statementPart } from './writing/clearing.ts';
import type { Format, FormatOptions, WrittenFile } from './format.ts';
import { readOptions } from './options.ts';
import { joined, oneLine } from './writing/text.ts';
import { type DateStyle, dateStyles, writtenDate } from './writing/writtenDate.ts';

const HEADER = ['*Date', '*Amount', 'Payee', 'Description', 'Reference'] as const;
const LONGEST_TEXT = 255;

const settings = z.strictObject({
  /** The date format of the organisation's region. */
  date: z.enum(dateStyles).default('DD/MM/YYYY'),
});

/**
 * The content of {@link ofx} for programs that import a table: one signed amount per line, above zero for incoming
 * money.
 */
export const statement: Format = {
  name: 'statement',
  title: 'bank statement (CSV) of each clearing account, for Xero and other programs that reconcile',
  extension: 'csv',
  write: files,
};

async function* files(journal: Journal, options: FormatOptions): AsyncGenerator<WrittenFile> {
  const { date } = readOptions('statement', settings, options);
  for (const balance of clearingBalances(journal)) {
    yield { part: statementPart(balance), chunks: joined(lines(journal, balance, date)) };
  }
}

async function* lines(journal: Journal, balance: AccountBalance, style: DateStyle): AsyncGenerator<string> {
  yield csvLine(HEADER);
  for await (const entry of journal.entries()) {
    for (const { id, amount, memo = entry.description } of statementLines(entry, balance)) {
      yield csvLine([
        writtenDate(entry.date, style),
        decimalText(amount, balance.currency),
        csvCell(oneLine(entry.payee || entry.channel || entry.kind, LONGEST_TEXT)),
        csvCell(oneLine(`${entry.id} ${memo}`, LONGEST_TEXT)),
        csvCell(id),
      ]);
    }
  }
}
