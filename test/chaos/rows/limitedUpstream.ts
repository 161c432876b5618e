import { reservationEvent } from '../../support/events.ts';
import { makeStay } from '../../support/rows.ts';
import { startMirrored } from '../mirrored.ts';
import { goal, promise, type Scenario } from '../scenario.ts';

const STAYS = 120;
const WINDOW_MS = 5_000;
const PER_WINDOW = 30;
/** What was sent before the refusal could have arrived. */
const ON_THE_WAY_MS = 60;

/** Upstream lets so many requests pass in each fixed window, and names no limit but by refusing. */
export const limitedUpstream: Scenario = {
  name: 'limited-upstream',
  rows: ['R10'],
  what: '429 with Retry-After whenever a window of 5 s has had its 30 requests',
  async run(course) {
    const mirrored = await startMirrored(course);
    const { truth, proxy, send } = mirrored;
    const refusals: { at: number; until: number }[] = [];
    const early: number[] = [];
    let window = -1;
    let passed = 0;
    let crossed = 0;
    proxy.rule = () => {
      const now = Date.now();
      const own = Math.floor(now / WINDOW_MS);
      if (refusals.some(({ at, until }) => now > at + ON_THE_WAY_MS && now < until)) early.push(now);
      if (own !== window) {
        if (passed >= PER_WINDOW) crossed += 1;
        window = own;
        passed = 0;
      }
      passed += 1;
      if (passed <= PER_WINDOW) return undefined;
      const seconds = Math.ceil(((own + 1) * WINDOW_MS - now) / 1_000);
      refusals.push({ at: now, until: now + seconds * 1_000 });
      return {
        kind: 'answer',
        headers: { 'retry-after': String(seconds) },
        body: '{"request_id":"r","error_code":429,"error_msg":"Too many requests."}',
      };
    };
    const begun = performance.now();
    for (let id = 1; id <= STAYS; id += 1) {
      const stay = makeStay(id, { number_of_guests: course.dice.between(1, 9) });
      truth.put(stay);
      await send(reservationEvent(stay));
    }
    await mirrored.quiet(300_000);
    const tookMs = performance.now() - begun;
    const differences = await mirrored.differences();
    // The first window may be at its end, and the last needs no time.
    const least = (STAYS / PER_WINDOW - 2) * (WINDOW_MS / 1_000);
    return [
      promise(
        `${early.length} requests before a Retry-After had ended, after ${refusals.length} refusals over ${crossed} full windows`,
        '0',
        early.length === 0,
      ),
      promise(`${differences.length} differences`, '0', differences.length === 0),
      goal(
        `${STAYS} changes read in ${(tookMs / 1_000).toFixed(0)} s, where the limit needs ${least} s`,
        '3 ×',
        tookMs / 1_000 <= 3 * least,
      ),
    ];
  },
};
