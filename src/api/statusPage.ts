import type { FastifyInstance } from 'fastify';
import type { PortalOptions } from './portal/serve.ts';

/** `/`: what runs here and how it is, as plain text for whoever sits at this machine. */
export function serveStatusPage(app: FastifyInstance, { services }: PortalOptions): void {
  app.get('/', async (request, reply) => {
    const peer = request.socket.remoteAddress ?? '';
    if (!['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(peer)) return reply.code(404).send();
    const lines = [`stayd ${services.version}, running since ${services.startedAt}`, ''];
    for (const connection of await services.mirror.connectionsOf(null)) {
      lines.push(`connection ${connection}`, JSON.stringify(await services.mirror.status(connection), null, 2), '');
    }
    return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(lines.join('\n'));
  });
}
