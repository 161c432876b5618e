import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Service } from '../compose.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../kernel/errors.ts';
import { silentLogger } from '../kernel/log.ts';
import { type Control, readControl } from './privacy/privateFiles.ts';

/** Milliseconds for a running service to report that it is there. */
const ANSWER_MS = 2_000;
/** Milliseconds for answers that depend on requests to others. */
const LONG_MS = 60_000;

/** Returns the control of the service that runs on this data directory, if one runs and answers. */
export async function runningControl(config: Config): Promise<Control | undefined> {
  const control = readControl(config.data_dir);
  return control && (await answers(control)) ? control : undefined;
}

/** Starts a service for the time of one command, without output of its own. */
export async function startForCommand(config: Config): Promise<Service> {
  // The import is late because most commands find a running service and need none of its code.
  const { startService } = await import('../compose.ts');
  // A collector that is away would hold the command up.
  const tracing = { ...config.tracing, endpoint: null };
  return startService({ ...config, tracing }, { log: silentLogger });
}

/** Sends a GET to the management API of a running service; undefined if the path is unknown there. */
export async function askControl(control: Control, path: string): Promise<unknown> {
  const headers = { 'stayd-control-secret': control.secret };
  const [response] = (await once(
    request(`${control.url}${path}`, { headers, timeout: LONG_MS }).end(),
    'response',
  )) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  if (response.statusCode === 404) return undefined;
  if (response.statusCode !== 200)
    throw new OperatorError(`the running service answers ${response.statusCode}: ${text}`);
  return JSON.parse(text);
}

function answers(control: Control): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request(`${control.url}/healthz`, { timeout: ANSWER_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    probe.once('timeout', () => probe.destroy());
    probe.once('error', () => resolve(false));
    probe.end();
  });
}
