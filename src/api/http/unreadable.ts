import type { Duplex } from 'node:stream';
import { maxHeaderSize, STATUS_CODES } from 'node:http';

/** The error of Node's parser about a connection that it gives up. */
export interface ParserError extends Error {
  readonly code?: string | undefined;
  /** A Buffer with the last bytes; they begin with the request if it came in one piece. */
  readonly rawPacket?: unknown;
}

/** Bytes that the parser could not read as a request. */
export interface Unreadable {
  /** Its path, if it is recognisable. */
  readonly path: string | undefined;
  readonly kind: 'method' | 'headers' | 'time' | 'other';
}

/** An answer to it: status and JSON text. */
export interface UnreadableAnswer {
  readonly status: number;
  readonly body: string;
}

const KINDS: Record<string, Unreadable['kind']> = {
  HPE_INVALID_METHOD: 'method',
  HPE_HEADER_OVERFLOW: 'headers',
  ERR_HTTP_REQUEST_TIMEOUT: 'time',
};
const STATUSES = { method: 400, headers: 431, time: 408, other: 400 } as const;
const TEXTS = {
  method: 'There is no such method.',
  headers: `The headers are larger than ${maxHeaderSize} bytes.`,
  time: 'The request took too long to come.',
  other: 'The request cannot be read.',
} as const;
const REQUEST_LINE = /^[^\s]{1,40} ([^\s?#]{1,2000})/;
/** Bytes of a packet that are searched for a request line. */
const LOOKED_AT = 2_100;

/** The answer of an API with a form of its own; undefined for paths of others. */
export type UnreadableForm = (unreadable: Unreadable) => UnreadableAnswer | undefined;

declare module 'fastify' {
  interface FastifyInstance {
    /** The forms of this server; the first that answers counts. */
    readonly unreadableForms: UnreadableForm[];
  }
}

/** Returns the text for people. */
export function textOf({ kind }: Unreadable): string {
  return TEXTS[kind];
}

/**
 * Answers bytes that the HTTP parser refuses, before any route can, and closes the connection: the bytes behind them
 * are never read.
 */
export function answerUnreadable(error: ParserError, socket: Duplex, forms: readonly UnreadableForm[]): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const { rawPacket } = error;
  const came = Buffer.isBuffer(rawPacket) ? rawPacket.subarray(0, LOOKED_AT).toString('latin1') : '';
  const [, path] = REQUEST_LINE.exec(came) ?? [];
  const unreadable: Unreadable = { path, kind: KINDS[error.code ?? ''] ?? 'other' };
  const own = { status: STATUSES[unreadable.kind], body: JSON.stringify({ error: { message: textOf(unreadable) } }) };
  const { status, body } = forms.map((form) => form(unreadable)).find((answer) => answer !== undefined) ?? own;
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
