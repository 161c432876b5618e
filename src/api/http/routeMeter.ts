import type { FastifyInstance, onResponseHookHandler } from 'fastify';
import { Counter, Histogram, type HistogramConfiguration, type Registry } from 'prom-client';

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
  {
    name: 'stayd_v3_failures_total',
    type: 'counter',
    help: 'Answers of v3 with an error code, by code; HTTP itself answers them with 200.',
    labels: ['code'],
  },
] as const;

const BUCKETS_MS = [1, 5, 20, 100, 500, 2_000, 10_000];
const NO_ROUTE = 'unknown';

/** The requests of one route since the start. */
interface RouteFigures {
  /** Number of requests by method and status. */
  readonly counts: Map<string, Map<number, number>>;
  /** Number of requests by the bucket of their duration; the last is of all that took longer. */
  readonly byBucket: number[];
  sumMs: number;
}

/**
 * Counts and times the answers of every route that is added later, and what has no route. Every request passes here, so
 * it only adds to numbers of its own: prom-client hashes the labels at each observation, and fastify makes an object of
 * a route's options whenever they are asked for.
 * @returns what counts an answer of v3 that carries an error code
 */
export function meterRoutes(app: FastifyInstance, registry: Registry): (code: number) => void {
  const routes = new Map<string, RouteFigures>();
  const figuresOf = (route: string): RouteFigures => {
    const figures = routes.get(route) ?? { counts: new Map(), byBucket: BUCKETS_MS.map(() => 0).concat(0), sumMs: 0 };
    routes.set(route, figures);
    return figures;
  };
  app.addHook('onRoute', (route) => {
    const figures = figuresOf(route.url);
    const noted: onResponseHookHandler = (request, reply, done) => {
      note(figures, request.method, reply.statusCode, reply.elapsedTime);
      done();
    };
    route.onResponse = [route.onResponse ?? [], noted].flat();
  });
  const strays = figuresOf(NO_ROUTE);
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) note(strays, request.method, reply.statusCode, reply.elapsedTime);
    done();
  });
  const [counted, timed, failed] = httpMetrics;
  new Counter({
    ...counted,
    labelNames: counted.labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { counts }] of routes) {
        for (const [method, byStatus] of counts) {
          for (const [status, count] of byStatus) this.inc({ method, route, status }, count);
        }
      }
    },
  });
  const failures = new Map<number, number>();
  new Counter({
    ...failed,
    labelNames: failed.labels,
    registers: [registry],
    collect() {
      this.reset();
      for (const [code, count] of failures) this.inc({ code }, count);
    },
  });
  registry.registerMetric(
    new RouteSeconds(routes, { ...timed, labelNames: timed.labels, buckets: BUCKETS_MS.map(seconds), registers: [] }),
  );
  return (code) => void failures.set(code, (failures.get(code) ?? 0) + 1);
}

function note(figures: RouteFigures, method: string, status: number, ms: number): void {
  const { counts, byBucket } = figures;
  let byStatus = counts.get(method);
  if (!byStatus) counts.set(method, (byStatus = new Map()));
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  let bucket = 0;
  while (bucket < BUCKETS_MS.length && ms > (BUCKETS_MS[bucket] ?? 0)) bucket += 1;
  byBucket[bucket] = (byBucket[bucket] ?? 0) + 1;
  figures.sumMs += ms;
}

/** The durations of the routes, as prom-client writes a histogram. */
class RouteSeconds extends Histogram<'route'> {
  readonly #routes: ReadonlyMap<string, RouteFigures>;

  constructor(routes: ReadonlyMap<string, RouteFigures>, settings: HistogramConfiguration<'route'>) {
    super(settings);
    this.#routes = routes;
  }

  override async get(): ReturnType<Histogram<'route'>['get']> {
    const answer = await super.get();
    const values = [...this.#routes].flatMap(([route, { byBucket, sumMs }]) => {
      let count = 0;
      const buckets = byBucket.map((inBucket, index) => {
        count += inBucket;
        const ms = BUCKETS_MS[index];
        const le = ms === undefined ? '+Inf' : seconds(ms);
        return { metricName: `${answer.name}_bucket`, labels: { route, le }, value: count };
      });
      if (count === 0) return [];
      return [
        ...buckets,
        { metricName: `${answer.name}_sum`, labels: { route }, value: seconds(sumMs) },
        { metricName: `${answer.name}_count`, labels: { route }, value: count },
      ];
    });
    return { ...answer, values };
  }
}

function seconds(ms: number): number {
  return ms / 1_000;
}
