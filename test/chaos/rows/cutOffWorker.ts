import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../support/postgres.ts';
import { type Reached, rowsOf, settled } from '../../support/service.ts';
import { layNetwork, type Machine } from '../cluster/machines.ts';
import { startFleet } from '../fleet.ts';
import { answersSettled, judgeAnswers, letGuestsAsk } from '../guests.ts';
import { bookNights } from '../reservation.ts';
import { type Course, goal, promise, type Scenario } from '../scenario.ts';
import { judgeHalves } from './serviceKills.ts';

/** Longer than the claim of a plan (300 s), so that another process takes up what this one had begun. */
const CUT_OFF_S = 330;
const TOGETHER_MS = 20_000;
const SETTLE_MS = 180_000;
const ANSWERS_MS = 600_000;
const REST_MS = 100;
/** Time in which the server lets go of the transactions of a client that says nothing. */
const STUCK_MS = 60_000;

/** One of two processes loses the way to the database, which hears nothing of it, and finds it again. */
export const cutOffWorker: Scenario = {
  name: 'cut-off-worker',
  rows: ['R33'],
  what: 'the cable between one of two processes and PostgreSQL pulled for longer than its claims last',
  needs: ['root', 'postgres', 'haproxy', 'namespaces'],
  async run(course) {
    const server = await startPostgres();
    course.atEnd(() => server.stop());
    const databaseUrl = await server.emptyDatabase();
    const network = layNetwork(course);
    const machine = network.add('worker');
    const fleet = await startFleet(course, databaseUrl, 1);
    const passage = await startPassage(course, network.address, databaseUrl);
    const worker = await fleet.add({ under: machine.under }, { STAYD_DATABASE_URL: passage });
    let ended = false;
    void worker.ended.then(() => (ended = true));
    const [home] = fleet.members;
    if (home === undefined) throw new Error('a process was to be there');
    const answered = new Set<string>();
    const nights = bookNights({ property: fleet.property, answered, restMs: REST_MS });
    // Only the process at home is asked; of what it takes on, the other does its share.
    const guests = await letGuestsAsk(() => [home], fleet.token);
    const booking = nights.begin(home, fleet.token);
    const workers = await workersSeen(home, TOGETHER_MS);
    machine.cut();
    const begun = performance.now();
    const before = answered.size;
    while (answered.size <= before && performance.now() - begun < STUCK_MS * 2) await wait(50);
    const stuckMs = performance.now() - begun;
    await wait((course.seconds ?? CUT_OFF_S) * 1_000);
    const said = readinessOf(machine, worker.url);
    machine.join();
    await wait(TOGETHER_MS);
    await Promise.all([booking.stop(), guests.stop()]);
    await settled(home, SETTLE_MS);
    await answersSettled(home, ANSWERS_MS);
    return [
      promise(`the process that was cut off ${ended ? 'has ended' : 'lives on'}`, 'lives on', !ended),
      promise(`cut off, it says of itself: ${said}`, '503', said === '503'),
      promise(`${workers} processes answered before`, '2', workers === 2),
      ...(await judgeHalves({ course, service: home, dataDir: null, answered, after: 'the cut' })),
      ...(await judgeAnswers(home, guests)),
      goal(`the other books ${(stuckMs / 1_000).toFixed(1)} s after the cut`, '60 s', stuckMs < STUCK_MS),
    ];
  },
};

/** How many processes have claimed answers, for as long as is looked. */
async function workersSeen(service: Reached, ms: number): Promise<number> {
  const seen = new Set<unknown>();
  const claims = 'select distinct claimed_by from mirror.automation_plans where claimed_by is not null';
  for (const begun = performance.now(); performance.now() - begun < ms; await wait(10))
    for (const { claimed_by } of await rowsOf(service, claims)) seen.add(claimed_by);
  return seen.size;
}

/** What a process that only its own machine reaches answers when it is asked whether it is ready. */
function readinessOf({ under: [command = '', ...args] }: Machine, url: string): string {
  const ask = `fetch('${url}/readyz').then(({ status }) => console.log(status), ({ message }) => console.log(message))`;
  return execFileSync(command, [...args, process.execPath, '-e', ask], { encoding: 'utf8' }).trim();
}

/** A way to the database for those on the bridge: HAProxy, which passes on what comes. @returns the URL to use */
async function startPassage(course: Course, address: string, databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const file = join(course.folder(), 'haproxy.cfg');
  const target = `${url.hostname}:${url.port}`;
  url.hostname = address;
  const text = `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen database
  bind ${address}:${url.port}
  server one ${target}
`;
  writeFileSync(file, text);
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  course.atEnd(() => child.kill('SIGKILL'));
  return url.href;
}
