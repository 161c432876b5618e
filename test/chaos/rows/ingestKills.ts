import { setTimeout as wait } from 'node:timers/promises';
import { emptyInbox, flood, judge, preload, type Receiving } from '../ingest.ts';
import { type Course, goal, promise, type Scenario } from '../scenario.ts';

const SECONDS = 120;
const LONGEST_LIFE_MS = 80;
/** How long a slow machine may take for the first acknowledgement, without which nothing could be lost. */
const FIRST_WITHIN_MS = 20_000;
/** A new database after so many kills, so that looking through it stays quick. */
const KILLS_PER_FILE = 100;

/** The way in is killed at any moment while events come, hundreds of times a minute. */
export const ingestKills: Scenario = {
  name: 'ingest-kills',
  rows: ['R1'],
  what: 'kill -9 of the receiver while events come in',
  async run(course) {
    const begun = performance.now();
    const until = begun + (course.seconds ?? SECONDS) * 1_000;
    const most = course.count ?? Number.POSITIVE_INFINITY;
    const isOver = (kills: number) => kills >= most || (course.count === undefined && performance.now() > until);
    const sum = { kills: 0, accepted: 0, lost: 0, unsound: 0, slowestMs: 0 };
    let next = await preload(course);
    while (!isOver(sum.kills)) {
      const file = await emptyInbox(course);
      const accepted = new Set<string>();
      for (let n = 0; n < KILLS_PER_FILE && !isOver(sum.kills); n += 1) {
        const one = next;
        next = await preload(course);
        sum.slowestMs = Math.max(sum.slowestMs, await liveAndDie(course, one, file, accepted));
        sum.kills += 1;
      }
      const { sound, lost } = judge(file, accepted);
      sum.accepted += accepted.size;
      sum.lost += lost.length;
      sum.unsound += sound ? 0 : 1;
      course.say(`${sum.kills} kills, ${sum.accepted} accepted, ${sum.lost} lost`);
    }
    const minutes = (performance.now() - begun) / 60_000;
    return [
      promise(
        `${sum.lost} of ${sum.accepted} acknowledged events lost in ${sum.kills} kills`,
        '0',
        sum.lost === 0 && sum.accepted > 0,
      ),
      promise(`${sum.unsound} databases damaged`, '0', sum.unsound === 0),
      goal(`open again after a kill within ${Math.round(sum.slowestMs)} ms`, '5,000 ms', sum.slowestMs < 5_000),
      goal(`${Math.round(sum.kills / minutes)} kills a minute`, '100', sum.kills / minutes >= 100),
    ];
  },
};

/** @returns how long it took to open the database that the one before has left, in ms */
async function liveAndDie(course: Course, one: Receiving, file: string, accepted: Set<string>): Promise<number> {
  const begun = performance.now();
  const port = await one.open(file);
  if (port === undefined) throw new Error('the receiver did not begin to receive');
  const tookMs = performance.now() - begun;
  let over = false;
  const sending = flood(port, accepted, () => over);
  await wait(5 + course.dice.fraction() * LONGEST_LIFE_MS);
  while (accepted.size === 0 && performance.now() - begun < FIRST_WITHIN_MS) await wait(1);
  one.child.kill('SIGKILL');
  over = true;
  await sending;
  await one.ended;
  return tookMs;
}
