import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';

/** How an answer is spoilt on its way; left out: it is not. */
export type Spoil =
  | { kind: 'answer'; status?: number; headers?: Record<string, string>; body: string | Buffer }
  | { kind: 'cut'; share: number }
  | { kind: 'drip'; bytesPerSecond: number }
  | { kind: 'silent' }
  | { kind: 'reset' }
  /** The true answer, changed. */
  | { kind: 'bend'; bend: (text: string) => string | Buffer };

/** One request that came by. */
export interface Passed {
  method: string;
  path: string;
  /** Monotonic milliseconds; `endedAt` is when either side let go. */
  begunAt: number;
  endedAt: number | null;
  spoilt: Spoil['kind'] | null;
}

/** A way to another server on which answers go wrong as the rule says. */
export interface FaultProxy {
  url: string;
  rule: (asked: { method: string; path: string }) => Spoil | undefined;
  readonly passed: Passed[];
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<FaultProxy> {
  const server = createServer((asked, answer) => void pass(asked, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rule: () => undefined,
    passed: [],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = asked;
    const spoil = proxy.rule({ method, path });
    const entry: Passed = { method, path, begunAt: performance.now(), endedAt: null, spoilt: spoil?.kind ?? null };
    proxy.passed.push(entry);
    answer.once('close', () => (entry.endedAt = performance.now()));
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    if (spoil?.kind === 'answer') {
      answer.writeHead(spoil.status ?? 200, { 'content-type': 'application/json', ...spoil.headers }).end(spoil.body);
    } else if (spoil?.kind === 'reset') {
      answer.destroy();
    } else if (spoil?.kind !== 'silent') {
      forward(asked, Buffer.concat(chunks), answer, spoil);
    }
  }

  function forward(asked: IncomingMessage, body: Buffer, answer: ServerResponse, spoil: Spoil | undefined): void {
    const url = new URL(asked.url ?? '/', target);
    const headers = { ...asked.headers, host: url.host };
    const onward = httpRequest(url, { method: asked.method, headers }, (true_) => {
      const parts: Buffer[] = [];
      true_.on('data', (part: Buffer) => parts.push(part));
      true_.on('end', () => give(answer, true_, Buffer.concat(parts), spoil));
    });
    onward.on('error', () => answer.destroy());
    onward.end(body);
  }
  return proxy;
}

function give(answer: ServerResponse, from: IncomingMessage, body: Buffer, spoil: Spoil | undefined): void {
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...headers } = from.headers;
  const status = from.statusCode ?? 502;
  switch (spoil?.kind) {
    case 'cut':
      // The length of the whole is promised, and the connection ends before it.
      answer.writeHead(status, { ...headers, 'content-length': body.length });
      answer.write(body.subarray(0, Math.floor(body.length * spoil.share)), () => answer.destroy());
      return;
    case 'drip':
      answer.writeHead(status, { ...headers, 'content-length': body.length });
      drip(answer, body, spoil.bytesPerSecond);
      return;
    case 'bend':
      answer.writeHead(status, headers).end(spoil.bend(body.toString()));
      return;
    default:
      answer.writeHead(status, headers).end(body);
  }
}

function drip(answer: ServerResponse, body: Buffer, bytesPerSecond: number): void {
  let sent = 0;
  const timer = setInterval(() => {
    answer.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent === body.length) answer.end();
    if (sent === body.length || answer.destroyed) clearInterval(timer);
  }, 1_000 / bytesPerSecond);
  answer.once('close', () => clearInterval(timer));
}
