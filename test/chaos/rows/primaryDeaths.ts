import { setTimeout as wait } from 'node:timers/promises';
import { newToken, settled } from '../../support/service.ts';
import { startCluster } from '../cluster/cluster.ts';
import { startFleet } from '../fleet.ts';
import { answersSettled, judgeAnswers, letGuestsAsk } from '../guests.ts';
import { bookNights } from '../reservation.ts';
import { goal, promise, type Scenario } from '../scenario.ts';
import { judgeHalves } from './serviceKills.ts';

const DEATHS = 20;
const WORK_MS = 3_000;
const SETTLE_MS = 180_000;
/** A plan that was being carried out is taken up again after five minutes, and looked for during two. */
const ANSWERS_MS = 600_000;
const LONGEST_MS = 30_000;
const GIVE_UP_MS = 120_000;
const REST_MS = 20;
/** Bookings of each client that may have been answered before the machine died, and are counted after it. */
const ON_THEIR_WAY = 8;

/** The machine of the primary dies under load, again and again; another takes its place, and the old one comes back. */
export const primaryDeaths: Scenario = {
  name: 'primary-deaths',
  rows: ['R33'],
  what: 'the primary of three PostgreSQL machines killed or unplugged while bookings are made and guests answered',
  needs: ['root', 'postgres', 'patroni', 'haproxy', 'namespaces'],
  async run(course) {
    const cluster = await startCluster(course);
    const fleet = await startFleet(course, cluster.url, 2);
    const [one, other] = fleet.members;
    if (one === undefined || other === undefined) throw new Error('two processes were to be started');
    let ended = false;
    for (const { ended: end } of fleet.members) void end.then(() => (ended = true));
    const answered = new Set<string>();
    const nights = bookNights({ property: fleet.property, answered, restMs: REST_MS });
    const guests = await letGuestsAsk(() => fleet.members, fleet.token);
    const token = await newToken(other);
    const booking = [nights.begin(one, fleet.token), nights.begin(other, token)];
    const deaths = course.count ?? DEATHS;
    const gapsMs: number[] = [];
    for (let n = 1; n <= deaths; n += 1) {
      await wait(WORK_MS * (0.5 + course.dice.fraction()));
      const dead = await cluster.whole();
      // A machine without power, of which nobody hears, or one whose programs end, which the others notice at once.
      if (n % 2 === 0) dead.cut();
      dead.kill();
      const begun = performance.now();
      const before = answered.size;
      while (answered.size <= before + ON_THEIR_WAY && !ended && performance.now() - begun < GIVE_UP_MS) await wait(20);
      gapsMs.push(performance.now() - begun);
      dead.join();
      cluster.start(dead);
      course.say(`${n} deaths, back after ${Math.round(gapsMs.at(-1) ?? 0)} ms, ${answered.size} bookings answered`);
    }
    await Promise.all([...booking, guests].map((one) => one.stop()));
    const alive = promise(`the services ${ended ? 'have ended' : 'live on'}`, 'live on', !ended);
    if (ended) return [alive];
    await cluster.whole();
    await settled(one, SETTLE_MS);
    await answersSettled(one, ANSWERS_MS);
    const longestMs = Math.max(...gapsMs);
    const median = gapsMs.toSorted((a, b) => a - b)[Math.floor(gapsMs.length / 2)] ?? 0;
    return [
      alive,
      ...(await judgeHalves({ course, service: one, dataDir: null, answered, after: `${deaths} deaths` })),
      ...(await judgeAnswers(one, guests)),
      goal(
        `books again ${seconds(longestMs)} s after a death at the latest, half of the times within ${seconds(median)} s`,
        '30 s',
        longestMs < LONGEST_MS,
      ),
    ];
  },
};

const seconds = (ms: number) => (ms / 1_000).toFixed(1);
