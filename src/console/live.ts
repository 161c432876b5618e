import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ConnectionId } from '../kernel/ids.ts';
import type { ConsoleServices } from './visit.ts';

/** Milliseconds between comment lines, which keep proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;

type News = Pick<ConsoleServices, 'changesAfter' | 'planNews'>;

interface Listening {
  readonly connection: ConnectionId;
  readonly after: number;
  /** The mark of the plans that the page shows. */
  readonly plans: string;
  /** Aborts when the service stops: an open page must not keep it. */
  readonly closing: AbortSignal;
  /** Throws once the person has lost the right to look. */
  readonly mayLook: () => Promise<void>;
}

/**
 * Tells an open page that something has changed, as server-sent events without any content: the page asks for itself
 * again, with the rights that its reader then has.
 */
export function streamSignals(reply: FastifyReply, services: News, listening: Listening): FastifyReply {
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
  pump(out, gone.signal, services, listening).catch(() => out.end());
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
  services: News,
  { connection, after, plans, mayLook }: Listening,
): Promise<void> {
  let seen = { after, plans };
  out.write(':\n\n');
  while (!signal.aborted) {
    const now = await newsAfter(services, connection, seen, signal);
    await mayLook();
    const isNews = now.after !== seen.after || now.plans !== seen.plans;
    out.write(isNews ? `id: ${now.after}\nevent: change\ndata:\n\n` : ':\n\n');
    seen = now;
  }
  out.end();
}

/** Waits for whatever comes first: a change of the mirror, or one of a plan, which is no part of the mirror's feed. */
async function newsAfter(
  { changesAfter, planNews }: News,
  connection: ConnectionId,
  seen: { after: number; plans: string },
  signal: AbortSignal,
): Promise<{ after: number; plans: string }> {
  const enough = new AbortController();
  // A reason of its own, since the default would create an error with a stack each time.
  const stop = () => enough.abort('enough');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [changes, plans] = await Promise.all([
      changesAfter(connection, seen.after, HEARTBEAT_MS, enough.signal).finally(stop),
      planNews(connection, seen.plans, HEARTBEAT_MS, enough.signal).finally(stop),
    ]);
    return { after: changes.at(-1) ?? seen.after, plans };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
