import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { systemClock } from '../../src/kernel/clock.ts';
import { deliverWebhook, type Delivery, type SenderOptions, webhookSender } from '../../src/outbound/deliver.ts';
import { CERTIFICATE, KEY } from './certificate.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export interface Receiver {
  port: number;
  /** Connections ever accepted, and the ones open now. */
  connections: { total: number; open: Set<Socket> };
}

/** A server on loopback that goes away with the test, its connections too. */
async function serve(t: TestContext, server: Server, host = '127.0.0.1', port = 0): Promise<Receiver> {
  const connections: Receiver['connections'] = { total: 0, open: new Set() };
  server.on('connection', (socket: Socket) => {
    connections.total += 1;
    connections.open.add(socket);
    socket.on('close', () => connections.open.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  t.after(() => {
    for (const socket of connections.open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections };
}

/** Resolves when every connection that is open now has ended, which must be soon. */
export async function ended({ connections }: Receiver, withinMs = 1_000): Promise<void> {
  const closing = [...connections.open].map((socket) => new Promise((resolve) => socket.on('close', resolve)));
  const late = setTimeout(() => assert.fail(`${connections.open.size} connections are still open`), withinMs);
  await Promise.all(closing);
  clearTimeout(late);
}

export const httpReceiver = (t: TestContext, listener: RequestListener) => serve(t, createServer(listener));
export const tlsReceiver = (t: TestContext, listener: RequestListener) =>
  serve(t, createTlsServer({ key: KEY, cert: CERTIFICATE }, listener));
export const tcpReceiver = (t: TestContext, onSocket: (socket: Socket) => void) => serve(t, createTcpServer(onSocket));

/** Listeners that nothing may ever reach: the same port on 127.0.0.1, 127.0.0.2 and ::1. */
export async function canaries(t: TestContext): Promise<{ port: number; hits(): number }> {
  const swallow = (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  const first = await serve(t, createTcpServer(swallow));
  const all = [first];
  for (const host of ['127.0.0.2', '::1']) {
    try {
      all.push(await serve(t, createTcpServer(swallow), host, first.port));
    } catch {
      // Not every system has this address; then nothing can be reached there either.
      t.diagnostic(`no canary on ${host}`);
    }
  }
  return { port: first.port, hits: () => all.reduce((sum, canary) => sum + canary.connections.total, 0) };
}

/** A sender that asks no real DNS and may reach 127.0.0.1; closed with the test. */
export function testSender(t: TestContext, options: Partial<SenderOptions> = {}) {
  const sender = webhookSender({
    policy: { allow: ['127.0.0.0/8'] },
    clock: systemClock,
    userAgent: 'stayd-test/1',
    resolve: async () => {
      throw new Error('ENOTFOUND');
    },
    ...options,
  });
  // The clock's timers do not keep a process alive, and a test may wait for nothing else.
  const alive = setInterval(() => {}, 1_000);
  t.after(async () => {
    clearInterval(alive);
    await sender.dispatcher.destroy();
  });
  return {
    sender,
    deliver: (url: string, delivery: Partial<Delivery> = {}) =>
      deliverWebhook(sender, {
        url,
        eventId: '01K5XS7M4E3V9QH2T6B8N0C1DZ',
        body: '{"event":"x"}',
        secret: SECRET,
        signatureOnly: false,
        ...delivery,
      }),
  };
}
