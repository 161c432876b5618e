import type { FastifyInstance } from 'fastify';
import { isNear } from './http/near.ts';
import type { PortalOptions } from './portal/serve.ts';

/** Serves `/`: the state of the service as plain text, for callers on this machine. */
export function serveStatusPage(app: FastifyInstance, { services }: PortalOptions): void {
  app.get('/', async (request, reply) => {
    if (!isNear(request)) return reply.code(404).send();
    const lines = [`stayd ${services.version}, running since ${services.startedAt}`, ''];
    for (const connection of await services.mirror.connectionsOf(null)) {
      lines.push(`connection ${connection}`, JSON.stringify(await services.mirror.status(connection), null, 2), '');
    }
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(lines.join('\n'));
  });
}
