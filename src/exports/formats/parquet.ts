import { dayNumber } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Journal, JournalEntry, Posting } from '../journal/entry.ts';
import { byMonth } from './writing/byMonth.ts';
import type { Format, FormatOptions, WrittenFile } from './format.ts';
import { accountsByName, propertyCodes } from './writing/lookups.ts';
import { noOptions, readOptions } from './options.ts';
import {
  date,
  decimal,
  int64,
  type ParquetCell,
  parquetChunks,
  type ParquetColumn,
  PRECISION,
  scaledAmount,
  text,
} from './writing/parquetFile.ts';

const COLUMNS: readonly ParquetColumn[] = [
  text('entry_id'),
  int64('posting'),
  text('reference'),
  date('date'),
  date('original_date', true),
  text('kind'),
  text('source'),
  int64('revision'),
  text('corrects', true),
  text('payee'),
  text('description'),
  text('reservation_code', true),
  text('stay_code', true),
  text('channel', true),
  text('account'),
  text('account_type', true),
  text('account_code', true),
  decimal('amount'),
  int64('amount_minor'),
  text('currency'),
  int64('property_id', true),
  text('property_code', true),
  text('memo', true),
];

/** Parquet files, one per month with one row per posting. */
export const parquet: Format = {
  name: 'parquet',
  title: 'Parquet, one row a posting, a file per month, for data warehouses',
  extension: 'parquet',
  write: files,
};

async function* files(journal: Journal, options: FormatOptions): AsyncGenerator<WrittenFile> {
  readOptions('parquet', noOptions, options);
  const rowsOf = rowReader(journal);
  let isEmpty = true;
  for await (const { month, entries } of byMonth(journal.entries())) {
    isEmpty = false;
    yield { part: month, chunks: parquetChunks(COLUMNS, rowsIn(entries, rowsOf)) };
  }
  // A journal without entries still gives one, empty file.
  if (isEmpty) yield { part: journal.facts.from.slice(0, 7), chunks: parquetChunks(COLUMNS, none()) };
}

async function* rowsIn(entries: AsyncIterable<JournalEntry>, rowsOf: RowReader): AsyncGenerator<ParquetCell[]> {
  for await (const entry of entries) yield* rowsOf(entry);
}

async function* none(): AsyncGenerator<ParquetCell[]> {}

type RowReader = (entry: JournalEntry) => Generator<ParquetCell[]>;

function rowReader(journal: Journal): RowReader {
  const accounts = accountsByName(journal);
  const codes = propertyCodes(journal);
  return function* (entry) {
    for (const [index, posting] of entry.postings.entries()) {
      const account = accounts.get(posting.account);
      yield [
        entry.id,
        BigInt(index + 1),
        entry.reference,
        dayNumber(entry.date),
        entry.originalDate === null ? null : dayNumber(entry.originalDate),
        entry.kind,
        `${entry.source.kind}/${entry.source.id}`,
        BigInt(entry.revision),
        entry.corrects,
        entry.payee,
        entry.description,
        entry.reservation,
        entry.stay,
        entry.channel,
        posting.account,
        account?.type ?? null,
        account?.code ?? null,
        scaled(entry, posting),
        BigInt(posting.amount),
        posting.currency,
        posting.propertyId === null ? null : BigInt(posting.propertyId),
        posting.propertyId === null ? null : (codes.get(posting.propertyId) ?? null),
        posting.memo ?? null,
      ];
    }
  };
}

/** Returns the amount in ten-thousandths. */
function scaled(entry: JournalEntry, { amount, currency }: Posting): bigint {
  const value = scaledAmount(amount, currency);
  if (value !== undefined) return value;
  throw new OperatorError(
    `entry ${entry.id}: the amount is too large for a decimal of ${PRECISION} digits`,
    'write this journal as csv or jsonl',
  );
}
