import type { FastifyInstance } from 'fastify';
import { isNear } from './http/near.ts';
import type { PortalOptions } from './portal/serve.ts';

interface StatusPageOptions extends PortalOptions {
  /** The address to which `/` leads. */
  readonly home: string;
}

/** Serves `/status.txt`: the state of the service as plain text, for callers on this machine. `/` leads to the pages. */
export function serveStatusPage(app: FastifyInstance, { services, home }: StatusPageOptions): void {
  app.get('/', (_request, reply) => reply.header('cache-control', 'no-store').redirect(home, 303));
  app.get('/status.txt', async (request, reply) => {
    if (!isNear(request)) return reply.code(404).send();
    const lines = [`stayd ${services.version}, running since ${services.startedAt}`, ''];
    for (const connection of await services.mirror.connectionsOf(null)) {
      lines.push(`connection ${connection}`, JSON.stringify(await services.mirror.status(connection), null, 2), '');
    }
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(lines.join('\n'));
  });
}
