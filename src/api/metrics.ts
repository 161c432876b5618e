import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { listAccounts } from '../core/accounts/table.ts';
import { type AccessOptions, requireAccess } from './access.ts';
import type { AccountId } from '../kernel/ids.ts';
import { isNear } from './http/near.ts';
import { meterRoutes } from './http/routeMeter.ts';

/** Adds further gauges at each scrape. */
export type Collect = (registry: Registry) => Promise<void>;

interface MetricsOptions extends AccessOptions {
  /** Returns the connections of an account. */
  connectionsOf(accountId: AccountId): Promise<readonly string[]>;
}

/**
 * Serves request counts and times by route, process figures, and the metrics of `collect`, for any token or from this
 * machine. Where several accounts are, a token sees its own connections, and no alarms.
 * @returns what counts an answer of v3 that carries an error code
 */
export function serveMetrics(app: FastifyInstance, options: MetricsOptions, collect: Collect): (code: number) => void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'stayd_' });
  const noteFailure = meterRoutes(app, registry);
  app.get('/metrics', async (request, reply) => {
    let owned: ReadonlySet<string> | undefined;
    if (!isNear(request)) {
      const caller = await requireAccess(options, request, 'read').catch(() => undefined);
      if (!caller) return reply.code(401).type('text/plain').send('A token is needed.\n');
      if (caller.kind === 'token' && (await listAccounts(options.core.store.db)).length > 1) {
        owned = new Set(await options.connectionsOf(caller.account.account_id));
      }
    }
    await collect(registry);
    const text = await registry.metrics();
    return reply.type(registry.contentType).send(owned ? withoutOthers(text, owned) : text);
  });
  return noteFailure;
}

const CONNECTION = /\bconnection="((?:[^"\\]|\\.)*)"/;

/** Leaves out the connections of others, and alarms: their names may be those of others. */
function withoutOthers(text: string, owned: ReadonlySet<string>): string {
  const lines = text.split('\n').filter((line) => {
    if (line.startsWith('#')) return true;
    if (line.startsWith('stayd_alarm{')) return false;
    const [, connection] = CONNECTION.exec(line) ?? [];
    return connection === undefined || owned.has(connection);
  });
  return lines.join('\n');
}
