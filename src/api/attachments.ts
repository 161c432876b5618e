import type { FastifyInstance } from 'fastify';
import type { Core } from '../core/context.ts';
import { readAttachment } from '../core/conversations/attachments.ts';
import { ATTACHMENT_PATH } from '../core/conversations/present.ts';

/** Serves pictures of conversations. Their address is their secret, and they never change. */
export function serveAttachments(app: FastifyInstance, { core }: { core: Core }): void {
  app.get<{ Params: { token: string } }>(`${ATTACHMENT_PATH}/:token`, async (request, reply) => {
    const found = await readAttachment(core.store.db, request.params.token);
    if (!found) return reply.code(404).send({ error: { message: 'There is nothing here.' } });
    return reply
      .headers({
        'content-type': found.contentType,
        'cache-control': 'private, max-age=31536000, immutable',
        // A page may show it as a picture; opened by itself it is saved, never executed as another type.
        'content-disposition': 'attachment; filename="picture.jpg"',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
      .send(found.bytes);
  });
}
