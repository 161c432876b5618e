import { setTimeout as wait } from 'node:timers/promises';
import { newToken, settled, v3 } from '../../support/service.ts';
import { bookNights } from '../reservation.ts';
import { startBuilt } from '../built.ts';
import { goal, type Scenario } from '../scenario.ts';
import { openFiles, peakMb, residentMb } from '../vitals.ts';
import { judgeHalves } from './serviceKills.ts';

const SECONDS = 60;
const WORK_MS = 5_000;
/** Each of the four clients books every four seconds: 60 a minute, as many as the service's limits allow. */
const REST_MS = 4_000;
const SETTLE_MS = 120_000;
const MB_AN_HOUR = 1;
const STRETCHES = 10;

/** Hours of steady work: five seconds of bookings, until the mirror has them, and so on. */
export const soak: Scenario = {
  name: 'soak',
  rows: ['R35'],
  what: 'steady work for as long as --seconds says',
  async run(course) {
    const dataDir = course.folder();
    const service = await startBuilt(dataDir);
    course.atEnd(() => service.kill('SIGKILL'));
    await settled(service);
    const token = await newToken(service);
    const property = (await v3(service, token, 'POST', '/properties', { name: 'House' })).property_id;
    const answered = new Set<string>();
    const nights = bookNights({ property, answered, restMs: REST_MS });
    const { pid } = service.child;
    const samples: { hours: number; mb: number; files: number; sockets: number }[] = [];
    const begun = performance.now();
    const endsAt = begun + (course.seconds ?? SECONDS) * 1_000;
    while (performance.now() < endsAt) {
      const booking = nights.begin(service, token);
      await wait(WORK_MS);
      await booking.stop();
      // Work that is left behind would grow, and memory is not about it.
      await settled(service, SETTLE_MS);
      const hours = (performance.now() - begun) / 3_600_000;
      samples.push({ hours, mb: residentMb(pid), ...openFiles(pid) });
    }
    // The first half warms up.
    const late = samples.slice(Math.floor(samples.length / 2));
    const slope = slopeOf(lowest(late));
    const [least, most] = rangeOf(late.map(({ files }) => files));
    const [fewest, mostSockets] = rangeOf(late.map(({ sockets }) => sockets));
    return [
      goal(
        `what memory is left by collecting grows ${slope.toFixed(1)} MB an hour in the second half; peak ${Math.round(peakMb(pid))} MB`,
        `${MB_AN_HOUR} MB an hour`,
        slope < MB_AN_HOUR,
      ),
      goal(
        `${least} to ${most} files open in the second half, and ${fewest} to ${mostSockets} sockets`,
        'constant files',
        most - least <= 5,
      ),
      ...(await judgeHalves({
        course,
        service,
        dataDir,
        answered,
        after: `${Math.round((samples.at(-1)?.hours ?? 0) * 3_600)} s`,
      })),
    ];
  },
};

/**
 * The least memory in each stretch: between two collections it swings by more than an hour of a leak would add.
 * @returns hours and MB
 */
function lowest(samples: readonly { hours: number; mb: number }[]): [number, number][] {
  const each = Math.max(1, Math.ceil(samples.length / STRETCHES));
  const stretches = Array.from({ length: Math.ceil(samples.length / each) }, (_, at) =>
    samples.slice(at * each, (at + 1) * each).toSorted((a, b) => a.mb - b.mb),
  );
  return stretches.flatMap(([least]) => (least ? [[least.hours, least.mb]] : []));
}

function rangeOf(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** How much the second value grows with the first, by least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const along = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return along / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
