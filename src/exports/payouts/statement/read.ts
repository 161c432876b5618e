import { UsageError } from '../../../kernel/errors.ts';
import { isXml, readCamt } from './camt.ts';
import { readCsv } from './csv.ts';
import { decoded } from './decode.ts';
import type { Statement } from './line.ts';
import { encodings, type StatementMapping } from './mapping.ts';
import { isOfx, readOfx } from './ofx.ts';

/**
 * Reads a file of a bank or channel. Recognises OFX and camt.053 by their beginning; anything else is CSV.
 * @throws OperatorError if the file is invalid or incomplete; UsageError if CSV comes without a mapping
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
