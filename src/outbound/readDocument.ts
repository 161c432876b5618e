import type { Dispatcher } from 'undici';
import { messageOf } from '../kernel/errors.ts';
import { type DispatcherOptions, guardedDispatcher } from './dispatcher.ts';
import { checkTarget, saysRefused } from './target.ts';
import { textOf } from './textOf.ts';

/** Milliseconds from the look-up of the name to the last byte. */
const LIMIT_MS = 5_000;
const SIZE_BYTES = 5_120;
/** Connections to servers of strangers at the same time. */
const CONNECTIONS = 2;

interface ReaderOptions extends DispatcherOptions {
  userAgent: string;
  limitMs?: number;
}

/** A document, or the reason why there is none; the reason is for the operator only. */
type ReadOutcome = { text: string; headers: Record<string, string> } | { problem: string };

/** Reads small JSON documents at addresses that strangers give. */
export interface Reader {
  /** Sends one GET, without redirects, at most 5 kB, at most 5 seconds. Never throws. */
  read(url: string): Promise<ReadOutcome>;
  close(): Promise<void>;
}

export function documentReader(options: ReaderOptions): Reader {
  const limitMs = options.limitMs ?? LIMIT_MS;
  const dispatcher = guardedDispatcher({ connections: CONNECTIONS, connectLimitMs: limitMs, ...options });
  return {
    async read(address) {
      const checked = checkTarget(address, options.policy);
      if ('refused' in checked) return { problem: saysRefused(checked.refused) };
      const cut = new AbortController();
      const timer = options.clock.setTimer(limitMs, () => cut.abort());
      try {
        return await get(dispatcher, checked.url, { signal: cut.signal, userAgent: options.userAgent });
      } catch (error) {
        return { problem: messageOf(error) };
      } finally {
        timer.cancel();
      }
    },
    close: () => dispatcher.destroy(),
  };
}

async function get(
  dispatcher: Dispatcher,
  url: URL,
  { signal, userAgent }: { signal: AbortSignal; userAgent: string },
): Promise<ReadOutcome> {
  const { statusCode, headers, body } = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    signal,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': userAgent },
  });
  // Useless bodies are read too, or the connection would stay occupied.
  const text = await textOf(body, SIZE_BYTES);
  if (statusCode !== 200) return { problem: `answered ${statusCode}` };
  if (text === undefined) return { problem: `larger than ${SIZE_BYTES} bytes` };
  const type = String(headers['content-type'] ?? '');
  if (!/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)) return { problem: 'not application/json' };
  if (headers['content-encoding'] !== undefined) return { problem: 'encoded' };
  const cacheControl = headers['cache-control'];
  return { text, headers: cacheControl === undefined ? {} : { 'cache-control': String(cacheControl) } };
}
