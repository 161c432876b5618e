import { sha256Hex } from '../kernel/signature.ts';
import { cellReader, type Row, type Scope } from './fields/scope.ts';
import type { Mapping } from './mapping.ts';
import type { Booking } from './outcome.ts';

/** Hex digits of a content hash: 64 bits, compared for one key only. */
const CONTENT_DIGITS = 16;

/**
 * Returns a reader of the key that identifies a row's reservation in every run of the file: a column's value, or the
 * number of the data row. It gives null when the key column is empty.
 */
export function keyReader(identity: Mapping['identity'], scope: Scope): (row: Row) => string | null {
  if (identity === 'row') return (row) => String(row.row);
  return cellReader(scope, identity.column, 'identity.column');
}

/**
 * Returns a hash of the file's data on a reservation, without its position and the way it was read. A known key with
 * another hash means that the row, or the mapping, has changed since the import.
 */
export function contentHash(booking: Booking): string {
  const { kind: _kind, line: _line, row: _row, remarks: _remarks, incomeAhead: _ahead, ...said } = booking;
  return sha256Hex(JSON.stringify(said)).slice(0, CONTENT_DIGITS);
}
