import { errorCodes, SUCCESS } from '../../contract/errors.ts';
import { breather } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';

/**
 * A successful answer, as text or, where it is long, as the bytes of it. `data` is left out where there is none.
 * @param code the one that means success in the dialect
 */
export async function success(requestId: string, data: unknown, code: number): Promise<string | Buffer> {
  const head = { request_id: requestId, error_code: code, error_msg: SUCCESS.text };
  if (!isLong(data)) return JSON.stringify({ ...head, data });
  return Buffer.concat([Buffer.from(`${JSON.stringify(head).slice(0, -1)},"data":`), ...(await inPieces(data)), END]);
}

/** Rows with lists as long as this are calendars, of which one answer holds up to 100. */
const LONG_LIST = 100;
const END = Buffer.from('}');

function isLong(data: unknown): data is Record<string, unknown> {
  const rows = listsIn(data).flatMap(([, list]) => list);
  return rows.some((row) => listsIn(row).some(([, list]) => list.length >= LONG_LIST));
}

function listsIn(value: unknown): [string, unknown[]][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
}

/** The same text as JSON.stringify gives, row by row, so that everybody else is answered meanwhile. */
async function inPieces(data: Record<string, unknown>): Promise<Buffer[]> {
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

/** The text of a failed one; only the public message of the error leaves. */
export function failure(requestId: string, error: ApiError): string {
  const error_msg = error.message || errorCodes[error.code].text;
  return JSON.stringify({ request_id: requestId, error_code: error.code, error_msg });
}
