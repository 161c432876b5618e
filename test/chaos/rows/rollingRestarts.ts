import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { instantOf } from '../../../src/kernel/dates.ts';
import { layHaproxy, NAME } from '../../deploy/support/haproxy.ts';
import { freePort } from '../../support/port.ts';
import { startPostgres } from '../../support/postgres.ts';
import { settled, until, v3 } from '../../support/service.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import { stayOf } from '../reservation.ts';
import { type Course, goal, promise, type Scenario } from '../scenario.ts';
import { judgeHalves } from './serviceKills.ts';

const REQUESTS = 100_000;
const CLIENTS = 8;
/** One request of so many books a stay; the others read. */
const BOOKS_EACH = 20;
const HOUSES = 8;
const READY_MS = 60_000;
const SETTLE_MS = 300_000;
const DRAIN_SECONDS = 3;

/** Two processes behind HAProxy are stopped and started again, one after the other, for as long as the load lasts. */
export const rollingRestarts: Scenario = {
  name: 'rolling-restarts',
  rows: ['R33'],
  what: 'restarts of two processes in turn, behind HAProxy, while calls go through it',
  needs: ['postgres', 'haproxy'],
  async run(course) {
    const server = await startPostgres();
    course.atEnd(() => server.stop());
    const fleet = await startFleet(course, await server.emptyDatabase(), 2, {
      STAYD_PUBLIC_URL: `https://${NAME}`,
      STAYD_TRUSTED_PROXIES: '127.0.0.1',
      STAYD_DRAIN_SECONDS: String(DRAIN_SECONDS),
    });
    const [one] = fleet.members;
    if (one === undefined) throw new Error('two processes were to be started');
    const houses: number[] = [];
    for (let n = 1; n <= HOUSES; n += 1)
      houses.push((await v3(one, fleet.token, 'POST', '/properties', { name: `Of the load ${n}` })).property_id);
    const proxy = await startHaproxy(course, fleet);
    const load = beginLoad(proxy, { token: fleet.token, houses, requests: course.count ?? REQUESTS });
    let over = false;
    void load.done.then(() => (over = true));
    let restarts = 0;
    while (!over) {
      const index = restarts % fleet.members.length;
      await fleet.members[index]?.kill('SIGTERM');
      await fleet.restart(index);
      restarts += 1;
      // HAProxy asks once a second.
      await wait(2_500);
      course.say(`${restarts} restarts, ${load.sent()} calls`);
    }
    const { failed, answered } = await load.done;
    const [now] = fleet.members;
    if (now === undefined) throw new Error('a process was to be there');
    await settled(now, SETTLE_MS);
    const after = `${restarts} restarts`;
    const told = failed.length > 0 ? `: ${[...new Set(failed)].slice(0, 5).join('; ')}` : '';
    return [
      promise(`${failed.length} of ${load.sent()} calls failed in ${after}${told}`, '0', failed.length === 0),
      ...(await judgeHalves({ course, service: now, dataDir: null, answered, after })),
      goal(`${restarts} restarts under load`, 'at least 4', restarts >= 4),
    ];
  },
};

/** @returns the proxy's address */
async function startHaproxy(course: Course, fleet: Fleet): Promise<string> {
  const hosts = fleet.members.map(({ url }) => new URL(url).host);
  const https = await freePort();
  const [command = '', ...args] = layHaproxy(course.folder(), hosts, { http: await freePort(), https });
  const child = spawn(command, args, { stdio: 'ignore' });
  course.atEnd(() => child.kill('SIGKILL'));
  const url = `https://127.0.0.1:${https}`;
  const pool = poolOf(url);
  const isUp = async () => {
    const answer = await pool.request({ method: 'GET', path: '/healthz', headers: { host: NAME } }).catch(() => null);
    await answer?.body.dump();
    return answer?.statusCode === 200;
  };
  await until(isUp, 'HAProxy to answer', READY_MS);
  await pool.destroy();
  return url;
}

const poolOf = (url: string) =>
  new Pool(url, { connections: CLIENTS, connect: { rejectUnauthorized: false, servername: NAME } });

interface LoadOptions {
  token: string;
  houses: readonly number[];
  requests: number;
}

interface Load {
  sent(): number;
  done: Promise<{
    /** What came of each call that failed. */
    failed: string[];
    /** Codes of the bookings that were answered. */
    answered: Set<string>;
  }>;
}

/** Calls as an operator's programs make them: lists, single rows, and now and then a booking. */
function beginLoad(url: string, { token, houses, requests }: LoadOptions): Load {
  const pool = poolOf(url);
  const today = instantOf(Date.now()).slice(0, 10);
  const headers = { host: NAME, 'service-access-token': token, 'content-type': 'application/json' };
  const failed: string[] = [];
  const answered = new Set<string>();
  let sent = 0;
  let booked = 0;

  async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<any> {
    try {
      const answer = await pool.request({
        method,
        path: `/v3${path}`,
        headers,
        body: body ? JSON.stringify(body) : null,
      });
      const text = await answer.body.text();
      const json = answer.statusCode === 200 ? JSON.parse(text) : undefined;
      if (json?.error_code === 200) return json.data;
      failed.push(`${method} ${path.split('?')[0]}: ${answer.statusCode} ${text.slice(0, 200)}`);
    } catch (error) {
      failed.push(`${method} ${path.split('?')[0]}: ${String(error)}`);
    }
    return undefined;
  }

  async function book(): Promise<void> {
    const night = 1 + Math.floor(booked / houses.length);
    const property_id = houses[booked % houses.length];
    booked += 1;
    const made = await ask('POST', '/reservations', stayOf(property_id, today, night));
    if (made !== undefined) answered.add(made.reservation_code);
  }

  async function client(): Promise<void> {
    while (sent < requests) {
      sent += 1;
      if (sent % BOOKS_EACH === 0) await book();
      else if (sent % 2 === 0) await ask('GET', '/reservations?limit=20');
      else await ask('GET', '/properties?limit=20');
    }
  }
  const all = Array.from({ length: CLIENTS }, client);
  const done = Promise.all(all).then(async () => {
    await pool.destroy();
    return { failed, answered };
  });
  return { sent: () => sent, done };
}
