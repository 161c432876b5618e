import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecureContext, type Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type AppOptions, buildApp } from '../api/app.ts';
import { limitsFor } from '../api/http/connectionLimits.ts';
import { requireSafeListener } from '../api/http/plainHttp.ts';
import { OLDEST_TLS } from '../api/http/server.ts';
import type { Config } from '../config.ts';
import { messageOf, OperatorError } from '../kernel/errors.ts';

/** The address by which the daemon and the commands of this machine reach the service. */
export const LOOPBACK = '127.0.0.1';

/** The one port, open. */
interface Listener {
  /** The address that users see. */
  url: string;
  /** Plain HTTP on loopback, for the daemon and the commands of this machine; the same port unless that speaks TLS. */
  innerUrl: string;
  /**
   * Reads certificate and key again, for connections from now on. @returns false if plain HTTP is spoken
   * @throws OperatorError with the unusable file; the former pair remains in use
   */
  renewCertificate(): boolean;
  close(): Promise<void>;
}

export async function openListener(
  config: Config,
  options: Omit<AppOptions, 'trustedProxies' | 'tls' | 'names' | 'connections'>,
): Promise<Listener> {
  const { tls, host, trusted_proxies: trustedProxies } = config;
  if ((tls.cert === null) !== (tls.key === null)) {
    throw new OperatorError('tls: cert and key go together', 'give both files, or neither');
  }
  requireSafeListener({ host, tls: tls.cert !== null, trustedProxies });
  const pair = tls.cert !== null && tls.key !== null ? { cert: tls.cert, key: tls.key } : null;
  if (pair) requireUsable(pair);
  const configured = [...config.mcp.hosts, ...addressesIn(config)].map((name) => name.toLowerCase());
  const names = () => [...namesIn([options.core.publicUrl()]), ...configured];
  const app = buildApp({ ...options, trustedProxies, names, tls: pair, connections: limitsFor(openFilesLimit()) });
  try {
    const url = await listen(app, config);
    const inner = pair || !answersLoopback(host) ? await listenInside(app) : undefined;
    return {
      url,
      innerUrl: inner ? urlOf(inner) : `http://${LOOPBACK}:${(app.server.address() as AddressInfo).port}`,
      renewCertificate() {
        if (pair) renew(app, requireUsable(pair));
        return pair !== null;
      },
      async close() {
        inner?.close();
        inner?.closeIdleConnections();
        await app.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

const USUAL_OPEN_FILES = 1_024;

/** Returns the number of descriptors that the system grants this process. */
function openFilesLimit(): number {
  const { userLimits } = processReport.parse(process.report.getReport());
  const most = Number(userLimits?.open_files?.soft);
  return Number.isSafeInteger(most) && most > 0 ? most : USUAL_OPEN_FILES;
}

const processReport = z.object({
  userLimits: z.object({ open_files: z.object({ soft: z.union([z.string(), z.number()]) }).optional() }).optional(),
});

function renew(app: FastifyInstance, pair: { cert: Buffer; key: Buffer }): void {
  (app.server as unknown as TlsServer).setSecureContext({ ...pair, minVersion: OLDEST_TLS });
}

/** Reads both files. @throws OperatorError with the unusable file and the contents that it must have */
function requireUsable(pair: { cert: string; key: string }): { cert: Buffer; key: Buffer } {
  const read = (name: 'cert' | 'key') => {
    try {
      return readFileSync(pair[name]);
    } catch (error) {
      const hint = `let STAYD_TLS_${name.toUpperCase()} name a PEM file that the user of stayd may read`;
      throw new OperatorError(`tls.${name}: cannot read ${pair[name]}: ${messageOf(error)}`, hint, error);
    }
  };
  const [cert, key] = [read('cert'), read('key')];
  const holds = (name: 'cert' | 'key', text: Buffer, begins: RegExp, what: string) => {
    if (begins.test(text.toString('latin1'))) return;
    throw new OperatorError(
      `tls.${name}: ${pair[name]} holds no ${what}`,
      `it must be PEM, with a line -----BEGIN ${what.toUpperCase()}-----`,
    );
  };
  holds('cert', cert, /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/, 'certificate');
  holds('key', key, /-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----/, 'private key');
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new OperatorError(
      `tls: the certificate in ${pair.cert} and the key in ${pair.key} cannot be used: ${messageOf(error)}`,
      'they must belong together, and the key must not need a password',
      error,
    );
  }
  return { cert, key };
}

/** Returns the configured addresses of this service. */
function addressesIn({ host, connections, upstream }: Config): string[] {
  const urls = [upstream, ...Object.values(connections)].flatMap(({ public_url: url }) => url ?? []);
  return [...namesIn(urls), host];
}

function namesIn(urls: readonly string[]): string[] {
  return urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname.replaceAll(/^\[|\]$/g, ''));
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port, listenTextResolver: (address) => address });
  } catch (error) {
    throw listenFailure(error, { host, port });
  }
}

/** The system reserves lower ports for privileged programs. */
const FIRST_FREE_PORT = 1_024;

/** Explains a failure to listen, with a remedy; returns the error itself if the cause is unknown. */
export function listenFailure(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new OperatorError(`port ${port} of ${host} is taken by another program`, 'set STAYD_PORT to another one');
  }
  if (code === 'EACCES') {
    const hint =
      port < FIRST_FREE_PORT
        ? `set STAYD_PORT to ${FIRST_FREE_PORT} or above and put a proxy in front, or give Node the right to it: setcap cap_net_bind_service=+ep $(readlink -f $(which node))`
        : 'set STAYD_PORT to another one';
    return new OperatorError(`this user may not listen on port ${port} of ${host}`, hint, error);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new OperatorError(
      `this machine has no address ${host}`,
      'set STAYD_HOST to 127.0.0.1, to an address of this machine, or to 0.0.0.0 for all of them',
      error,
    );
  }
  return error;
}

function answersLoopback(host: string): boolean {
  return [LOOPBACK, 'localhost', '0.0.0.0', '::'].includes(host);
}

function listenInside(app: FastifyInstance): Promise<Server> {
  const server = createServer((request, response) => app.routing(request, response));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => resolve(server));
  });
}

function urlOf(server: Server): string {
  return `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
}
