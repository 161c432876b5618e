import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Takes the raw bytes of one delivery and returns the HTTP status of the answer. `path` is the part after the
 * connection's name, if the URL has an unguessable part.
 */
export type HookReceiver = (
  connection: string,
  body: Buffer,
  headers: IncomingHttpHeaders,
  path: string | undefined,
) => Promise<{ status: number; problem?: string }>;

/** The limit of a body; a thin event is well below 20 kB. */
const BODY_LIMIT_BYTES = 65_536;

/** Serves `POST /hooks/<connection>` with raw bytes, because the signature covers them. */
export function serveHooks(app: FastifyInstance, receive: HookReceiver): void {
  void app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    for (const url of ['/hooks/:connection', '/hooks/:connection/:path']) {
      hooks.post<{ Params: { connection: string; path?: string } }>(url, async ({ params, body, headers }, reply) => {
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const { status, problem } = await receive(params.connection, bytes, headers, params.path);
        return reply.code(status).send(problem === undefined ? '' : { error: { message: problem } });
      });
    }
  });
}
