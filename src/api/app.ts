import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { serveAttachments } from './attachments.ts';
import { serveLogos } from './brand.ts';
import { serveChangeStream } from './changes.ts';
import { serveDocs } from './docs/serve.ts';
import type { DocsSources } from './docs/site.ts';
import { MCP_PATHS, type McpOptions, serveMcp } from './mcp/door.ts';
import { type Collect, serveMetrics } from './metrics.ts';
import type { OAuthOptions } from './oauth/options.ts';
import { serveOAuth } from './oauth/serve.ts';
import { portalRoutes } from './portal/routes.ts';
import { failureOf, type PortalOptions, servePortal } from './portal/serve.ts';
import { serveSignIn } from './portal/people/signIn.ts';
import { serveSecurityTxt } from './securityTxt.ts';
import { newServer, refuseWhileClosing, type ServerOptions, URL_LIMIT } from './http/server.ts';
import { logRequests, requestLog } from './http/requestLog.ts';
import { traceRequests } from './http/traceRequests.ts';
import { noTracer, type Tracer } from '../kernel/tracing/tracer.ts';
import { serveBook } from './book/serve.ts';
import { serveStripeHook } from './book/stripeHook.ts';
import { serveFeeds } from './feeds/serve.ts';
import { serveGuestPages } from './guest/serve.ts';
import { serveShare } from './share/serve.ts';
import { serveStatusPage } from './statusPage.ts';
import { asDescribed } from '../contract/dialect/dialect.ts';
import { serveV3, type V3Options } from './v3.ts';
import { type HookReceiver, serveHooks } from './http/hooks.ts';

export interface AppOptions extends V3Options, PortalOptions, ServerOptions, OAuthOptions {
  readonly receive: HookReceiver;
  /** Absent for no traces. */
  readonly tracer?: Tracer;
  readonly mcp: Pick<McpOptions, 'confirm' | 'hosts' | 'origins'>;
  /** False if only the daemon runs; then there is no v3. */
  readonly servesCore: boolean;
  readonly collectMetrics: Collect;
  readonly docs: DocsSources;
  /** The address for reports of flaws (`mailto:`, `https:`); null if none is named. */
  readonly securityContact: string | null;
  /** Tells if everything that a caller may need is up, and why not, in words for strangers. */
  /** True from the signal to stop on. */
  readonly isStopping: () => boolean;
  readonly readiness: () => Promise<{ readonly ready: boolean }>;
  /** Adds the pages for people; left out where people have no logins. */
  readonly serveConsole?: (app: FastifyInstance) => void;
}

const READY = '/readyz';

/** Returns false where v3 has other paths or words than those of its description. */
function speaksAsDescribed({ dialect = asDescribed }: Pick<V3Options, 'dialect'>): boolean {
  return isDeepStrictEqual(dialect.profile, asDescribed.profile);
}

/** Builds the application for the one port. */
export function buildApp(options: AppOptions): FastifyInstance {
  const v3 = `${(options.dialect ?? asDescribed).profile.base_path}/`;
  const app = newServer({ ...options, requestIds: options.core.ids }, (path) =>
    MCP_PATHS.some((one) => one === path.split('?', 1)[0]),
  );
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.length <= URL_LIMIT || request.url.startsWith(v3)) done();
    else void reply.code(414).send({ error: { message: 'The address is too long.' } });
  });
  app.addHook('onRequest', async (_request, reply) => {
    // A proxy then opens its next connection to another process.
    if (options.isStopping()) void reply.header('connection', 'close');
  });
  refuseWhileClosing(app, async (request, reply) => {
    if (options.servesCore && request.url.startsWith(v3)) return;
    if (request.url === READY) return;
    await reply.code(503).send({ error: { message: 'The service is stopping.' } });
  });
  logRequests(app, options.log);
  traceRequests(app, options.tracer ?? noTracer, v3.slice(0, -1));
  const onFailure = serveMetrics(
    app,
    { ...options, connectionsOf: (id) => options.services.mirror.connectionsOf(id) },
    options.collectMetrics,
  );
  if (options.servesCore) {
    serveV3(app, { ...options, onFailure });
    serveDocs(app, { ...options.docs, tries: speaksAsDescribed(options) });
    serveMcp(app, { ...options, ...options.mcp, version: options.services.version });
    serveShare(app, options);
    serveFeeds(app, options);
    serveGuestPages(app, options);
    const { direct: work } = options.services;
    if (work) {
      serveBook(app, { ...options, work });
      serveStripeHook(app, work, options.log);
    }
    serveLogos(app, options);
    serveAttachments(app, options);
    serveOAuth(app, options);
  }
  serveHooks(app, options.receive);
  servePortal(app, portalRoutes, options);
  serveChangeStream(app, options);
  if (options.serveConsole) serveSignIn(app, options);
  options.serveConsole?.(app);
  serveStatusPage(app, { ...options, home: options.serveConsole ? '/console/' : '/status.txt' });
  serveSecurityTxt(app, { core: options.core, contact: options.securityContact });
  app.get('/healthz', async () => ({ ok: true }));
  app.get(READY, async (_request, reply) => {
    const readiness = await options.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readiness);
  });
  // Handles failures before any route of its own: a body that is too large or no JSON.
  app.setErrorHandler((error, request, reply) => {
    const { code, body } = failureOf(requestLog(options.log, request), error);
    return reply.code(code).send(body);
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: { message: 'There is nothing here.' } }));
  return app;
}
