import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Takes the raw bytes of one delivery; says with which HTTP status it is answered. */
export type HookReceiver = (
  connection: string,
  body: Buffer,
  headers: IncomingHttpHeaders,
) => Promise<{ status: number; problem?: string }>;

/** A thin event is well below 20 kB. */
const BODY_LIMIT_BYTES = 65_536;

/** `POST /hooks/<connection>`: raw bytes in, since the signature is over them. */
export function serveHooks(app: FastifyInstance, receive: HookReceiver): void {
  void app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    hooks.post<{ Params: { connection: string } }>('/hooks/:connection', async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const answer = await receive(request.params.connection, body, request.headers);
      return reply.code(answer.status).send(answer.problem === undefined ? '' : { error: { message: answer.problem } });
    });
  });
}
