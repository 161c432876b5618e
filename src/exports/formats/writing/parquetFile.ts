import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { exponentOf } from '../../../kernel/money.ts';

export type ParquetColumn = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];
export type ParquetCell = string | number | bigint | boolean | null;

/** Decimals of a column of amounts; no currency has more. */
const SCALE = 4;
export const PRECISION = 18;
/** Number of rows in memory at a time. */
const ROWS_IN_GROUP = 20_000;

const repetition = (nullable: boolean) => ({ repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' }) as const;

export const text = (name: string, nullable = false): ParquetColumn => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
  ...repetition(nullable),
});

/** Days since 1970-01-01. */
export const date = (name: string, nullable = false): ParquetColumn => ({
  name,
  type: 'INT32',
  converted_type: 'DATE',
  logical_type: { type: 'DATE' },
  ...repetition(nullable),
});

/** Microseconds since the epoch, as bigint. */
export const instant = (name: string, nullable = false): ParquetColumn => ({
  name,
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  ...repetition(nullable),
});

export const int64 = (name: string, nullable = false): ParquetColumn => ({
  name,
  type: 'INT64',
  converted_type: 'INT_64',
  ...repetition(nullable),
});

export const double = (name: string, nullable = false): ParquetColumn => ({
  name,
  type: 'DOUBLE',
  ...repetition(nullable),
});

export const flag = (name: string, nullable = false): ParquetColumn => ({
  name,
  type: 'BOOLEAN',
  ...repetition(nullable),
});

/** INT64, because some readers do not accept decimals as bytes; cells are of {@link scaledAmount}. */
export const decimal = (name: string, nullable = false): ParquetColumn => ({
  name,
  type: 'INT64',
  converted_type: 'DECIMAL',
  logical_type: { type: 'DECIMAL', precision: PRECISION, scale: SCALE },
  precision: PRECISION,
  scale: SCALE,
  ...repetition(nullable),
});

/** Returns an amount in minor units as ten-thousandths of the currency; undefined if a column cannot hold it. */
export function scaledAmount(minor: number | string | bigint, currency: string): bigint | undefined {
  const value = BigInt(minor) * 10n ** BigInt(SCALE - exponentOf(currency));
  return value < 10n ** BigInt(PRECISION) && value > -(10n ** BigInt(PRECISION)) ? value : undefined;
}

/** Yields the bytes of a Parquet file, group by group. */
export async function* parquetChunks(
  columns: readonly ParquetColumn[],
  rows: AsyncIterable<readonly ParquetCell[]>,
): AsyncGenerator<Uint8Array> {
  const writers = await import('hyparquet-writer');
  const bytes = new writers.ByteWriter();
  const schema = [{ name: 'root', num_children: columns.length }, ...columns];
  const writer = new writers.ParquetWriter({ writer: bytes, schema, createdBy: 'stayd' });
  let cells = columns.map((): ParquetCell[] => []);
  const flush = async () => {
    await writer.write({
      columnData: columns.map(({ name }, index) => ({ name, data: cells[index] ?? [] })),
      rowGroupSize: ROWS_IN_GROUP,
    });
    cells = columns.map((): ParquetCell[] => []);
  };
  for await (const row of rows) {
    for (const [index, cell] of row.entries()) cells[index]?.push(cell);
    if (cells[0]?.length === ROWS_IN_GROUP) {
      await flush();
      yield taken(bytes);
    }
  }
  if ((cells[0]?.length ?? 0) > 0) await flush();
  await writer.finish();
  yield taken(bytes);
}

/** Takes the written bytes out of the writer; offsets continue. */
function taken(bytes: ByteWriter): Uint8Array {
  const chunk = new Uint8Array(bytes.buffer.slice(0, bytes.index));
  bytes.index = 0;
  return chunk;
}
