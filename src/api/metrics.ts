import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { type AccessOptions, requireAccess } from './access.ts';

/** Adds gauges of its own at each scrape. */
export type Collect = (registry: Registry) => Promise<void>;

/** Request counts and times by route, process figures, and what `collect` adds; for any token, or from this machine. */
export function serveMetrics(app: FastifyInstance, options: AccessOptions, collect: Collect): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'stayd_' });
  const requests = new Counter({
    name: 'stayd_http_requests_total',
    help: 'Requests answered, by route.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'stayd_http_request_seconds',
    help: 'Time to answer, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    requests.inc({ method: request.method, route, status: reply.statusCode });
    seconds.observe({ route }, reply.elapsedTime / 1_000);
  });
  app.get('/metrics', async (request, reply) => {
    const local = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '');
    if (!local && !(await requireAccess(options, request, 'read').catch(() => undefined))) {
      return reply.code(401).type('text/plain').send('A token is needed.\n');
    }
    await collect(registry);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
