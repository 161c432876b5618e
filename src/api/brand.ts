import type { FastifyInstance } from 'fastify';
import { LOGO_PATH, readLogo } from '../core/brands/brand.ts';
import type { Core } from '../core/context.ts';

/** Serves the logos of accounts. The address of each has a secret, and another logo has another address. */
export function serveLogos(app: FastifyInstance, { core }: { core: Core }): void {
  app.get<{ Params: { key: string } }>(`${LOGO_PATH}/:key`, async (request, reply) => {
    void reply.headers({
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    const found = await readLogo(core.store.db, request.params.key);
    if (!found) {
      return reply
        .code(404)
        .header('cache-control', 'no-store')
        .send({ error: { message: 'There is nothing here.' } });
    }
    const etag = `"${found.digest}"`;
    void reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', etag });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply
      .headers({ 'content-type': found.contentType, 'content-disposition': 'inline; filename="logo"' })
      .send(found.bytes);
  });
}
