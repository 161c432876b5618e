import { type Dispatcher, Pool } from 'undici';
import type { OperationId } from '../contract/index.ts';
import { messageOf } from '../kernel/errors.ts';
import { transportFailure } from './callError.ts';
import type { HttpAnswer } from './envelope.ts';

/** The pool of a client; callers can pass their own. */
export type { Dispatcher } from 'undici';

const CONNECT_MS = 5_000;
const HEADERS_MS = 15_000;
/** Milliseconds from sending to the last byte. */
export const TOTAL_MS = 60_000;
/** The maximum size of an answer. A page of 100 rows is some 300 kB; a larger one comes from something unexpected. */
const ANSWER_BYTES = 32 * 1024 * 1024;
const CONNECTIONS = 16;

export interface HttpRequest {
  method: Dispatcher.HttpMethod;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Opens a pool of persistent connections to one upstream, with the time limits of this program. */
export function openPool(baseUrl: string): Pool {
  return new Pool(new URL(baseUrl).origin, {
    connections: CONNECTIONS,
    pipelining: 1,
    connect: { timeout: CONNECT_MS },
    headersTimeout: HEADERS_MS,
    bodyTimeout: HEADERS_MS,
  });
}

/** Sends one request and reads its whole answer; every failure is a CallError of kind `transport`. */
export async function exchange(
  dispatcher: Dispatcher,
  origin: string,
  operation: OperationId,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  try {
    const { method, path, headers } = request;
    const answer = await dispatcher.request({ origin, method, path, headers, body: request.body ?? null, signal });
    const body = await readBody(answer.body, Number(firstOf(answer.headers['content-length'])));
    return { status: answer.statusCode, body, header: (name) => firstOf(answer.headers[name]) };
  } catch (cause) {
    throw transportFailure(operation, signal.aborted ? 'given up: no whole answer in time' : messageOf(cause), cause);
  }
}

/** @param announced the announced number of bytes; NaN if none is announced */
async function readBody(stream: AsyncIterable<Buffer>, announced: number): Promise<Buffer> {
  // The buffer is filled directly, so that a large body is never in memory twice.
  const whole = announced <= ANSWER_BYTES ? Buffer.allocUnsafe(announced) : undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    if (announced > ANSWER_BYTES || bytes + chunk.length > ANSWER_BYTES) {
      throw new Error(`an answer of more than ${ANSWER_BYTES} bytes`);
    }
    if (whole) chunk.copy(whole, bytes);
    else chunks.push(chunk);
    bytes += chunk.length;
  }
  if (whole) return whole.subarray(0, bytes);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
