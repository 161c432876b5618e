import { setTimeout as wait } from 'node:timers/promises';
import { reservationEvent } from '../../support/events.ts';
import { makeStay } from '../../support/rows.ts';
import { type Mirrored, startMirrored } from '../mirrored.ts';
import { goal, promise, type Scenario } from '../scenario.ts';

const EVENTS = 1_000;
/** Faster would be a burst, which is answered by a scan. */
const EVERY_MS = 50;
const WARM_UP = 50;
const POISON = 4_711;

/** One of a thousand events names something that can never be read; the others must not notice. */
export const poison: Scenario = {
  name: 'poison',
  rows: ['R23'],
  what: 'an event whose booking cannot be read, among 1,000',
  async run(course) {
    const mirrored = await startMirrored(course);
    const events = Math.ceil((course.count ?? EVENTS) / 2);
    await delays(mirrored, 0, WARM_UP);
    const without = await delays(mirrored, WARM_UP, events);
    mirrored.proxy.rule = ({ path }) =>
      path.includes(makeStay(POISON).reservation_code)
        ? { kind: 'bend', bend: (text) => text.replaceAll(/"(?:id|stay_code|reservation_code)":/g, '"nameless":') }
        : undefined;
    mirrored.truth.put(makeStay(POISON));
    await mirrored.send(reservationEvent(makeStay(POISON)));
    const beside = await delays(mirrored, WARM_UP + events, events);
    const asked = mirrored.proxy.passed.filter(({ spoilt }) => spoilt !== null).length;
    const quarantined = await mirrored.rows("select problem from mirror.quarantine where resource = 'reservation'");
    mirrored.truth.stays.delete(POISON);
    const differences = await mirrored.differences();
    const ratio = beside / without;
    return [
      promise(`${differences.length} differences among the others`, '0', differences.length === 0),
      goal(
        `p99 from event to row ${Math.round(beside)} ms, ${Math.round(without)} ms without it: ${ratio.toFixed(2)} ×`,
        '1.1 ×',
        ratio <= 1.1,
      ),
      promise(
        `${quarantined.length} quarantined: ${String(quarantined[0]?.['problem']).slice(0, 60)}`,
        'the one',
        quarantined.length === 1,
      ),
      goal(`it was asked for ${asked} times`, 'a few times', asked <= 10),
    ];
  },
};

/** How long the slowest of a hundred changes took from its event to its row, in ms; `events` of them behind `from`. */
async function delays({ truth, send, rows }: Mirrored, from: number, events: number): Promise<number> {
  const sentAt = new Map<number, number>();
  for (let id = from + 1; id <= from + events; id += 1) {
    truth.put(makeStay(id));
    sentAt.set(id, Date.now());
    await send(reservationEvent(makeStay(id)));
    await wait(EVERY_MS);
  }
  const arrived = () =>
    rows(`select s.id, c.at from mirror.stays s join mirror.changes c on c.key = s.reservation_code
      and c.resource = 'reservation' and c.op = 'created' where s.id > ${from} and s.id <= ${from + events}`);
  let seen = await arrived();
  for (let tries = 0; seen.length < events && tries < 300; tries += 1) {
    await wait(100);
    seen = await arrived();
  }
  const took = seen.map((row) => Date.parse(String(row['at'])) - (sentAt.get(Number(row['id'])) ?? 0));
  return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN;
}
