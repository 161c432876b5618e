import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../http/pageHeaders.ts';
import { DOCS_POLICY, docsPage } from './page.ts';

/** Serves `/docs`. It contains no secret, so it needs no token. */
export function serveDocs(app: FastifyInstance): void {
  app.get('/docs', (_request, reply) =>
    reply.headers({ ...pageHeaders(DOCS_POLICY), 'cache-control': 'public, max-age=3600' }).send(docsPage()),
  );
}
