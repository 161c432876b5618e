import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { listAccounts } from '../core/accounts/table.ts';
import { type AccessOptions, requireAccess } from './access.ts';
import { isNear } from './http/near.ts';
import { meterRoutes } from './http/routeMeter.ts';

/** Adds further gauges at each scrape. */
export type Collect = (registry: Registry) => Promise<void>;

/**
 * Serves request counts and times by route, process figures, and the metrics of `collect`, for any token or from this
 * machine.
 * @returns what counts an answer of v3 that carries an error code
 */
export function serveMetrics(app: FastifyInstance, options: AccessOptions, collect: Collect): (code: number) => void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'stayd_' });
  const noteFailure = meterRoutes(app, registry);
  app.get('/metrics', async (request, reply) => {
    if (!isNear(request)) {
      const caller = await requireAccess(options, request, 'read').catch(() => undefined);
      if (!caller) return reply.code(401).type('text/plain').send('A token is needed.\n');
      // The figures are those of all accounts.
      if (caller.kind === 'token' && (await listAccounts(options.core.store.db)).length > 1) {
        return reply
          .code(403)
          .type('text/plain')
          .send('Several accounts are here: only this machine sees the figures.\n');
      }
    }
    await collect(registry);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  return noteFailure;
}
