import type { FastifyInstance, FastifyRequest } from 'fastify';

type Socket = FastifyRequest['socket'];

/** Milliseconds for a request that is on its way when the server begins to close. */
const LAST_WORD_MS = 500;

/**
 * Ends, soon after the server begins to close, the connections on which nothing was ever asked. Browsers open some in
 * advance, and Node counts them as busy, so a stop would wait for them.
 */
export function endUnusedOnClose(app: FastifyInstance): void {
  const { server } = app;
  /** Bytes that had come before a first request could; with TLS those of the handshake. */
  const open = new Map<Socket, number>();
  const isTls = 'setSecureContext' in server;
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.set(socket, socket.bytesRead);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', async () => {
    for (const [socket, before] of open) {
      if (socket.bytesRead === before) socket.setTimeout(LAST_WORD_MS, () => socket.destroy());
    }
  });
}
