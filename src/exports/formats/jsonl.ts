import { decimalText } from '../../kernel/money.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { type Format, oneFile } from './format.ts';

/** The audit copy: one line per entry with all its data; amounts are exact decimals. */
export const jsonl: Format = {
  name: 'jsonl',
  title: 'JSON lines: one entry a line, with all that is known of it',
  extension: 'jsonl',
  write: oneFile(async function* lines(journal) {
    for await (const entry of journal.entries()) yield `${JSON.stringify(lineOf(entry))}\n`;
  }),
};

function lineOf(entry: JournalEntry) {
  return {
    id: entry.id,
    reference: entry.reference,
    date: entry.date,
    original_date: entry.originalDate,
    kind: entry.kind,
    source: `${entry.source.kind}/${entry.source.id}`,
    revision: entry.revision,
    corrects: entry.corrects,
    payee: entry.payee,
    description: entry.description,
    reservation_code: entry.reservation,
    stay_code: entry.stay,
    channel: entry.channel,
    postings: entry.postings.map(({ account, amount, currency, propertyId, memo }) => ({
      account,
      amount: decimalText(amount, currency),
      currency,
      property_id: propertyId,
      ...(memo !== undefined && { memo }),
    })),
  };
}
