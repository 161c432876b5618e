import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { dayNumber } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { exponentOf } from '../../kernel/money.ts';
import type { Journal, JournalEntry, Posting } from '../journal/entry.ts';
import { byMonth } from './writing/byMonth.ts';
import type { Format, FormatOptions, WrittenFile } from './format.ts';
import { accountsByName, propertyCodes } from './writing/lookups.ts';
import { noOptions, readOptions } from './options.ts';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type Element = Schema[number];
type Cell = string | number | bigint | null;

/** Decimals of the one column of amounts; no currency has more. */
const SCALE = 4;
const PRECISION = 18;
/** Number of postings in memory at a time. */
const ROWS_IN_GROUP = 20_000;

const text = (name: string, nullable = false): Element => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
  repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
});
const date = (name: string, nullable = false): Element => ({
  name,
  type: 'INT32',
  converted_type: 'DATE',
  logical_type: { type: 'DATE' },
  repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
});
const int64 = (name: string, nullable = false): Element => ({
  name,
  type: 'INT64',
  converted_type: 'INT_64',
  repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
});
/** INT64, because some readers do not accept decimals as bytes. */
const decimal = (name: string): Element => ({
  name,
  type: 'INT64',
  converted_type: 'DECIMAL',
  logical_type: { type: 'DECIMAL', precision: PRECISION, scale: SCALE },
  precision: PRECISION,
  scale: SCALE,
  repetition_type: 'REQUIRED',
});

const COLUMNS: readonly Element[] = [
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
const SCHEMA: Schema = [{ name: 'root', num_children: COLUMNS.length }, ...COLUMNS];

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
    yield { part: month, chunks: written(rowsIn(entries, rowsOf)) };
  }
  // A journal without entries still gives one, empty file.
  if (isEmpty) yield { part: journal.facts.from.slice(0, 7), chunks: written(none()) };
}

async function* rowsIn(entries: AsyncIterable<JournalEntry>, rowsOf: RowReader): AsyncGenerator<Cell[]> {
  for await (const entry of entries) yield* rowsOf(entry);
}

async function* none(): AsyncGenerator<Cell[]> {}

type RowReader = (entry: JournalEntry) => Generator<Cell[]>;

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
  const value = BigInt(amount) * 10n ** BigInt(SCALE - exponentOf(currency));
  if (value < 10n ** BigInt(PRECISION) && value > -(10n ** BigInt(PRECISION))) return value;
  throw new OperatorError(
    `entry ${entry.id}: the amount is too large for a decimal of ${PRECISION} digits`,
    'write this journal as csv or jsonl',
  );
}

/** Yields the bytes group by group. */
async function* written(rows: AsyncIterable<Cell[]>): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema: SCHEMA, createdBy: 'stayd' });
  let columns = COLUMNS.map((): Cell[] => []);
  const flush = async () => {
    await writer.write({
      columnData: COLUMNS.map(({ name }, index) => ({ name, data: columns[index] ?? [] })),
      rowGroupSize: ROWS_IN_GROUP,
    });
    columns = COLUMNS.map((): Cell[] => []);
  };
  for await (const row of rows) {
    for (const [index, cell] of row.entries()) columns[index]?.push(cell);
    if (columns[0]?.length === ROWS_IN_GROUP) {
      await flush();
      yield taken(bytes);
    }
  }
  if ((columns[0]?.length ?? 0) > 0) await flush();
  await writer.finish();
  yield taken(bytes);
}

/** Takes the written bytes out of the writer; offsets continue. */
function taken(bytes: ByteWriter): Uint8Array {
  const chunk = new Uint8Array(bytes.buffer.slice(0, bytes.index));
  bytes.index = 0;
  return chunk;
}
