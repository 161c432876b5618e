import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { messageOf } from '../kernel/errors.ts';
import { ConnectFailure, type DispatcherOptions, guardedDispatcher } from './dispatcher.ts';
import { checkTarget, leadsInside, saysRefused } from './target.ts';

/** Milliseconds from the look-up of the name to the last byte. */
const LIMIT_MS = 15_000;
/** Bytes of a calendar, unpacked. */
export const CALENDAR_BYTES = 5 * 1_024 * 1_024;
const REDIRECTS = 3;
/** Connections to one server at the same time. */
const CONNECTIONS = 2;

/** What a server gave last time, so that it can say that nothing is new. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A text, nothing new, or the reason why there is none; the reason is for the operator. */
export type CalendarOutcome =
  | ({ readonly text: string } & Validators)
  | { readonly unchanged: true }
  | { readonly problem: string };

/** Reads calendars at addresses that people give. */
export interface CalendarReader {
  /**
   * Sends one conditional GET, with at most three redirects, each judged like the first address. At most 5 MiB, at most
   * 15 seconds. Never throws.
   */
  read(url: string, known: Validators): Promise<CalendarOutcome>;
  close(): Promise<void>;
}

interface CalendarReaderOptions extends DispatcherOptions {
  userAgent: string;
  limitMs?: number;
}

export function calendarReader(options: CalendarReaderOptions): CalendarReader {
  const limitMs = options.limitMs ?? LIMIT_MS;
  const dispatcher = guardedDispatcher({ connections: CONNECTIONS, ...options });
  return {
    async read(address, known) {
      const cut = new AbortController();
      const timer = options.clock.setTimer(limitMs, () => cut.abort());
      try {
        return await follow(address, known, { dispatcher, options, signal: cut.signal });
      } catch (error) {
        return { problem: cut.signal.aborted ? `no answer within ${limitMs / 1_000} s` : problemOf(error) };
      } finally {
        timer.cancel();
      }
    },
    close: () => dispatcher.destroy(),
  };
}

interface Asking {
  readonly dispatcher: Dispatcher;
  readonly options: CalendarReaderOptions;
  readonly signal: AbortSignal;
}

async function follow(address: string, known: Validators, asking: Asking): Promise<CalendarOutcome> {
  let next = address;
  for (let hop = 0; hop <= REDIRECTS; hop += 1) {
    const checked = checkTarget(next, asking.options.policy);
    if ('refused' in checked) return { problem: saysRefused(checked.refused) };
    if (leadsInside(checked.url, asking.options.policy)) return { problem: 'the address leads into this service' };
    const answer = await get(checked.url, known, asking);
    if (!('redirect' in answer)) return answer;
    if (!URL.canParse(answer.redirect, checked.url.href)) return { problem: 'it redirects to no address' };
    next = new URL(answer.redirect, checked.url.href).href;
  }
  return { problem: `it redirects more than ${REDIRECTS} times` };
}

const REDIRECT: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function get(
  url: URL,
  { etag, lastModified }: Validators,
  { dispatcher, options, signal }: Asking,
): Promise<CalendarOutcome | { redirect: string }> {
  const { statusCode, headers, body } = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    signal,
    headers: {
      accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
      'accept-encoding': 'gzip',
      'user-agent': options.userAgent,
      ...(etag !== null && { 'if-none-match': etag }),
      ...(lastModified !== null && { 'if-modified-since': lastModified }),
    },
  });
  // Useless bodies are read too, or the connection would stay occupied.
  const packed = await bytesOf(body);
  if (statusCode === 304) return { unchanged: true };
  const { location } = headers;
  if (REDIRECT.has(statusCode) && typeof location === 'string') return { redirect: location };
  if (statusCode !== 200) return { problem: `it answers ${statusCode}` };
  if (packed === undefined) return { problem: TOO_LARGE };
  const bytes = await unpacked(packed, String(headers['content-encoding'] ?? 'identity').toLowerCase());
  if (bytes === undefined) return { problem: TOO_LARGE };
  return { text: bytes.toString('utf8'), etag: one(headers['etag']), lastModified: one(headers['last-modified']) };
}

const TOO_LARGE = `it is larger than ${CALENDAR_BYTES / 1_024 / 1_024} MB`;
/** Characters of a validator that is kept; a longer one is no use. */
const LONGEST_VALIDATOR = 500;

function one(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header.length <= LONGEST_VALIDATOR ? header : null;
}

/** Returns undefined for a body that is too large; the connection is cut off then. */
async function bytesOf(body: Dispatcher.ResponseData['body']): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > CALENDAR_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const UNPACK = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** Returns undefined for a body that is too large once it is unpacked. */
async function unpacked(packed: Buffer, encoding: string): Promise<Buffer | undefined> {
  if (encoding === 'identity' || encoding === '') return packed;
  if (!Object.hasOwn(UNPACK, encoding)) throw new Error(`it is encoded as ${encoding.slice(0, 20)}`);
  try {
    return await UNPACK[encoding as keyof typeof UNPACK](packed, { maxOutputLength: CALENDAR_BYTES });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const CONNECT_PROBLEMS = {
  bad_url: 'the address is none that may be read',
  private_address: saysRefused('private_address'),
  dns: 'the name of the server is not known',
  connect: 'the server cannot be reached',
  tls: 'the server has no valid certificate',
  timeout: 'the server does not answer',
} as const;

function problemOf(error: unknown): string {
  return error instanceof ConnectFailure ? CONNECT_PROBLEMS[error.problem] : messageOf(error);
}
