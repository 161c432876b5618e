import { setTimeout as wait } from 'node:timers/promises';
import { emptyInbox, flood, judge, preload } from '../ingest.ts';
import { type Course, goal, promise, type Scenario } from '../scenario.ts';
import { failing } from '../strace.ts';

/** The failing write is each so manieth from 1 on, up to 200; all of them with --count 200. */
const WRITES = 200;
const TRIED = 20;
/** After it, each so manieth fails again. */
const EVERY = 60;
const LIFE_MS = 250;
const ANSWER_MS = 5_000;

/** The disk is full at the Nth write, wherever in a commit or a start that is. */
export const fullWrites: Scenario = {
  name: 'full-writes',
  rows: ['R3'],
  what: 'ENOSPC at write 1 to 200 of the receiver',
  needs: ['strace'],
  async run(course) {
    const tried = Math.min(course.count ?? TRIED, WRITES);
    const sum = { accepted: 0, refused: 0, lost: 0, unsound: 0, stuck: 0 };
    for (let n = 0; n < tried; n += 1) {
      const first = 1 + Math.floor((n * WRITES) / tried);
      const file = await emptyInbox(course);
      const accepted = new Set<string>();
      sum.refused += await receiveUnder(course, { file, accepted, first });
      // With room again, the same file takes everything in.
      const before = accepted.size;
      await receiveUnder(course, { file, accepted, first: undefined });
      if (accepted.size === before) sum.stuck += 1;
      const { sound, lost } = judge(file, accepted);
      sum.accepted += accepted.size;
      sum.lost += lost.length;
      sum.unsound += sound ? 0 : 1;
      course.say(`write ${first}: ${accepted.size} accepted, ${lost.length} lost`);
    }
    return [
      promise(
        `${sum.lost} of ${sum.accepted} acknowledged events lost, at ${tried} places`,
        '0',
        sum.lost === 0 && sum.accepted > 0,
      ),
      promise(`${sum.unsound} databases damaged`, '0', sum.unsound === 0),
      promise(`${sum.stuck} databases that take nothing in with room again`, '0', sum.stuck === 0),
      goal(`${sum.refused} events refused meanwhile`, 'some', sum.refused > 0),
    ];
  },
};

interface Attempt {
  file: string;
  accepted: Set<string>;
  /** The write that fails first; undefined: none does. */
  first: number | undefined;
}

/** @returns how many events were refused */
async function receiveUnder(course: Course, { file, accepted, first }: Attempt): Promise<number> {
  const calls = ['pwrite64', 'write'];
  const under =
    first === undefined ? [] : failing({ calls, error: 'ENOSPC', first, every: EVERY, file: `${file}-wal` });
  const one = await preload(course, under);
  const port = await one.open(file);
  if (port === undefined) return 0;
  let over = false;
  const sending = flood(port, accepted, () => over);
  await wait(LIFE_MS);
  over = true;
  const { refused } = await Promise.race([sending, wait(ANSWER_MS, { refused: 0 })]);
  one.child.kill('SIGKILL');
  await one.ended;
  return refused;
}
