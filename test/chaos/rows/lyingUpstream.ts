import { gzipSync } from 'node:zlib';
import { reservationEvent } from '../../support/events.ts';
import { makeStay } from '../../support/rows.ts';
import { startMirrored } from '../mirrored.ts';
import type { Spoil } from '../proxy.ts';
import { goal, promise, type Scenario } from '../scenario.ts';
import { peakMb } from '../vitals.ts';

const STAYS = 40;
const ROUNDS = 6;
const SECONDS = 10;
/** What a failed answer says of each stay, and no stay ever has. */
const LIE = 77;
const BOMB_BYTES = 200_000_000;

/** Answers that look like answers: failures with rows in them, half ones, pages for people, and bombs. */
export const lyingUpstream: Scenario = {
  name: 'lying-upstream',
  rows: ['R11', 'R12'],
  what: 'answers of 200 with error codes, cut, of HTML, in the wrong charset, and gzip bombs',
  async run(course) {
    const mirrored = await startMirrored(course);
    const { truth, proxy, send } = mirrored;
    const { dice } = course;
    const bomb = gzipSync(Buffer.alloc(BOMB_BYTES, 0x20));
    const lies: readonly (() => Spoil)[] = [
      () => ({ kind: 'bend', bend: (text) => lying(text, dice.pick([1, 201, 500, 502, 599, -1, 20_000])) }),
      () => ({ kind: 'bend', bend: (text) => lying(text, undefined) }),
      () => ({ kind: 'cut', share: dice.fraction() }),
      () => ({ kind: 'bend', bend: (text) => text.slice(0, Math.floor(text.length * dice.fraction())) }),
      () => ({ kind: 'answer', headers: { 'content-type': 'text/html' }, body: '<html>down for maintenance</html>' }),
      () => ({ kind: 'bend', bend: (text) => Buffer.from(lying(text, 500), 'utf16le') }),
      () => ({ kind: 'answer', headers: { 'content-encoding': 'gzip' }, body: bomb }),
      () => ({ kind: 'answer', status: 503, body: '{"error_code":200,"data":{"reservations":[]}}' }),
      () => ({ kind: 'reset' }),
    ];
    const told: Record<string, number> = {};
    proxy.rule = ({ path }) => {
      if (!path.includes('/reservations') || dice.percent(50)) return undefined;
      const n = dice.between(0, lies.length - 1);
      told[n] = (told[n] ?? 0) + 1;
      return lies[n]?.();
    };
    for (let n = 0; n < (course.count ?? STAYS * ROUNDS); n += 1) {
      const stay = makeStay(1 + (n % STAYS), { number_of_guests: dice.between(1, 9) });
      truth.put(stay);
      await send(reservationEvent(stay));
    }
    const lookups = () => proxy.passed.filter(({ spoilt }) => spoilt !== null).length;
    const enough = lies.length * 3;
    const patience = performance.now() + (course.seconds ?? SECONDS) * 1_000;
    while (lookups() < enough && performance.now() < patience) await new Promise((resolve) => setTimeout(resolve, 100));
    const spoilt = lookups();
    proxy.rule = () => undefined;
    const propagatedMs = await mirrored.quiet(120_000);
    const believed = await mirrored.rows(`select id from mirror.stays where number_of_guests = ${LIE}
      union all select seq from mirror.changes where diff like '%${LIE}%' and resource = 'stay'`);
    const differences = await mirrored.differences();
    const mb = peakMb(mirrored.daemon.child.pid);
    return [
      promise(
        `${believed.length} rows of ${spoilt} spoilt answers of ${Object.keys(told).length} kinds believed`,
        '0',
        believed.length === 0,
      ),
      promise(`${differences.length} differences once answers were true again`, '0', differences.length === 0),
      goal(`right ${(propagatedMs / 1_000).toFixed(1)} s after the last lie`, '60 s', propagatedMs < 60_000),
      goal(`peak memory ${Math.round(mb)} MB, bombs of ${BOMB_BYTES / 1e6} MB among the answers`, '256 MB', mb < 256),
    ];
  },
};

/** The answer with this code, and rows that must not be believed. */
function lying(text: string, error_code: number | undefined): string {
  const { error_code: _, ...answer } = JSON.parse(text) as Record<string, unknown>;
  const bent = JSON.stringify({ ...answer, error_code });
  return bent.replaceAll(/"number_of_guests":\d+/g, `"number_of_guests":${LIE}`);
}
