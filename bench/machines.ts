import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBuilt } from '../test/chaos/built.ts';
import type { ServiceProcess } from '../test/service/support/process.ts';
import { newToken, settled } from '../test/support/service.ts';
import { canHold, type Group, heldTo } from './support/heldProcess.ts';
import type { LoadOrder } from './support/loader.ts';
import { median, sendLoad } from './support/measure.ts';
import { book, hookSecret, startCountedPostgres } from './support/onPostgres.ts';
import { absolute } from './support/outcome.ts';
import { signedEvents } from './support/signedEvents.ts';

/**
 * P15: whole services on one PostgreSQL, each held to a share of a core by a control group, as if each had a machine of its own.
 * What 2 and 4 of them acknowledge and answer, against one; and the CPU of the database for each operation. Every process has
 * a loader of its own; database and loaders are not held.
 */
const SHARE = 0.2;
const COUNTS = [1, 2, 4] as const;
const ROUNDS = Number(process.argv[2] ?? 3);
const SECONDS = 4;
const WARM_UP_SECONDS = 1;
const CONNECTIONS = 8;
/** More than a process can acknowledge in a second, so that no event is sent twice. */
const MOST_A_SECOND = 2_500;
const RESERVATIONS = 60;
const GROWTH = 0.8;
const MOST_CPU = 1.25;

if (!canHold()) {
  process.stdout.write('P15: this machine has no control groups of version 1, or we are not root: not run\n');
} else await measureAll();

interface Measured {
  perSecond: number;
  databaseMs: number;
}

async function measureAll(): Promise<void> {
  const postgres = await startCountedPostgres();
  const { url, environment } = await postgres.database();
  const folders: string[] = [];
  const services: ServiceProcess[] = [];
  const groups: Group[] = [];
  try {
    const most = Math.max(...COUNTS);
    for (let index = 0; index < most; index += 1) {
      const dataDir = mkdtempSync(join(tmpdir(), 'stayd-bench-'));
      folders.push(dataDir);
      const service = await startBuilt(dataDir, environment);
      services.push(service);
      const group = heldTo(SHARE, `stayd-bench-${index}`);
      groups.push(group);
      if (index === 0) await book(service, RESERVATIONS);
      group.add(service.child.pid ?? 0);
    }
    const [first] = services;
    if (!first) throw new Error('no service has started');
    await settled(first, 300_000);
    const token = await newToken(first);
    const secret = await hookSecret(url);
    const events = (): Order => ({
      path: '/hooks/local',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-webhook-secret-token': secret },
      ...signedEvents(secret, MOST_A_SECOND * (SECONDS + WARM_UP_SECONDS), false),
    });
    const reads = (): Order => ({
      path: '/v3/reservations?offset=0&limit=20',
      method: 'GET',
      headers: { 'service-access-token': token },
      bodies: [],
    });
    await compare('events acknowledged', events, services, postgres.cpu);
    await compare('pages of 20 reservations', reads, services, postgres.cpu);
  } finally {
    for (const one of services) await one.kill('SIGTERM');
    for (const group of groups) group.remove();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    await postgres.stop();
  }
}

type Order = Pick<LoadOrder, 'method' | 'headers' | 'bodies' | 'bodyHeaders'> & { path: string };

async function compare(
  what: string,
  order: () => Order,
  services: readonly ServiceProcess[],
  database: Group,
): Promise<void> {
  const found = new Map<number, Measured[]>(COUNTS.map((count) => [count, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const count of COUNTS) found.get(count)?.push(await loadAll(order, services.slice(0, count), database));
  }
  const medians = COUNTS.map((count) => {
    const rounds = found.get(count) ?? [];
    return {
      count,
      perSecond: median(rounds.map(({ perSecond }) => perSecond)),
      databaseMs: median(rounds.map(({ databaseMs }) => databaseMs)),
    };
  });
  const [one] = medians;
  if (!one) return;
  for (const { count, perSecond, databaseMs } of medians) {
    const growth = perSecond / one.perSecond / count;
    const cpu = databaseMs / one.databaseMs;
    const line = absolute(
      `P15 ${what}, ${count} ${count === 1 ? 'process' : 'processes'} of ${SHARE} of a core`,
      {
        ours: `${Math.round(perSecond)} /s, ${growth.toFixed(2)} × linear, ${databaseMs.toFixed(2)} ms of the database each`,
        goal: `${GROWTH} × linear, the database's CPU the same`,
      },
      growth >= GROWTH && cpu <= MOST_CPU,
    );
    process.stdout.write(`${line}\n`);
  }
}

/** Loads each service from a process of its own, all at once. */
async function loadAll(order: () => Order, services: readonly ServiceProcess[], database: Group): Promise<Measured> {
  const orders = services.map(({ url }) => {
    const { path, ...rest } = order();
    return {
      ...rest,
      url: `${url}${path}`,
      connections: CONNECTIONS,
      seconds: SECONDS,
      warmUpSeconds: WARM_UP_SECONDS,
    };
  });
  const before = database.usedMs();
  const results = await Promise.all(orders.map((one) => sendLoad(one)));
  const used = database.usedMs() - before;
  const failed = results.reduce((sum, one) => sum + one.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests failed`);
  const answered = results.reduce((sum, one) => sum + one.answered, 0);
  return { perSecond: results.reduce((sum, one) => sum + one.perSecond, 0), databaseMs: used / answered };
}
