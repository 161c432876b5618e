import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Duplex } from 'node:stream';
import { type ConnectionLimits, knownPeers, limitConnections } from './connectionLimits.ts';
import { type ListenerGuard, guardListener } from './near.ts';
import { answerUnreadable, type ParserError, type UnreadableForm } from './unreadable.ts';

export interface ServerOptions extends ListenerGuard {
  readonly tls: { cert: string; key: string } | null;
  /** Left out: as many connections as come. */
  readonly connections?: ConnectionLimits;
}

const HEADER_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often connections are looked at for these two; Node's own 30 s would make 40 of the 10. */
const CHECK_CONNECTIONS_MS = 2_000;
const TIMEOUTS = { headersTimeout: HEADER_TIMEOUT_MS, connectionsCheckingInterval: CHECK_CONNECTIONS_MS };
/** Characters of the longest address that is looked at, query included. */
export const URL_LIMIT = 8_192;

/** The HTTP server without its routes: the limits of a request, and who is refused before it is read. */
export function newServer(
  { tls, connections, ...guard }: ServerOptions,
  judgesItself: (path: string) => boolean = () => false,
): FastifyInstance {
  const unreadableForms: UnreadableForm[] = [];
  const server = fastify({
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    rewriteUrl: readableUrl,
    // A code of any length is simply unknown; the router's own refusal would pass by every hook and envelope.
    routerOptions: { maxParamLength: URL_LIMIT },
    clientErrorHandler: (error: ParserError, socket: Duplex) => answerUnreadable(error, socket, unreadableForms),
    maxRequestsPerSocket: 0,
    forceCloseConnections: 'idle',
    // What comes while it closes is refused by each door in its own form.
    return503OnClosing: false,
    // Of the two, only the options of the server that is made are looked at.
    ...(tls
      ? { https: { ...TIMEOUTS, cert: readFileSync(tls.cert), key: readFileSync(tls.key), minVersion: 'TLSv1.2' } }
      : { http: TIMEOUTS }),
  }) as FastifyInstance;
  server.decorate('unreadableForms', unreadableForms);
  if (connections) limitConnections(server.server, connections, knownPeers(guard.trustedProxies));
  guardListener(server, guard, judgesItself);
  return server;
}

/** Runs `refuse` for requests that come once the server has begun to close; the connection ends with their answer. */
export function refuseWhileClosing(
  app: FastifyInstance,
  refuse: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  let closing = false;
  app.addHook('preClose', async () => void (closing = true));
  app.addHook('onRequest', async (request, reply) => {
    if (closing) await refuse(request, reply);
  });
}

/** An address whose percent signs stand for no text is taken literally, so that it too reaches hooks and handlers. */
function readableUrl({ url = '/' }: IncomingMessage): string {
  const [path = ''] = url.split(/[?#]/, 1);
  if (!path.includes('%')) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
