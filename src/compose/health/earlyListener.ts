import { createServer as createPlain, type RequestListener, type Server } from 'node:http';
import { createServer as createTls } from 'node:https';
import { readFileSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { requireSafeListener } from '../../api/http/plainHttp.ts';
import { OLDEST_TLS } from '../../api/http/server.ts';
import type { ReadinessWatch } from './readiness.ts';

/** Seconds after which a caller is told to ask again. */
const RETRY_SECONDS = '5';

/**
 * Answers on the one port until the service listens there, so that a probe hears why nothing is served during a long
 * migration: `/healthz` and `/readyz` as later, everything else with HTTP 503. Does nothing where the port is chosen by
 * the system, which nobody can know yet, or cannot be had, which the real listener explains.
 * @returns what ends it and frees the port
 */
export async function listenEarly(config: Config, readiness: ReadinessWatch): Promise<() => Promise<void>> {
  const { host, port, tls, trusted_proxies: trustedProxies } = config;
  if (port === 0) return async () => {};
  try {
    requireSafeListener({ host, tls: tls.cert !== null, trustedProxies });
    const server = serverFor(config, (request, response) => {
      const [path = ''] = (request.url ?? '').split('?', 1);
      const { status, body } = answerTo(path, readiness);
      response.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        connection: 'close',
        ...(status !== 200 && { 'retry-after': RETRY_SECONDS }),
      });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    return () => close(server);
  } catch {
    return async () => {};
  }
}

function serverFor({ tls }: Config, listener: RequestListener): Server {
  if (tls.cert === null || tls.key === null) return createPlain(listener);
  const pair = { cert: readFileSync(tls.cert), key: readFileSync(tls.key) };
  return createTls({ ...pair, minVersion: OLDEST_TLS }, listener);
}

function answerTo(path: string, readiness: ReadinessWatch): { status: number; body: object } {
  if (path === '/healthz') return { status: 200, body: { ok: true } };
  if (path === '/readyz') return { status: 503, body: readiness.phase() };
  return { status: 503, body: { error: { message: 'The service is starting.' } } };
}

/** Every connection ends, since the port is needed at once. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
