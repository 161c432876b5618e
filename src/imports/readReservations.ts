import type { Mapping } from './mapping.ts';
import { openRows } from './reading/openRows.ts';
import type { Outcome, ReadingContext } from './outcome.ts';
import { reservationParser, NO_CONTEXT } from './parseReservation.ts';
import type { RowFile } from './reading/rowFile.ts';

/** A user's file, read as reservations. */
export interface ReservationFile extends Pick<RowFile, 'name' | 'size' | 'bytesRead' | 'close'> {
  /** One outcome for each data row, in the order of the file. Can be iterated once. */
  outcomes: AsyncGenerator<Outcome>;
}

/**
 * Opens a file through a mapping; both passes of an import start here. Throws an OperatorError when the file cannot be
 * read or lacks a column that the mapping names. Nothing has been stored then.
 */
export async function openReservations(
  path: string,
  mapping: Mapping,
  context: ReadingContext = NO_CONTEXT,
): Promise<ReservationFile> {
  const { header, rows, ...file } = await openRows(path, mapping.format);
  try {
    const parse = reservationParser(mapping, { name: file.name, header }, context);
    const outcomes = outcomesOf(rows, parse);
    return { ...file, outcomes: mapping.identity === 'row' ? outcomes : withoutRepeatedKeys(outcomes) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* outcomesOf(
  rows: RowFile['rows'],
  parse: ReturnType<typeof reservationParser>,
): AsyncGenerator<Outcome> {
  for await (const row of rows) yield 'kind' in row ? row : parse(row);
}

/** Rejects rows whose key an earlier row has: both cannot be the same reservation. */
async function* withoutRepeatedKeys(outcomes: AsyncIterable<Outcome>): AsyncGenerator<Outcome> {
  const lines = new Map<string, number>();
  for await (const outcome of outcomes) {
    if (outcome.kind === 'rejection') {
      yield outcome;
      continue;
    }
    const { key, line, row } = outcome;
    const earlier = lines.get(key);
    if (earlier === undefined) {
      lines.set(copyOf(key), line);
      yield outcome;
    } else {
      const value = `${key}, as on line ${earlier}`;
      yield { kind: 'rejection', line, row, problems: [{ field: 'identity', reason: 'key of an earlier row', value }] };
    }
  }
}

/** Copies a text, since a part of a longer text would keep the whole file in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}
