import { rmSync } from 'node:fs';
import { type ServiceProcess, startProcess } from '../../service/support/process.ts';
import { worldOf } from '../../support/consoleWorld.ts';
import { freePort } from '../../support/port.ts';
import {
  dataDirectory,
  operationsOf,
  portal,
  type Served,
  startTestService,
  type TestService,
  until,
} from '../../support/service.ts';
import { type InboxWorld, rulesFolder, withMarketplace } from './inboxWorld.ts';

/** What only the deployment has: its marketplaces, and what its owner enters by its own management. */
const OF_DEPLOYMENT = /^\/portal\/(sandbox|stays|dictionaries|custom_channels|properties)\b/;

/**
 * A daemon without a core, in a process of its own, with a console over a deployment that is another service: what
 * happens to guests happens there, what is looked at and done stands here.
 */
export async function startRemoteWorld(rules: string): Promise<InboxWorld<Served>> {
  const folder = rulesFolder(rules);
  const port = await freePort();
  const deployment = await startTestService({
    STAYD_OUTBOUND_ALLOW: `127.0.0.1:${port}`,
    // Another daemon on the account would have its turn first.
    STAYD_ROLES: 'core',
  });
  const dataDir = dataDirectory();
  const daemon = await startProcess(dataDir, {
    STAYD_PORT: String(port),
    STAYD_UPSTREAM_URL: deployment.url,
    STAYD_UPSTREAM_TOKEN: deployment.token,
    STAYD_AUTOMATIONS_RULES: folder,
  });
  await until(async () => {
    const { connections } = await portal(daemon, 'GET', '/portal/status');
    return connections.upstream.caught_up_age !== null && connections.upstream.catch_up_due === null;
  }, 'the first read');
  return withMarketplace(await worldOf(together(daemon, deployment, dataDir)), folder);
}

/** Both as one service: v3 and the marketplaces are the deployment's, all else the daemon's. */
function together(
  { url, secret, databaseUrl, kill }: ServiceProcess,
  deployment: TestService,
  dataDir: string,
): Served {
  const daemon = { url, secret, dataDir, databaseUrl, token: deployment.token };
  const own = operationsOf(daemon);
  return {
    ...daemon,
    ...own,
    v3: (method, path, body) => deployment.v3(method, path, body),
    portal: (method, path, body) => (OF_DEPLOYMENT.test(path) ? deployment : own).portal(method, path, body),
    async settled() {
      await deployment.settled();
      await own.settled();
    },
    async remove() {
      await kill('SIGINT');
      await deployment.remove();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
