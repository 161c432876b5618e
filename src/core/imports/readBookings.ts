import type { Mapping } from './mapping.ts';
import type { Outcome } from './outcome.ts';
import { bookingParser } from './parseBooking.ts';
import { openCsv, type CsvFile } from './readRows.ts';

/** A user's file, read as bookings. */
export interface BookingFile extends Pick<CsvFile, 'name' | 'size' | 'bytesRead' | 'close'> {
  /** One outcome for each data row, in the order of the file; can be gone through once. */
  outcomes: AsyncGenerator<Outcome>;
}

/**
 * Opens a CSV file through a mapping; both passes of an import start here. Throws an OperatorError when the
 * file cannot be read or lacks a column that the mapping names; nothing has been stored then.
 */
export async function openBookings(path: string, mapping: Mapping): Promise<BookingFile> {
  const { header, rows, ...file } = await openCsv(path, mapping.format);
  try {
    const parse = bookingParser(mapping, header, file.name);
    return { ...file, outcomes: outcomesOf(rows, parse) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* outcomesOf(rows: CsvFile['rows'], parse: ReturnType<typeof bookingParser>): AsyncGenerator<Outcome> {
  for await (const row of rows) yield 'kind' in row ? row : parse(row);
}
