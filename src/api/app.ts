import { readFileSync } from 'node:fs';
import fastify, { type FastifyInstance } from 'fastify';
import { changesRoute, serveChangeStream } from './changes.ts';
import { type Collect, serveMetrics } from './metrics.ts';
import { refusePlainHttp } from './plainHttp.ts';
import { accountRoutes } from './portal/accounts.ts';
import { importRoutes } from './portal/imports.ts';
import { type PortalOptions, servePortal } from './portal/serve.ts';
import { syncRoutes } from './portal/sync.ts';
import { serveStatusPage } from './statusPage.ts';
import { serveV3, type V3Options } from './v3.ts';
import { type HookReceiver, serveHooks } from './hooks.ts';

export interface AppOptions extends V3Options, PortalOptions {
  readonly trustedProxies: readonly string[];
  readonly tls: { cert: string; key: string } | null;
  readonly receive: HookReceiver;
  /** False where only the daemon runs: there is no v3 here then. */
  readonly servesCore: boolean;
  readonly collectMetrics: Collect;
  /** Whether everything a caller may need is up. */
  readonly ready: () => boolean;
}

const HEADER_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const URL_LIMIT = 8_192;

/** Everything the service answers on its one port. */
export function buildApp(options: AppOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 500 },
    http: { headersTimeout: HEADER_TIMEOUT_MS },
    maxRequestsPerSocket: 0,
    forceCloseConnections: 'idle',
    ...(options.tls && {
      https: { cert: readFileSync(options.tls.cert), key: readFileSync(options.tls.key), minVersion: 'TLSv1.2' },
    }),
  }) as FastifyInstance;
  refusePlainHttp(app, options.trustedProxies);
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.length > URL_LIMIT) await reply.code(414).send({ error: { message: 'The address is too long.' } });
  });
  serveMetrics(app, options, options.collectMetrics);
  if (options.servesCore) serveV3(app, options);
  serveHooks(app, options.receive);
  servePortal(app, [...accountRoutes, ...syncRoutes, ...importRoutes, changesRoute], options);
  serveChangeStream(app, options);
  serveStatusPage(app, options);
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async (_request, reply) => reply.code(options.ready() ? 200 : 503).send({ ready: options.ready() }));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: { message: 'There is nothing here.' } }));
  return app;
}
