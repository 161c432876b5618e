import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Environment } from '../../src/config.ts';
import type { ServiceProcess } from '../service/support/process.ts';
import { freePort } from '../support/port.ts';
import { portal, type Row, rowsOf, until } from '../support/service.ts';
import { type ThinEvent, Truth } from '../support/truth.ts';
import { type How, startBuilt } from './built.ts';
import { type FaultProxy, startProxy } from './proxy.ts';
import type { Course } from './scenario.ts';

/** A built daemon that mirrors an upstream of ours, by a way on which things can go wrong. */
export interface Mirrored {
  truth: Truth;
  proxy: FaultProxy;
  daemon: ServiceProcess;
  dataDir: string;
  /** Starts the daemon again on the same data, at the same address. */
  start(how?: How, more?: Environment): Promise<void>;
  /** Delivers an event as the truth would. @returns the HTTP status; undefined when the connection broke */
  send(event: ThinEvent): Promise<number | undefined>;
  rows(sql: string): Promise<Row[]>;
  /** The status of the connection. */
  status(): Promise<any>;
  /** Waits until everything was read once, and nothing waits to be read. @returns how long that took, in ms */
  quiet(limitMs?: number): Promise<number>;
  /** Where the mirror differs from the truth, read from its tables. */
  differences(): Promise<string[]>;
}

export interface MirroredOptions {
  environment?: Environment;
  how?: How;
  /** Before the daemon starts. */
  prepare?: (truth: Truth) => void;
  /** Do not wait for the first reading. */
  impatient?: boolean;
}

const QUIET_MS = 90_000;
const CONNECTIONS = 24;

export async function startMirrored(course: Course, options: MirroredOptions = {}): Promise<Mirrored> {
  const truth = new Truth();
  options.prepare?.(truth);
  const proxy = await startProxy(await truth.listen());
  course.atEnd(() => truth.close());
  course.atEnd(() => proxy.close());
  const port = await freePort();
  const dataDir = options.environment?.['STAYD_DATA_DIR'] ?? course.folder();
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS });
  course.atEnd(() => pool.destroy());
  const environment = {
    STAYD_PORT: String(port),
    STAYD_UPSTREAM_URL: proxy.url,
    STAYD_UPSTREAM_TOKEN: 'chaos',
    STAYD_UPSTREAM_RESPECT_LIMITS: 'false',
    STAYD_UPSTREAM_WEBHOOK_AUTHENTICATION: 'token',
    ...options.environment,
  };
  const mirrored: Mirrored = {
    truth,
    proxy,
    dataDir,
    daemon: await startBuilt(dataDir, environment, options.how),
    async start(how, more) {
      mirrored.daemon = await startBuilt(dataDir, { ...environment, ...more }, how);
    },
    send: (event) => deliver(pool, truth.secret(), event),
    rows: (sql) => rowsOf(mirrored.daemon, sql),
    status: async () => (await portal(mirrored.daemon, 'GET', '/portal/status')).connections.upstream,
    quiet: (limitMs = QUIET_MS) => becomesQuiet(mirrored, limitMs),
    differences: () => differencesOf(mirrored),
  };
  course.atEnd(() => mirrored.daemon.kill('SIGKILL'));
  if (!options.impatient) await mirrored.quiet();
  return mirrored;
}

const WAITING = `
  select
    (select count(*) from mirror.inbox where state = 'pending') as inbox,
    (select count(*) from mirror.dirty_keys where state = 'waiting') as dirty,
    (select count(*) from mirror.connections where caught_up_at is null or catch_up_due is not null) as behind`;

async function becomesQuiet(mirrored: Mirrored, limitMs: number): Promise<number> {
  const begun = performance.now();
  let seen: Row = {};
  await until(
    async () => {
      await wait(40);
      seen = (await mirrored.rows(WAITING))[0] ?? {};
      return Object.values(seen).every((count) => count === 0);
    },
    () => `the mirror to be quiet: ${JSON.stringify(seen)}`,
    limitMs,
  );
  return performance.now() - begun;
}

async function differencesOf({ truth, rows }: Mirrored): Promise<string[]> {
  const stays = [...truth.stays.values()].map((one) =>
    [one.id, one.status, one.check_in_date, one.check_out_date, one.number_of_guests].join(),
  );
  const mirrored = await rows(
    'select id, status, check_in_date, check_out_date, number_of_guests from mirror.stays where deleted_at is null',
  );
  const entries = [...truth.transactions.values()].map((one) => [one.id, Math.round(one.amount * 100)].join());
  const booked = await rows('select id, amount_minor from mirror.transactions where deleted_at is null');
  return [...unlike('stay', stays, mirrored), ...unlike('transaction', entries, booked)];
}

function unlike(what: string, wanted: readonly string[], rows: readonly Row[]): string[] {
  const [truth, mirror] = [new Set(wanted), new Set(rows.map((row) => Object.values(row).join()))];
  return [
    ...[...truth].filter((one) => !mirror.has(one)).map((one) => `${what} ${one} is not in the mirror`),
    ...[...mirror].filter((one) => !truth.has(one)).map((one) => `${what} ${one} is in the mirror only`),
  ];
}

async function deliver(pool: Pool, secret: string, event: ThinEvent): Promise<number | undefined> {
  const body = JSON.stringify({ timestamp: new Date().toISOString(), ...event });
  const headers = { 'content-type': 'application/json', 'service-webhook-secret-token': secret };
  try {
    const answer = await pool.request({ method: 'POST', path: '/hooks/upstream', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return undefined;
  }
}

/** Events that were answered 200 and are not in the inbox. */
export async function lostOf(mirrored: Pick<Mirrored, 'rows'>, accepted: Iterable<string>): Promise<string[]> {
  const stored = new Set((await mirrored.rows('select event_id from mirror.inbox')).map((row) => row['event_id']));
  return [...accepted].filter((id) => !stored.has(id));
}
