import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Duplex } from 'node:stream';
import { type ConnectionLimits, knownPeers, limitConnections } from './connectionLimits.ts';
import { type ListenerGuard, guardListener } from './near.ts';
import { endUnusedOnClose } from './unusedConnections.ts';
import { answerUnreadable, type ParserError, type UnreadableForm } from './unreadable.ts';

export interface ServerOptions extends ListenerGuard {
  readonly tls: { cert: string; key: string } | null;
  /** Absent for no limit. */
  readonly connections?: ConnectionLimits;
  /** Makes the ids of requests; absent where nothing answers or logs them. */
  readonly requestIds?: () => string;
}

/** The oldest version of TLS that is spoken. */
export const OLDEST_TLS = 'TLSv1.2';

const HEADER_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds between checks of these two time limits; with Node's own 30 s, the limit of 10 s would become 40. */
const CHECK_CONNECTIONS_MS = 2_000;
const TIMEOUTS = { headersTimeout: HEADER_TIMEOUT_MS, connectionsCheckingInterval: CHECK_CONNECTIONS_MS };
/** The maximum number of characters of an address, query included. */
export const URL_LIMIT = 8_192;

/** Creates the HTTP server without routes: the limits of a request, and the callers that are refused unread. */
export function newServer(
  { tls, connections, requestIds = () => '', ...guard }: ServerOptions,
  judgesItself: (path: string) => boolean = () => false,
): FastifyInstance {
  const unreadableForms: UnreadableForm[] = [];
  const server = fastify({
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    rewriteUrl: readableUrl,
    // The router's own refusal would bypass every hook and envelope, so that nothing may reach its limit.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    clientErrorHandler: (error: ParserError, socket: Duplex) => answerUnreadable(error, socket, unreadableForms),
    maxRequestsPerSocket: 0,
    forceCloseConnections: 'idle',
    // During shutdown each API refuses requests in its own form.
    return503OnClosing: false,
    // Only the options of the created server are read, of the two given.
    ...(tls
      ? { https: { ...TIMEOUTS, cert: readFileSync(tls.cert), key: readFileSync(tls.key), minVersion: OLDEST_TLS } }
      : { http: TIMEOUTS }),
  }) as FastifyInstance;
  server.decorate('unreadableForms', unreadableForms);
  server.decorate('requestIds', requestIds);
  server.decorateRequest('requestId', '');
  server.decorateRequest('errorCode', 0);
  if (connections) limitConnections(server.server, connections, knownPeers(guard.trustedProxies));
  endUnusedOnClose(server);
  guardListener(server, guard, judgesItself);
  return server;
}

/** Runs `refuse` for requests that come after the server has begun to close; the connection ends with their answer. */
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

/** Takes an address with invalid percent signs literally, so that it too reaches hooks and handlers. */
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
