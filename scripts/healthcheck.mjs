// Ends with 0 when the service in this container says that it is well. Asks this machine alone, which may
// speak plain HTTP; with a certificate of its own the service speaks TLS, under a name that is not 127.0.0.1.
import { once } from 'node:events';
import { get as plain } from 'node:http';
import { get as secured } from 'node:https';

const LIMIT_MS = 2000;
const address = {
  host: '127.0.0.1',
  port: process.env.STAYD_PORT ?? '8484',
  path: '/healthz',
  rejectUnauthorized: false,
};

async function isWell(get) {
  try {
    const [{ statusCode }] = await once(get({ ...address, signal: AbortSignal.timeout(LIMIT_MS) }), 'response');
    return statusCode === 200;
  } catch {
    return false;
  }
}

process.exit((await isWell(plain)) || (await isWell(secured)) ? 0 : 1);
