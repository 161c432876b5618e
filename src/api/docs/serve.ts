import type { FastifyInstance } from 'fastify';
import { DOCS_POLICY, docsPage } from './page.ts';

/** `/docs`: no secret, so anybody who reaches the service may read it. */
export function serveDocs(app: FastifyInstance): void {
  app.get('/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', DOCS_POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'public, max-age=3600')
      .send(docsPage()),
  );
}
