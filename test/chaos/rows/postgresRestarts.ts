import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../../support/postgres.ts';
import { newToken, settled, v3 } from '../../support/service.ts';
import { bookNights } from '../reservation.ts';
import { startBuilt } from '../built.ts';
import { goal, promise, type Scenario } from '../scenario.ts';
import { judgeHalves } from './serviceKills.ts';

const RESTARTS = 5;
const WORK_MS = 1_500;
const DOWN_MS = 500;
const SETTLE_MS = 180_000;
const AGAIN_MS = 3_000;

/** The server of the databases is stopped as by a crash, and comes back, in the middle of work. */
export const postgresRestarts: Scenario = {
  name: 'postgres-restarts',
  rows: ['R33'],
  what: 'PostgreSQL stopped at once and started again while bookings are made',
  needs: ['postgres'],
  async run(course) {
    const server = await startPostgres();
    course.atEnd(() => server.stop());
    const databaseUrl = await server.emptyDatabase();
    const dataDir = course.folder();
    const service = await startBuilt(dataDir, { STAYD_DATABASE_URL: databaseUrl });
    course.atEnd(() => service.kill('SIGKILL'));
    let ended = false;
    void service.ended.then(() => (ended = true));
    await settled(service);
    const token = await newToken(service);
    const property = (await v3(service, token, 'POST', '/properties', { name: 'House' })).property_id;
    const answered = new Set<string>();
    const nights = bookNights({ property, answered });
    const booking = nights.begin(service, token);
    const restarts = course.count ?? RESTARTS;
    let slowestMs = 0;
    for (let n = 1; n <= restarts; n += 1) {
      await wait(WORK_MS * (0.5 + course.dice.fraction()));
      await server.crash();
      await wait(DOWN_MS);
      await server.start();
      const before = answered.size;
      const begun = performance.now();
      while (answered.size === before && !ended && performance.now() - begun < 60_000) await wait(20);
      slowestMs = Math.max(slowestMs, performance.now() - begun);
      course.say(`${n} restarts, ${answered.size} bookings answered`);
    }
    await booking.stop();
    const fate = ended ? `has ended: ${service.stderr().slice(-600)}` : 'lives on';
    const alive = promise(`the service ${fate}`, 'lives on', !ended);
    if (ended) return [alive];
    // What was cut off is taken up again within a second or two.
    await wait(AGAIN_MS);
    await settled(service, SETTLE_MS);
    const after = `${restarts} restarts of the server`;
    return [
      alive,
      ...(await judgeHalves({ course, service, dataDir: null, answered, after })),
      goal(`books again ${Math.round(slowestMs)} ms after the server is back`, '10,000 ms', slowestMs < 10_000),
      goal(`${nights.refused()} bookings refused meanwhile`, 'some', nights.refused() > 0),
    ];
  },
};
