import { rmSync } from 'node:fs';
import { type ServiceProcess, startProcess } from '../../service/support/process.ts';
import type { Environment } from '../../../src/config.ts';
import type { DialectName } from '../../sim/dialects.ts';
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
const OF_DEPLOYMENT = /^\/portal\/(sandbox|stays|dictionaries|custom_channels|properties|blocks)\b/;

/** What a daemon has to be told of a deployment, by its dialect. */
const TOLD: Readonly<Record<DialectName, Environment>> = {
  described: {},
  hostex: {
    STAYD_UPSTREAM_PROFILE: 'hostex',
    STAYD_UPSTREAM_TIME_ZONE: 'Europe/Berlin',
    STAYD_UPSTREAM_CURRENCY: 'EUR',
    STAYD_UPSTREAM_TRUST_FIRST_SECRET: 'true',
  },
};

/**
 * A daemon without a core, in a process of its own, with a console over a deployment that is another service: what
 * happens to guests happens there, what is looked at and done stands here.
 */
export async function startRemoteWorld(rules: string, dialect: DialectName = 'described'): Promise<InboxWorld<Served>> {
  const folder = rulesFolder(rules);
  const port = await freePort();
  const deployment = await startTestService({
    STAYD_OUTBOUND_ALLOW: `127.0.0.1:${port}`,
    // Another daemon on the account would have its turn first.
    STAYD_ROLES: 'core',
    STAYD_CORE_DIALECT: dialect,
  });
  const dataDir = dataDirectory();
  const daemon = await startProcess(dataDir, {
    STAYD_PORT: String(port),
    STAYD_UPSTREAM_URL: deployment.url,
    STAYD_UPSTREAM_TOKEN: deployment.token,
    STAYD_AUTOMATIONS_RULES: folder,
    ...TOLD[dialect],
  });
  await until(async () => {
    const { connections } = await portal(daemon, 'GET', '/portal/status');
    return connections.upstream.caught_up_age !== null && connections.upstream.catch_up_due === null;
  }, 'the first read');
  return withMarketplace(await worldOf(together(daemon, deployment, { dataDir, dialect })), folder);
}

/** Both as one service: v3 and the marketplaces are the deployment's, all else the daemon's. */
function together(
  { url, secret, databaseUrl, kill }: ServiceProcess,
  deployment: TestService,
  { dataDir, dialect }: { dataDir: string; dialect: DialectName },
): Served {
  const daemon = { url, secret, dataDir, databaseUrl, token: deployment.token };
  const own = operationsOf(daemon);
  const speaks = dialect === 'described' ? (call: V3) => call : asPublicService;
  return {
    ...daemon,
    ...own,
    v3: speaks((method, path, body) => deployment.v3(method, path, body)),
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

type V3 = Served['v3'];

/** Asks a deployment that speaks as the public service in the words that tests use, as far as they are others there. */
function asPublicService(call: V3): V3 {
  return async (method, path, body) => {
    const { name: title, note: remarks, ...others } = { ...(body as Record<string, unknown> | undefined) };
    const words = path === '/properties' ? { title } : { name: title, ...(remarks !== undefined && { remarks }) };
    const list = method === 'GET' && path.includes('?') && !path.includes('offset=') ? '&offset=0' : '';
    const page = list === '' || path.includes('limit=') ? list : `${list}&limit=100`;
    const data = await call(method, `${path}${page}`, body === undefined ? undefined : { ...others, ...words });
    const reservations = data?.reservations?.map((one: { remarks: unknown }) => ({ ...one, note: one.remarks }));
    // It says the code of a new reservation in one place, where a described deployment says it in two.
    const made = method === 'POST' && path === '/reservations' && data.reservation;
    return { ...data, ...made, ...(reservations && { reservations }) };
  };
}
