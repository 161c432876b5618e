import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../http/pageHeaders.ts';
import { DOCS_POLICY, docsPage } from './page.ts';

/** `/docs`: no secret, so anybody who reaches the service may read it. */
export function serveDocs(app: FastifyInstance): void {
  app.get('/docs', (_request, reply) =>
    reply.headers({ ...pageHeaders(DOCS_POLICY), 'cache-control': 'public, max-age=3600' }).send(docsPage()),
  );
}
