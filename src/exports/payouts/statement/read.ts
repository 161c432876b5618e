import { UsageError } from '../../../kernel/errors.ts';
import { isXml, readCamt } from './camt.ts';
import { readCsv } from './csv.ts';
import { decoded } from './decode.ts';
import type { Statement } from './line.ts';
import { encodings, type StatementMapping } from './mapping.ts';
import { isOfx, readOfx } from './ofx.ts';

/**
 * Reads a bank's or channel's file: OFX and camt.053 are known by how they begin, everything else is CSV.
 * @throws OperatorError when it is none of them, or not whole; UsageError when CSV comes without a mapping
 */
export function readStatement(bytes: Uint8Array, mapping?: StatementMapping): Statement {
  if (mapping !== undefined) return readCsv(decoded(bytes, encodings[mapping.format.encoding]), mapping);
  const text = decoded(bytes);
  if (isOfx(text)) return readOfx(text);
  if (isXml(text)) return readCamt(text);
  throw new UsageError(
    'the file is neither OFX nor camt.053, and for CSV --mapping is missing',
    'write a mapping; docs/payouts.md shows one',
  );
}
