import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { reservationEvent } from '../../support/events.ts';
import { makeStay } from '../../support/rows.ts';
import { call, until } from '../../support/service.ts';
import { lostOf, startMirrored } from '../mirrored.ts';
import { goal, promise, type Scenario } from '../scenario.ts';
import { soundness } from './serviceKills.ts';

const DISK_MB = 96;
const ROOM_LEFT_BYTES = 1_500_000;
const PADDING = 'x'.repeat(40_000);
const MOST_EVENTS = 4_000;
const RECOVERY_MS = 60_000;

/** The disk of the data directory fills up, and is emptied again. */
export const fullDisk: Scenario = {
  name: 'full-disk',
  rows: ['R3'],
  what: 'a disk of its own that fills up while events come in',
  needs: ['root'],
  async run(course) {
    const dataDir = course.folder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', dataDir]);
    course.atEnd(() => execFileSync('umount', ['-l', dataDir]));
    const mirrored = await startMirrored(course, { environment: { STAYD_DATA_DIR: dataDir } });
    const { truth, daemon } = mirrored;
    const control = () => call(daemon, 'GET', '/portal/status');
    const ballast = join(dataDir, 'ballast');
    writeFileSync(ballast, Buffer.alloc(roomIn(dataDir) - ROOM_LEFT_BYTES));

    const accepted: string[] = [];
    const statuses = new Map<number | undefined, number>();
    const tell = async (id: number, padding: string) => {
      const stay = makeStay(id, { number_of_guests: course.dice.between(1, 9) });
      truth.put(stay);
      const event = reservationEvent(stay, { padding });
      const status = await mirrored.send(event);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) accepted.push(event.event_id);
      return status;
    };
    for (let n = 0; n < MOST_EVENTS && (statuses.get(503) ?? 0) < 20; n += 1) await tell(1 + (n % 100), PADDING);
    // The reader meets the full disk, too.
    await wait(2_000);
    const reads = await control();
    const alarms: { alarm: string }[] = reads.json?.alarms ?? [];
    const changes = await call(daemon, 'GET', '/mirror/changes?after=0&connection=upstream');

    rmSync(ballast);
    const begun = performance.now();
    await until(async () => (await tell(101, '')) === 200, 'an event to be taken in again', RECOVERY_MS);
    const takenMs = performance.now() - begun;
    await mirrored.quiet(RECOVERY_MS);
    const recoveredMs = performance.now() - begun;
    const calm: { alarm: string }[] = (await control()).json?.alarms ?? [];
    const lost = await lostOf(mirrored, accepted);
    const differences = await mirrored.differences();
    const told = [...statuses].map(([status, count]) => `${status ?? 'broken'}: ${count}`).join(', ');
    const isTold = alarms.some(({ alarm }) => alarm === 'nothing is stored');
    return [
      promise(`${lost.length} of ${accepted.length} acknowledged events lost`, '0', lost.length === 0),
      promise(
        `senders were answered ${told}`,
        '200 and 503',
        [...statuses.keys()].every((one) => one === 200 || one === 503),
      ),
      promise(
        `reads answered ${reads.http} and ${changes.http} on the full disk${reads.http === 200 ? '' : reads.text}`,
        '200',
        reads.http === 200 && changes.http === 200,
      ),
      goal(`alarms: ${alarms.map(({ alarm }) => alarm).join(', ') || 'none'}`, 'nothing is stored', isTold),
      goal(`takes in ${Math.round(takenMs)} ms after there is room`, '60 s', takenMs < RECOVERY_MS),
      goal(`right ${(recoveredMs / 1_000).toFixed(1)} s after there is room`, '60 s', recoveredMs < RECOVERY_MS),
      goal(
        `alarms then: ${calm.map(({ alarm }) => alarm).join(', ') || 'none'}`,
        'none of stores',
        calm.every(({ alarm }) => alarm !== 'nothing is stored'),
      ),
      promise(`${differences.length} differences`, '0', differences.length === 0),
      soundness(dataDir),
    ];
  },
};

function roomIn(folder: string): number {
  const [, line = ''] = execFileSync('df', ['--output=avail', '-B1', folder], { encoding: 'utf8' }).trim().split('\n');
  return Number(line);
}
