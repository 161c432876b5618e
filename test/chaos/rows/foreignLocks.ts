import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { reservationEvent } from '../../support/events.ts';
import { makeStay } from '../../support/rows.ts';
import { call, newToken, portal, type Reached, rowsOf, settled, until, v3 } from '../../support/service.ts';
import { bookNights } from '../reservation.ts';
import { startBuilt } from '../built.ts';
import { holdElsewhere } from '../holder.ts';
import { lostOf, type Mirrored, startMirrored } from '../mirrored.ts';
import { type Course, goal, promise, type Scenario, type Verdict } from '../scenario.ts';
import { judgeHalves, soundness } from './serviceKills.ts';

const SHORT_MS = 4_000;
const LONG_MS = 10_000;
/** How long the event loop may stand still. */
const LOOP_MS = 200;
const HEALTH_EVERY_MS = 50;
const MB = 1_048_576;
const ALARM_BYTES = 256 * MB;
const PADDING = 'x'.repeat(60_000);
const CLIENTS = 8;

/** Another program locks a database, for less and for more than stayd waits. */
export const foreignLocks: Scenario = {
  name: 'foreign-locks',
  rows: ['R5'],
  what: 'another process holds the write lock of a database for 4 s and for 10 s',
  async run(course) {
    const dataDir = course.folder();
    const service = await startBuilt(dataDir);
    course.atEnd(() => service.kill('SIGKILL'));
    await settled(service);
    const token = await newToken(service);
    const property = (await v3(service, token, 'POST', '/properties', { name: 'House' })).property_id;
    const answered = new Set<string>();
    const nights = bookNights({ property, answered });
    const locked = async (half: string, ms: number) => {
      const before = nights.refused();
      const holder = await holdElsewhere(course, join(dataDir, `${half}.db`), 'begin immediate');
      await wait(ms);
      await holder.release();
      await wait(500);
      return nights.refused() - before;
    };
    const booking = nights.begin(service, token);
    const health = watchHealth(service);
    const short = (await locked('core', SHORT_MS)) + (await locked('mirror', SHORT_MS));
    const long = await locked('core', LONG_MS);
    const begun = performance.now();
    const before = answered.size;
    await until(() => answered.size > before, 'a booking after the long lock');
    const backMs = performance.now() - begun;
    const longestMs = await health.stop();
    await booking.stop();
    await settled(service, 120_000);
    const undelivered = await rowsOf(service, "select event_id from core.deliveries where outcome <> 'delivered'");
    // Deliveries are at most once; what nobody heard of is found by a scan.
    if (undelivered.length > 0) await portal(service, 'POST', '/portal/reconcile', {});
    await settled(service, 120_000);
    return [
      goal(`${undelivered.length} events not delivered, found by a scan`, '0', undelivered.length === 0),
      goal(`${short} errors to clients while locked for ${SHORT_MS / 1_000} s, core and mirror`, '0', short === 0),
      goal(
        `${long} while locked for ${LONG_MS / 1_000} s; books again after ${Math.round(backMs)} ms`,
        '1 s',
        backMs < 1_000,
      ),
      goal(
        `who asked for nothing of a database waited for ${Math.round(longestMs)} ms at most`,
        '200 ms',
        longestMs < LOOP_MS,
      ),
      ...(await judgeHalves({ course, service, dataDir, answered, after: 'three locks' })),
    ];
  },
};

/** Asks again and again whether the service lives. `stop` tells in milliseconds how long the slowest answer took. */
function watchHealth(service: Reached): { stop(): Promise<number> } {
  let isOver = false;
  let longestMs = 0;
  const asking = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await call(service, 'GET', '/healthz');
      longestMs = Math.max(longestMs, performance.now() - begun);
      await wait(HEALTH_EVERY_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await asking;
      return longestMs;
    },
  };
}

/** Another program reads for long, and what is written meanwhile has to be kept for it. */
export const longReader: Scenario = {
  name: 'long-reader',
  rows: ['R5'],
  what: 'another process reads the mirror until its log has 256 MB',
  async run(course) {
    const mirrored = await startMirrored(course);
    const log = join(mirrored.dataDir, 'mirror.db-wal');
    const size = () => statSync(log).size;
    const reader = await holdElsewhere(
      course,
      join(mirrored.dataDir, 'mirror.db'),
      'begin; select count(*) from inbox',
    );
    const { accepted, refused } = await growLog(course, mirrored, () => size() > ALARM_BYTES + MB);
    const grown = size();
    const alarms: { alarm: string }[] = (await call(mirrored.daemon, 'GET', '/portal/status')).json.alarms;
    await reader.release();
    const begun = performance.now();
    await until(
      () => size() < 64 * MB + MB,
      () => `the log to shrink; it has ${size()} bytes`,
      90_000,
    );
    const shrunkMs = performance.now() - begun;
    await mirrored.quiet(120_000);
    const lost = await lostOf(mirrored, accepted);
    const told = alarms.map(({ alarm }) => alarm);
    const verdicts: Verdict[] = [
      promise(
        `${lost.length} of ${accepted.length} acknowledged events lost, ${refused} refused`,
        '0',
        lost.length + refused === 0,
      ),
      goal(
        `at ${Math.round(grown / MB)} MB the alarms are ${told.join(', ') || 'none'}`,
        'write-ahead log',
        told.includes('write-ahead log'),
      ),
      goal(`cut off ${(shrunkMs / 1_000).toFixed(1)} s after the reader has left`, '60 s', shrunkMs < 60_000),
      soundness(mirrored.dataDir),
    ];
    return verdicts;
  },
};

async function growLog(course: Course, { truth, send }: Mirrored, isOver: () => boolean) {
  const accepted: string[] = [];
  let refused = 0;
  const client = async () => {
    while (!isOver()) {
      const stay = makeStay(course.dice.between(1, 50));
      truth.put(stay);
      const event = reservationEvent(stay, { padding: PADDING });
      if ((await send(event)) === 200) accepted.push(event.event_id);
      else refused += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { accepted, refused };
}
