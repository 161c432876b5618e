import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../../src/config.ts';
import type { ServiceProcess } from '../../service/support/process.ts';
import { reservationEvent } from '../../support/events.ts';
import { startPostgres } from '../../support/postgres.ts';
import { makeStay } from '../../support/rows.ts';
import { until } from '../../support/service.ts';
import { runBuilt, startBuilt } from '../built.ts';
import { type Mirrored, startMirrored } from '../mirrored.ts';
import { type Course, goal, promise, type Scenario } from '../scenario.ts';

/** Longer than the leases of a scan (60 s) and of a look-up (90 s). */
const STOPPED_S = 100;
const STAYS = 60;
const CHANGES_MS = 250;

/** Two processes do the daemon's work on one PostgreSQL; one of them stops, loses its leases, and goes on. */
export const stoppedWorker: Scenario = {
  name: 'stopped-worker',
  rows: ['R33'],
  what: 'SIGSTOP of one of two workers on PostgreSQL for longer than its leases, then SIGCONT',
  needs: ['postgres'],
  async run(course) {
    const server = await startPostgres();
    course.atEnd(() => server.stop());
    const shared = {
      STAYD_DATABASE_URL: await server.emptyDatabase(),
      STAYD_SECRET_KEY: '33'.repeat(32),
      STAYD_ROLES: 'receive,work,schedule',
    };
    const mirrored = await startMirrored(course, { environment: shared });
    const workers = [mirrored.daemon, await secondWorker(course, mirrored, shared)];
    // Answers take a while, so that each worker is in the middle of some at any moment.
    mirrored.truth.fault = ({ path }) => (path === '/reservations' ? { kind: 'late', until: wait(30) } : undefined);
    let over = false;
    const changing = changeUntil(course, mirrored, () => over);
    await wait(2_000);
    const stopped = workers[1];
    stopped?.child.kill('SIGSTOP');
    await wait((course.seconds ?? STOPPED_S) * 1_000);
    stopped?.child.kill('SIGCONT');
    await wait(5_000);
    over = true;
    const sent = await changing;
    const quietMs = await mirrored.quiet(180_000);
    const differences = await mirrored.differences();
    const { compared, wrong } = await versionsOf(mirrored);
    return [
      promise(
        `${wrong} of ${compared} versions written twice or backwards, ${sent} changes told of`,
        '0',
        wrong === 0 && compared > 0,
      ),
      promise(`${differences.length} differences`, '0', differences.length === 0),
      goal(`quiet ${(quietMs / 1_000).toFixed(1)} s after both work again`, '60 s', quietMs < 60_000),
    ];
  },
};

/** A second stayd on the files of the first. */
export const secondDaemon: Scenario = {
  name: 'second-daemon',
  rows: ['R33'],
  what: 'a second stayd on the same data directory',
  async run(course) {
    const dataDir = course.folder();
    const service = await startBuilt(dataDir);
    course.atEnd(() => service.kill('SIGKILL'));
    const second = await runBuilt(['start'], { STAYD_PORT: '0', STAYD_DATA_DIR: dataDir });
    const alive = (await fetch(`${service.url}/healthz`)).status;
    const isRefused = second.code === 1 && second.stderr.includes('another stayd is running on');
    return [promise(`it ended with ${second.code}; the first answers ${alive}`, '1, 200', isRefused && alive === 200)];
  },
};

async function secondWorker(course: Course, mirrored: Mirrored, shared: Environment): Promise<ServiceProcess> {
  const worker = await startBuilt(course.folder(), {
    ...shared,
    STAYD_UPSTREAM_URL: mirrored.proxy.url,
    STAYD_UPSTREAM_TOKEN: 'chaos',
    STAYD_UPSTREAM_RESPECT_LIMITS: 'false',
    STAYD_UPSTREAM_WEBHOOK_AUTHENTICATION: 'token',
    STAYD_UPSTREAM_PUBLIC_URL: mirrored.daemon.url,
  });
  course.atEnd(() => worker.kill('SIGKILL'));
  return worker;
}

/** Each change sets the guests of a stay to a number it has never had, so that none can be taken for another. */
async function changeUntil(course: Course, { truth, send }: Mirrored, isOver: () => boolean): Promise<number> {
  let sent = 0;
  while (!isOver()) {
    sent += 1;
    const stay = makeStay(course.dice.between(1, STAYS), { number_of_guests: sent });
    truth.put(stay);
    const event = reservationEvent(stay);
    await until(async () => (await send(event)) === 200, 'an event to be taken in');
    await wait(CHANGES_MS * course.dice.fraction());
  }
  return sent;
}

/** A stay whose guests do not grow from version to version was written by an answer that was older, or again. */
async function versionsOf({ rows }: Mirrored): Promise<{ compared: number; wrong: number }> {
  const changes = await rows("select key, diff from mirror.changes where resource = 'reservation' order by seq");
  const guests = new Map<string, number>();
  let [compared, wrong] = [0, 0];
  for (const { key, diff } of changes) {
    const to = guestsIn(String(diff));
    if (to === undefined) continue;
    compared += 1;
    if (to <= (guests.get(String(key)) ?? 0)) wrong += 1;
    guests.set(String(key), to);
  }
  return { compared, wrong };
}

function guestsIn(diff: string): number | undefined {
  const changes = JSON.parse(diff) as { path: string; after: unknown }[] | null;
  const change = changes?.find(({ path }) => path.endsWith('number_of_guests'));
  return change === undefined ? undefined : Number(change.after);
}
