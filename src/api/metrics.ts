import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { type AccessOptions, requireAccess } from './access.ts';
import { isNear } from './http/near.ts';

/** Adds further gauges at each scrape. */
export type Collect = (registry: Registry) => Promise<void>;

/** The metrics of the listener: names, types, labels and help texts. */
export const httpMetrics = [
  {
    name: 'stayd_http_requests_total',
    type: 'counter',
    help: 'Requests answered, by route.',
    labels: ['method', 'route', 'status'],
  },
  {
    name: 'stayd_http_request_duration_seconds',
    type: 'histogram',
    help: 'Seconds to answer, by route.',
    labels: ['route'],
  },
] as const;

/**
 * Serves request counts and times by route, process figures, and the metrics of `collect`, for any token or from this
 * machine.
 */
export function serveMetrics(app: FastifyInstance, options: AccessOptions, collect: Collect): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'stayd_' });
  const [counted, timed] = httpMetrics;
  const requests = new Counter({ ...counted, labelNames: counted.labels, registers: [registry] });
  const seconds = new Histogram({
    ...timed,
    labelNames: timed.labels,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  // A lookup by labels costs more than the count itself; this map has one entry for each route.
  const requestsBy = new Map<string, Counter.Internal>();
  const secondsBy = new Map<string, Histogram.Internal<'route'>>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const status = reply.statusCode;
    kept(requestsBy, `${method} ${status} ${route}`, () => requests.labels({ method, route, status })).inc();
    kept(secondsBy, route, () => seconds.labels({ route })).observe(reply.elapsedTime / 1_000);
    done();
  });
  app.get('/metrics', async (request, reply) => {
    if (!isNear(request) && !(await requireAccess(options, request, 'read').catch(() => undefined))) {
      return reply.code(401).type('text/plain').send('A token is needed.\n');
    }
    await collect(registry);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function kept<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  let value = values.get(key);
  if (!value) values.set(key, (value = make()));
  return value;
}
