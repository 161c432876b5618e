import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A door in front of a door, which only adds a token: the suite knows none. */
export interface BearerProxy {
  url: string;
  close(): void;
}

/** Everything else goes through as it is, the Host header and streams that are cut off among it. */
export async function bearerProxy(target: string, token: string): Promise<BearerProxy> {
  const server = createServer((incoming, outgoing) => {
    const headers = { authorization: `Bearer ${token}`, ...incoming.headers };
    const onward = request(new URL(incoming.url ?? '/', target), { method: incoming.method, headers, setHost: false });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
