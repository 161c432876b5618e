import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Tracer } from '../../kernel/tracing/tracer.ts';
import { requestIdOf } from './requestLog.ts';

/** What is traced, beside v3: other pages are for people, and have secrets in their addresses. */
const TRACED = ['/mcp', '/hooks', '/portal', '/mirror'];

/**
 * Opens a span for each request to the APIs, named by the template of its route. It continues the trace of the caller
 * (`traceparent`) and answers with `traceresponse`.
 * @param v3 the base path of v3
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer, v3: string): void {
  if (!tracer.isOn) return;
  const roots = [v3, ...TRACED];
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (!roots.some((root) => path === root || path.startsWith(`${root}/`))) return done();
    const { method } = request;
    const route = request.is404 ? undefined : request.routeOptions.url;
    const { traceparent } = request.headers;
    const span = tracer.open(route === undefined ? method : `${method} ${route}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : null,
      attributes: { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) },
    });
    spans.set(request, span);
    if (span.traceparent !== undefined) void reply.header('traceresponse', span.traceparent);
    tracer.within(span, done);
  });
  // The body arrives by events of the connection, outside of the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) tracer.within(span, done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    const { errorCode } = request;
    span?.set({
      'http.response.status_code': reply.statusCode,
      'stayd.request_id': requestIdOf(request),
      ...(errorCode !== 0 && { 'stayd.error_code': errorCode }),
    });
    if (reply.statusCode >= 500 || errorCode >= 500) span?.fail(String(errorCode || reply.statusCode));
    span?.end();
    done();
  });
}
