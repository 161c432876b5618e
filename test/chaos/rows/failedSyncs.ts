import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reservationEvent } from '../../support/events.ts';
import { makeStay } from '../../support/rows.ts';
import { until } from '../../support/service.ts';
import { lostOf, type Mirrored, startMirrored } from '../mirrored.ts';
import { type Course, goal, promise, type Scenario } from '../scenario.ts';
import { failing, injectedIn } from '../strace.ts';
import { soundness } from './serviceKills.ts';

const FAILURES = 3;
const FIRST = 60;
const EVERY = 150;
const CLIENTS = 8;
const STAYS = 200;
const LIMIT_MS = 60_000;
const PAUSE_MS = 50;
/** For at least so long after a failure nothing is open: the pause before the new start. It acknowledges before it says that it is ready. */
const CLOSED_MS = 250;

/** An answer of 200 to an event, in epoch milliseconds. */
interface Acknowledged {
  id: string;
  begunAt: number;
  endedAt: number;
}

/**
 * The disk fails to sync what the mirror has written. Nothing may be acknowledged by a process that has seen that,
 * until it has opened its database again.
 */
export const failedSyncs: Scenario = {
  name: 'failed-syncs',
  rows: ['R4'],
  what: 'EIO on fsync of the mirror while events come in',
  needs: ['strace'],
  async run(course) {
    const dataDir = course.folder();
    const log = join(course.folder(), 'strace.log');
    const mirrored = await startMirrored(course, { environment: { STAYD_DATA_DIR: dataDir } });
    await mirrored.daemon.kill('SIGINT');
    const file = join(dataDir, 'mirror.db-wal');
    const calls = ['fsync', 'fdatasync'];
    await mirrored.start({ under: failing({ calls, error: 'EIO', first: FIRST, every: EVERY, file, log }) });
    const reopenedAt: number[] = [];
    mirrored.daemon.child.stdout?.on('data', (text: string) => {
      if (text.includes('is ready on')) reopenedAt.push(Date.now());
    });
    const enough = course.count ?? FAILURES;
    const endsAt = Date.now() + LIMIT_MS;
    const isOver = () => reopenedAt.length >= enough || Date.now() > endsAt;
    const acknowledged = await sendUntil(course, mirrored, isOver);
    const main = mirrored.daemon.child.pid;
    await mirrored.daemon.kill('SIGKILL');
    const failures = injectedIn(readFileSync(log, 'utf8')).filter(({ conversation }) => conversation === main);
    await mirrored.start();
    await mirrored.quiet();
    const lost = await lostOf(
      mirrored,
      acknowledged.map(({ id }) => id),
    );
    const early = acknowledged.filter(({ begunAt, endedAt }) =>
      failures.some(({ at }) => begunAt > at && endedAt < at + CLOSED_MS),
    );
    const differences = await mirrored.differences();
    const times = `${reopenedAt.length} times after ${failures.length} failed commits`;
    return [
      promise(`${early.length} events acknowledged between a failed commit and the new start`, '0', early.length === 0),
      promise(`${lost.length} of ${acknowledged.length} acknowledged events lost`, '0', lost.length === 0),
      promise(`${differences.length} differences once all was read`, '0', differences.length === 0),
      goal(`opened its database again ${times}`, 'each time', reopenedAt.length >= failures.length - 1),
      soundness(dataDir),
    ];
  },
};

/** Changes stays and tells of it until it is over, also while nobody answers. */
async function sendUntil(course: Course, { truth, send }: Mirrored, isOver: () => boolean): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const client = async () => {
    while (!isOver()) {
      const stay = makeStay(course.dice.between(1, STAYS), { number_of_guests: course.dice.between(1, 9) });
      truth.put(stay);
      const event = reservationEvent(stay);
      const begunAt = Date.now();
      let status: number | undefined;
      await until(
        async () => {
          status = await send(event);
          if (status === undefined) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
          return status !== undefined || isOver();
        },
        'the daemon to answer again',
        LIMIT_MS,
      );
      if (status === 200) acknowledged.push({ id: event.event_id, begunAt, endedAt: Date.now() });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return acknowledged;
}
