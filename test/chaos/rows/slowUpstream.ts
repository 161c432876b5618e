import { setTimeout as wait } from 'node:timers/promises';
import { reservationEvent } from '../../support/events.ts';
import { makeStay } from '../../support/rows.ts';
import { startMirrored } from '../mirrored.ts';
import { goal, promise, type Scenario } from '../scenario.ts';

const STAYS = 60;
/** As many as look-ups are under way at once. */
const SLOW = 8;
const LONGEST_MS = 62_000;
const WATCHED_MS = 75_000;

/** Upstream takes requests and answers a byte a second, or nothing at all. */
export const slowUpstream: Scenario = {
  name: 'slow-upstream',
  rows: ['R9'],
  what: 'answers of one byte a second, and none at all, to as many requests as are made at once',
  async run(course) {
    const mirrored = await startMirrored(course);
    const { truth, proxy, send } = mirrored;
    const slow = new Set(Array.from({ length: SLOW }, (_, index) => makeStay(index + 1).reservation_code));
    let drips = 0;
    proxy.rule = ({ path }) => {
      const code = new URL(path, 'http://upstream').searchParams.get('reservation_code') ?? '';
      if (!slow.has(code)) return undefined;
      drips += 1;
      return drips % 2 === 0 ? { kind: 'silent' } : { kind: 'drip', bytesPerSecond: 1 };
    };
    const begun = performance.now();
    for (let id = 1; id <= STAYS; id += 1) {
      const stay = makeStay(id, { number_of_guests: 3 });
      truth.put(stay);
      await send(reservationEvent(stay));
    }
    let othersMs: number | undefined;
    while (performance.now() - begun < WATCHED_MS) {
      await wait(200);
      const [row] = await mirrored.rows(`select count(*) as n from mirror.stays where id > ${SLOW}`);
      if (Number(row?.['n']) === STAYS - SLOW) othersMs ??= performance.now() - begun;
    }
    const now = performance.now();
    const held = proxy.passed.filter(({ spoilt }) => spoilt !== null).map((one) => (one.endedAt ?? now) - one.begunAt);
    const longest = Math.max(...held);
    proxy.rule = () => undefined;
    const propagatedMs = await mirrored.quiet(180_000);
    const differences = await mirrored.differences();
    return [
      promise(`${differences.length} differences`, '0', differences.length === 0),
      goal(
        `of ${held.length} such answers the longest was waited for ${(longest / 1_000).toFixed(1)} s`,
        '60 s',
        longest <= LONGEST_MS,
      ),
      goal(
        `the others were read after ${othersMs === undefined ? 'too long' : `${(othersMs / 1_000).toFixed(1)} s`}`,
        '60 s',
        (othersMs ?? LONGEST_MS) <= 61_000,
      ),
      goal(
        `right ${(propagatedMs / 1_000).toFixed(1)} s after answers were quick again`,
        '60 s',
        propagatedMs < 60_000,
      ),
    ];
  },
};
