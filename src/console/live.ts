import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ConnectionId } from '../kernel/ids.ts';
import type { ConsoleServices } from './visit.ts';

/** Milliseconds between comment lines, which keep proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;

interface Listening {
  readonly connection: ConnectionId;
  readonly after: number;
  /** Aborts when the service stops: an open page must not keep it. */
  readonly closing: AbortSignal;
  /** Throws once the person has lost the right to look. */
  readonly mayLook: () => Promise<void>;
}

/**
 * Tells an open page that something has changed, as server-sent events without any content: the page asks for itself
 * again, with the rights that its reader then has.
 */
export function streamSignals(
  reply: FastifyReply,
  { changesAfter }: Pick<ConsoleServices, 'changesAfter'>,
  listening: Listening,
): FastifyReply {
  const out = new PassThrough();
  const gone = new AbortController();
  const leave = () => {
    gone.abort();
    out.end();
  };
  out.on('close', () => {
    gone.abort();
    listening.closing.removeEventListener('abort', leave);
  });
  listening.closing.addEventListener('abort', leave, { once: true });
  pump(out, gone.signal, changesAfter, listening).catch(() => out.end());
  return (
    reply
      .header('content-type', 'text/event-stream')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      // Kept for another request, the connection would hold up a stop that ends the stream.
      .header('connection', 'close')
      .send(out)
  );
}

async function pump(
  out: PassThrough,
  signal: AbortSignal,
  changesAfter: ConsoleServices['changesAfter'],
  { connection, after, mayLook }: Listening,
): Promise<void> {
  let seen = after;
  out.write(':\n\n');
  while (!signal.aborted) {
    const seqs = await changesAfter(connection, seen, HEARTBEAT_MS, signal);
    await mayLook();
    const last = seqs.at(-1);
    if (last === undefined) out.write(':\n\n');
    else {
      seen = last;
      out.write(`id: ${last}\nevent: change\ndata:\n\n`);
    }
  }
  out.end();
}
