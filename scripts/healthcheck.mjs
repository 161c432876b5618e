// Ends with 0 when the service in this container says that it is well, with `--ready` when it serves. The service writes down where it is reached
// on this machine by plain HTTP, whichever port it was given and by which setting; before it has, the port of the
// configuration is asked, which speaks TLS where there is a certificate, under a name that is not 127.0.0.1.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get as plain } from 'node:http';
import { get as secured } from 'node:https';
import { join } from 'node:path';
import { loadConfig } from '../dist/src/config.js';

const LIMIT_MS = 2000;
const PATH = process.argv.includes('--ready') ? '/readyz' : '/healthz';

async function isWell(get, url) {
  try {
    const options = { rejectUnauthorized: false, signal: AbortSignal.timeout(LIMIT_MS) };
    const [{ statusCode }] = await once(get(`${url}${PATH}`, options), 'response');
    return statusCode === 200;
  } catch {
    return false;
  }
}

function writtenDown({ data_dir: dir }) {
  try {
    return JSON.parse(readFileSync(join(dir, 'control.json'), 'utf8')).url;
  } catch {
    return undefined;
  }
}

const config = loadConfig();
const url = writtenDown(config);
const asked =
  url === undefined
    ? (await isWell(plain, `http://127.0.0.1:${config.port}`)) ||
      (await isWell(secured, `https://127.0.0.1:${config.port}`))
    : await isWell(plain, url);
process.exit(asked ? 0 : 1);
