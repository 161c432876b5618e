import { reservationEvent } from '../../support/events.ts';
import { makeStay } from '../../support/rows.ts';
import { until } from '../../support/service.ts';
import { type Mirrored, startMirrored } from '../mirrored.ts';
import { type Course, goal, promise, type Scenario } from '../scenario.ts';

const STAYS = 150;
const SHARE = 30;
const CODES = [500, 502, 503, 504] as const;
const OUTAGE_MS = 8_000;

/** Upstream fails three times of ten, and then altogether for a while. */
export const failingUpstream: Scenario = {
  name: 'failing-upstream',
  rows: ['R8'],
  what: '500, 502, 503 and 504, three of ten and then all',
  async run(course) {
    const mirrored = await startMirrored(course);
    const { proxy } = mirrored;
    const least = await requestsOf(mirrored, async () => {
      await changeAll(course, mirrored);
      await mirrored.quiet();
    });
    proxy.rule = () =>
      course.dice.percent(SHARE)
        ? { kind: 'answer', status: course.dice.pick(CODES), headers: { 'content-type': 'text/html' }, body: 'no' }
        : undefined;
    let failed = 0;
    const asked = await requestsOf(mirrored, async (since) => {
      await changeAll(course, mirrored);
      await mirrored.quiet(180_000);
      failed = proxy.passed.slice(since).filter(({ spoilt }) => spoilt !== null).length;
    });
    const during = await mirrored.differences();

    proxy.rule = () => ({ kind: 'answer', status: 503, body: '' });
    let inOutage = 0;
    inOutage = await requestsOf(mirrored, async () => {
      await changeAll(course, mirrored);
      await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
    });
    proxy.rule = () => undefined;
    const propagatedMs = await mirrored.quiet(180_000);
    const differences = await mirrored.differences();
    const ratio = (asked - failed) / least;
    return [
      promise(`${during.length + differences.length} differences`, '0', during.length + differences.length === 0),
      goal(
        `${asked} requests, ${failed} of them failed, where ${least} are needed: ${ratio.toFixed(2)} ×`,
        '1.2 ×',
        ratio <= 1.2,
      ),
      goal(
        `${inOutage} requests for ${STAYS} changes in an outage of ${OUTAGE_MS / 1_000} s`,
        '4 each',
        inOutage <= 4 * STAYS,
      ),
      goal(`right ${(propagatedMs / 1_000).toFixed(1)} s after the outage`, '60 s', propagatedMs < 60_000),
    ];
  },
};

async function requestsOf({ proxy }: Mirrored, work: (since: number) => Promise<void>): Promise<number> {
  const since = proxy.passed.length;
  await work(since);
  return proxy.passed.length - since;
}

/** Changes each stay once and tells of it. */
async function changeAll(course: Course, { truth, send }: Mirrored): Promise<void> {
  for (let id = 1; id <= STAYS; id += 1) {
    const before = truth.stays.get(id)?.number_of_guests ?? 0;
    const stay = makeStay(id, { number_of_guests: 1 + ((before + course.dice.between(0, 7)) % 9) });
    truth.put(stay);
    const event = reservationEvent(stay);
    await until(async () => (await send(event)) === 200, 'an event to be taken in');
  }
}
