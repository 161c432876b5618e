import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ConnectionId } from '../kernel/ids.ts';
import { requireAccess, stillMay } from './access.ts';
import type { ChangesReader, PortalCall } from './portal/route.ts';
import { portalRoute } from './portal/route.ts';
import { failureOf, type PortalOptions, refuseWith } from './portal/serve.ts';
import { connectionOf } from './portal/who.ts';
import { requestLog } from './http/requestLog.ts';

/** Seconds that one request may wait for a change. */
const LONGEST_WAIT_SECONDS = 60;
const STREAM_PAGE = 200;
/** Milliseconds between comment lines, which keep proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;

const question = z.object({
  connection: z.string().optional(),
  after: z.int().min(0).default(0),
  limit: z.int().min(1).max(1_000).default(100),
  wait: z.int().min(0).max(LONGEST_WAIT_SECONDS).default(0),
});

/** `GET /mirror/changes`: the changes after a cursor, at once or when the first one comes. */
export const changesRoute = portalRoute({
  method: 'GET',
  path: '/mirror/changes',
  access: 'read',
  input: question,
  waits: true,
  run: async ({ services, caller, input, signal }: PortalCall<z.output<typeof question>>) => {
    const connection = await connectionOf(services, caller, input.connection);
    const cursor = { after: input.after, limit: input.limit, waitMs: input.wait * 1_000 };
    const rows = await services.mirror.changes(connection, cursor, signal);
    return { changes: rows, next: rows.at(-1)?.seq ?? input.after };
  },
});

/** Serves `GET /mirror/changes/stream`: the same as server-sent events; continues after `Last-Event-ID`. */
export function serveChangeStream(app: FastifyInstance, options: PortalOptions): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  app.get('/mirror/changes/stream', async (request, reply) => {
    try {
      const caller = await requireAccess(options, request, 'read');
      const { connection: name } = request.query as { connection?: string };
      const connection = await connectionOf(options.services, caller, name);
      const mayHave = () => stillMay(options, request, 'read');
      const feed = { changes: options.services.mirror.changes, mayHave, closing: closing.signal };
      return streamChanges(request, reply, feed, connection);
    } catch (error) {
      return refuseWith(reply, failureOf(requestLog(options.log, request), error));
    }
  });
}

interface Feed {
  readonly changes: ChangesReader;
  /** Throws once the reader has lost the right. */
  readonly mayHave: () => Promise<void>;
  /** Aborts when the service stops: a reader must not keep it. */
  readonly closing: AbortSignal;
}

function streamChanges(
  request: FastifyRequest,
  reply: FastifyReply,
  feed: Feed,
  connection: ConnectionId,
): FastifyReply {
  const { after } = request.query as { after?: string };
  const start = Number(request.headers['last-event-id'] ?? after ?? 0);
  const out = new PassThrough();
  const gone = new AbortController();
  const leave = () => {
    gone.abort();
    out.end();
  };
  out.on('close', () => {
    gone.abort();
    feed.closing.removeEventListener('abort', leave);
  });
  feed.closing.addEventListener('abort', leave, { once: true });
  const from = Number.isSafeInteger(start) && start > 0 ? start : 0;
  // A reader continues after its last change, whatever ended the stream.
  pump(out, gone.signal, feed, connection, from).catch(() => out.end());
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
  { changes, mayHave }: Feed,
  connection: ConnectionId,
  start: number,
): Promise<void> {
  let seq = start;
  out.write(': stayd change feed\n\n');
  while (!signal.aborted) {
    const rows = await changes(connection, { after: seq, limit: STREAM_PAGE, waitMs: HEARTBEAT_MS }, signal);
    // The token, session or account of the request may have ended during the wait.
    await mayHave();
    for (const row of rows) {
      seq = row.seq;
      const flowing = out.write(`id: ${row.seq}\nevent: change\ndata: ${JSON.stringify(row)}\n\n`);
      if (flowing) continue;
      await new Promise<void>((resume) => void out.once('drain', resume).once('close', resume));
      await mayHave();
    }
    if (rows.length === 0 && !signal.aborted) out.write(':\n\n');
  }
  out.end();
}
