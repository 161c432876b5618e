import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isWritten, type Logger, loggerOf, withFields } from '../../kernel/log.ts';
import { isForwarded, isNear } from './near.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly requestIds: () => string;
  }
  interface FastifyRequest {
    /** Empty until it is asked for. */
    requestId: string;
    /** The code in the envelope of a failure; 0 otherwise. */
    errorCode: number;
  }
}

/** Returns the id of a request: its envelope answers it, and its lines in the log carry it. */
export function requestIdOf(request: FastifyRequest): string {
  return (request.requestId ||= request.server.requestIds());
}

/** Returns the log for what happens while a request is handled: each line carries the id of the request. */
export function requestLog(log: Logger, request: FastifyRequest): Logger {
  return withFields(log, () => ({ request_id: requestIdOf(request) }));
}

/** The name of everything without a route: the path itself is in no log. */
const NO_ROUTE = 'unknown';

/**
 * Logs a line for each request, at `debug`: its route as a template, since the rest of an address can hold names and
 * secrets, and the kind of its peer instead of an address.
 */
export function logRequests(app: FastifyInstance, log: Logger): void {
  const access = loggerOf(log, 'access');
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    if (isWritten(access, 'debug')) access.debug(lineOf(request, reply), 'request');
    done();
  });
}

function lineOf(request: FastifyRequest, reply: FastifyReply): object {
  return {
    method: request.method,
    route: request.is404 ? NO_ROUTE : (request.routeOptions.url ?? NO_ROUTE),
    status: reply.statusCode,
    ...(request.errorCode !== 0 && { error_code: request.errorCode }),
    ms: Math.round(reply.elapsedTime * 10) / 10,
    peer: isNear(request) ? 'this machine' : isForwarded(request) ? 'proxy' : 'remote',
    request_id: requestIdOf(request),
  };
}
