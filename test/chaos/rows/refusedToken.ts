import { setTimeout as wait } from 'node:timers/promises';
import { reservationEvent } from '../../support/events.ts';
import { makeStay } from '../../support/rows.ts';
import { call, until } from '../../support/service.ts';
import { type Mirrored, startMirrored } from '../mirrored.ts';
import { type Course, goal, promise, type Scenario, type Verdict } from '../scenario.ts';

const CHANGES = 50;
const WATCHED_MS = 20_000;
/** Look-ups that are under way when the first refusal comes, and the scan or reconciliation beside them. */
const UNDER_WAY = 10;
/** Seconds from the last probe in the watched time to the next one. A token may be refused for a moment only. */
const NEXT_TRY_S = { 401: 30, 420: 900 } as const;

/** The token is withdrawn, or the subscription ends, in the middle of work. */
export const refusedToken: Scenario = {
  name: 'refused-token',
  rows: ['R20', 'R21'],
  what: '401 and then 420 to everything while 50 changes are told of',
  async run(course) {
    const mirrored = await startMirrored(course);
    return [...(await refuse(course, mirrored, 401)), ...(await refuse(course, mirrored, 420))];
  },
};

async function refuse(course: Course, mirrored: Mirrored, code: keyof typeof NEXT_TRY_S): Promise<Verdict[]> {
  const { truth, proxy, send } = mirrored;
  proxy.rule = () => ({ kind: 'answer', body: `{"request_id":"r","error_code":${code},"error_msg":"No."}` });
  const since = proxy.passed.length;
  let taken = 0;
  for (let id = 1; id <= CHANGES; id += 1) {
    const stay = makeStay(id, { number_of_guests: course.dice.between(1, 9), note: String(code) });
    truth.put(stay);
    if ((await send(reservationEvent(stay))) === 200) taken += 1;
  }
  await until(async () => (await mirrored.status()).state === 'paused', 'reading to be paused');
  await wait(WATCHED_MS);
  const asked = proxy.passed.length - since;
  const status = await mirrored.status();
  const read = await call(mirrored.daemon, 'GET', '/mirror/changes?after=0&connection=upstream');
  proxy.rule = () => undefined;
  // In place of the probe after a quarter of an hour: a start asks at once.
  await mirrored.daemon.kill('SIGINT');
  await mirrored.start();
  const backMs = await mirrored.quiet(120_000);
  const differences = await mirrored.differences();
  return [
    promise(`${code}: ${taken} of ${CHANGES} events taken in meanwhile`, 'all', taken === CHANGES),
    goal(
      `${code}: ${asked} requests in ${WATCHED_MS / 1_000} s; next try in ${status.paused?.next_try_in} s`,
      `${UNDER_WAY} under way, then one in ${NEXT_TRY_S[code]} s`,
      asked <= UNDER_WAY && status.paused?.next_try_in > NEXT_TRY_S[code] / 2,
    ),
    goal(
      `${code}: the mirror answered ${read.http} and said why: ${status.paused?.because}`,
      '200',
      read.http === 200 && status.paused !== null,
    ),
    goal(`${code}: right ${(backMs / 1_000).toFixed(1)} s after a start with access`, '60 s', backMs < 60_000),
    promise(`${code}: ${differences.length} differences`, '0', differences.length === 0),
  ];
}
