import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { addDays, dateIn } from '../../../src/kernel/dates.ts';
import { freePort } from '../../support/port.ts';
import { call, dataDirectory, portal, startTestService, type TestService, until, v3 } from '../../support/service.ts';
import { rowsOf } from '../../support/tables.ts';
import { type ServiceProcess, startProcess } from './process.ts';

/** Milliseconds for the last changes to arrive. */
const SETTLED_MS = 120_000;

/** What was seen of one connection. */
export interface Watched {
  readonly connection: string;
  /** Seconds from the moment at which all connections were given to the service to the end of the first read. */
  readonly firstReadS: number;
  /** Milliseconds from the commit of each change in the core to its commit in the mirror, ascending. */
  readonly delaysMs: readonly number[];
  /** Changes without an applied row. */
  readonly missing: number;
}

/** What the process of the daemon needed. */
export interface Needed {
  readonly residentMb: number;
  readonly heapMb: number;
  /** Delay of the event loop since its last scrape. */
  readonly loopP50Ms: number;
  readonly loopP99Ms: number;
  readonly cpuS: number;
}

/** One core with many small accounts, and a daemon in a process of its own that mirrors all of them over HTTP. */
export interface ManyConnections {
  readonly daemon: ServiceProcess;
  readonly names: readonly string[];
  /** Gives all connections to the running daemon, and waits for their first reads. */
  connectAll(limitMs: number): Promise<void>;
  /** Makes one change in each account, in an order of its own for each round, so many a second. */
  change(rounds: number, perSecond: number): Promise<void>;
  /** Waits until every change has been applied. */
  settled(): Promise<void>;
  watched(): Promise<Watched[]>;
  needed(): Promise<Needed>;
  remove(): Promise<void>;
}

interface Account {
  readonly name: string;
  readonly token: string;
  readonly property: number;
}

/** @param count of accounts */
export async function startManyConnections(count: number): Promise<ManyConnections> {
  const port = await freePort();
  const core = await startTestService({ STAYD_ROLES: 'core', STAYD_OUTBOUND_ALLOW: `127.0.0.1:${port}` });
  const dataDir = dataDirectory();
  const accounts: Account[] = [];
  for (let i = 1; i <= count; i += 1) accounts.push(await accountIn(core, `c${String(i).padStart(3, '0')}`));
  const settings = join(dataDir, 'stayd.yaml');
  const daemon = await startProcess(dataDir, {
    STAYD_PORT: String(port),
    STAYD_ROLES: 'receive,work,schedule',
    STAYD_LOG_LEVEL: 'warn',
  });
  const mirror = { dataDir, databaseUrl: null };
  const made = new Map<string, string[]>();
  let begunAt = 0;
  return {
    daemon,
    names: accounts.map(({ name }) => name),
    async connectAll(limitMs) {
      const connections = Object.fromEntries(accounts.map(({ name, token }) => [name, { url: core.url, token }]));
      writeFileSync(settings, stringify({ connections }), { mode: 0o600 });
      begunAt = Date.now();
      await portal(daemon, 'POST', '/portal/settings/reload', {});
      await until(
        async () => {
          await wait(500);
          const [row] = await rowsOf(mirror, 'select count(*) as n from mirror.connections where catch_up_due is null');
          return Number(row?.['n']) === count;
        },
        'the first read of all',
        limitMs,
      );
    },
    async change(rounds, perSecond) {
      const begun = performance.now();
      let sent = 0;
      for (let round = 0; round < rounds; round += 1) {
        // Another order each time, without chance: a step that has no divisor in common with the count.
        const step = [1, 7, 11, 13, 17, 19, 23].find((one, at) => at >= round % 7 && count % one !== 0) ?? 1;
        for (let i = 0; i < count; i += 1) {
          const account = accounts[(i * step + round) % count];
          if (!account) continue;
          const ahead = begun + (sent * 1_000) / perSecond - performance.now();
          if (ahead > 0) await wait(ahead);
          sent += 1;
          const codes = made.get(account.name) ?? [];
          codes.push(await book(core, account, 40 + round * 2));
          made.set(account.name, codes);
        }
      }
    },
    async settled() {
      const wanted = [...made.values()].flat().length;
      await until(
        async () => {
          await wait(200);
          const [row] = await rowsOf(
            mirror,
            "select count(*) as n from mirror.changes where resource = 'reservation' and op = 'created' and seen_by = 'event'",
          );
          return Number(row?.['n']) >= wanted;
        },
        'every change to be applied',
        SETTLED_MS,
      );
    },
    async watched() {
      const committed = new Map(
        (
          await rowsOf(
            core,
            `select r.reservation_code as code, o.queued_at as at from core.outbox o
             join core.reservations r on r.account_id = o.account_id and instr(o.body, r.reservation_code) > 0
             where o.event = 'reservation_created'`,
          )
        ).map((row) => [String(row['code']), Date.parse(String(row['at']))]),
      );
      const applied = new Map<string, number>();
      const seen = await rowsOf(
        mirror,
        "select connection, key, at from mirror.changes where resource = 'reservation' and op = 'created' and seen_by = 'event'",
      );
      for (const row of seen)
        applied.set(`${String(row['connection'])} ${String(row['key'])}`, Date.parse(String(row['at'])));
      const read = new Map(
        (await rowsOf(mirror, 'select connection, caught_up_at from mirror.connections')).map((row) => [
          String(row['connection']),
          Date.parse(String(row['caught_up_at'])),
        ]),
      );
      return accounts.map(({ name }) => {
        const codes = made.get(name) ?? [];
        const delays = codes.flatMap((code) => {
          const at = applied.get(`${name} ${code}`);
          const from = committed.get(code);
          return at === undefined || from === undefined ? [] : [at - from];
        });
        return {
          connection: name,
          firstReadS: ((read.get(name) ?? Number.NaN) - begunAt) / 1_000,
          delaysMs: delays.toSorted((a, b) => a - b),
          missing: codes.length - delays.length,
        };
      });
    },
    async needed() {
      const { text } = await call(daemon, 'GET', '/metrics');
      const of = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
      return {
        residentMb: of('stayd_process_resident_memory_bytes') / 1e6,
        heapMb: of('stayd_nodejs_heap_size_used_bytes') / 1e6,
        loopP50Ms: of('stayd_nodejs_eventloop_lag_p50_seconds') * 1_000,
        loopP99Ms: of('stayd_nodejs_eventloop_lag_p99_seconds') * 1_000,
        cpuS: of('stayd_process_cpu_seconds_total'),
      };
    },
    async remove() {
      await daemon.kill('SIGTERM');
      await core.remove();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A small account: one house with two stays. */
async function accountIn(core: TestService, name: string): Promise<Account> {
  const draft = { name, time_zone: 'Europe/Berlin', currency: 'EUR', mirrored: false };
  await core.portal('POST', '/portal/accounts', draft);
  const { token } = await core.portal('POST', '/portal/tokens', { name: 'mirror', scope: 'write', account: name });
  const { property_id: property } = await v3(core, token, 'POST', '/properties', { name: `House of ${name}` });
  const account = { name, token, property };
  for (const day of [2, 10]) await book(core, account, day);
  return account;
}

async function book(core: TestService, { token, property, name }: Account, day: number): Promise<string> {
  const today = dateIn('Europe/Berlin', Date.now());
  const { reservation_code } = await v3(core, token, 'POST', '/reservations', {
    property_id: property,
    check_in_date: addDays(today, day),
    check_out_date: addDays(today, day + 1),
    guest_name: `Guest of ${name}`,
    number_of_guests: 1,
    rate_amount: 100,
    commission_amount: 0,
    received_amount: 0,
  });
  return reservation_code;
}
