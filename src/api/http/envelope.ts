import { errorCodes, SUCCESS } from '../../contract/errors.ts';
import { breather } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';

/** The envelope of a long answer, in bytes. They stay apart, as copying ten megabytes into one piece blocks others. */
export type Pieces = readonly Buffer[];

/**
 * Returns the envelope of a successful answer, as text or, if it is long, in pieces. `data` is left out if undefined.
 * @param code the code for success in the dialect
 */
export async function success(requestId: string, data: unknown, code: number): Promise<string | Pieces> {
  const head = { request_id: requestId, error_code: code, error_msg: SUCCESS.text };
  if (!isLong(data)) return JSON.stringify({ ...head, data });
  return [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"data":`), ...(await inPieces(data)), END];
}

/** Length of a list that marks the row as a calendar, of which one answer holds up to 100. */
const LONG_LIST = 100;
const END = Buffer.from('}');

function isLong(data: unknown): data is Record<string, unknown> {
  return holdsList(data, (rows) => rows.some((row) => holdsList(row, ({ length }) => length >= LONG_LIST)));
}

function holdsList(value: unknown, isMeant: (list: unknown[]) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((list) => Array.isArray(list) && isMeant(list));
}

/** Writes the text of JSON.stringify row by row, so that other requests are answered meanwhile. */
async function inPieces(data: Record<string, unknown>): Promise<Pieces> {
  const rest = breather();
  const pieces: Buffer[] = [];
  const add = (text: string) => pieces.push(Buffer.from(text));
  for (const [name, value] of Object.entries(data)) {
    if (value === undefined) continue;
    add(`${pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    if (!Array.isArray(value)) {
      add(JSON.stringify(value));
      continue;
    }
    for (const [index, row] of value.entries()) {
      add(`${index === 0 ? '[' : ','}${JSON.stringify(row)}`);
      await rest();
    }
    add(value.length === 0 ? '[]' : ']');
  }
  add('}');
  return pieces;
}

/** Returns the envelope of a failure; only the public message of the error leaves. */
export function failure(requestId: string, error: ApiError): string {
  const error_msg = error.message || errorCodes[error.code].text;
  return JSON.stringify({ request_id: requestId, error_code: error.code, error_msg });
}
