import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../support/port.ts';
import { newToken, portal, settled, until, v3 } from '../../support/service.ts';
import { bookNights } from '../reservation.ts';
import { startBuilt } from '../built.ts';
import { goal, type Scenario } from '../scenario.ts';
import { failing } from '../strace.ts';
import { judgeHalves } from './serviceKills.ts';

const FAILURES = 2;
const FIRST = 120;
const EVERY = 200;
const LIMIT_MS = 120_000;

/** The disk fails to sync what the core has written, while guests book. */
export const failedCoreSyncs: Scenario = {
  name: 'failed-core-syncs',
  rows: ['R4'],
  what: 'EIO on fsync of the core while bookings are made',
  needs: ['strace'],
  async run(course) {
    const dataDir = course.folder();
    const environment = { STAYD_PORT: String(await freePort()) };
    const first = await startBuilt(dataDir, environment);
    await settled(first);
    const token = await newToken(first);
    const property = (await v3(first, token, 'POST', '/properties', { name: 'House' })).property_id;
    await settled(first);
    await first.kill('SIGINT');
    const calls = ['fsync', 'fdatasync'];
    const under = failing({ calls, error: 'EIO', first: FIRST, every: EVERY, file: join(dataDir, 'core.db-wal') });
    const broken = await startBuilt(dataDir, environment, { under });
    course.atEnd(() => broken.kill('SIGKILL'));
    const reopened = () => broken.stdout().split('is ready on').length - 2;
    const answered = new Set<string>();
    const nights = bookNights({ property, answered });
    const booking = nights.begin(broken, token);
    await until(
      () => reopened() >= (course.count ?? FAILURES) || broken.child.exitCode !== null,
      () => `the core to be opened again; it was ${reopened()} times: ${broken.stderr()}`,
      LIMIT_MS,
    );
    await wait(500);
    await booking.stop();
    const [times, code] = [reopened(), broken.child.exitCode];
    await broken.kill('SIGKILL');
    const service = await startBuilt(dataDir, environment);
    course.atEnd(() => service.kill('SIGKILL'));
    await settled(service, LIMIT_MS);
    // Deliveries of a service that stops are at most once; what nobody heard of is found by a scan.
    await portal(service, 'POST', '/portal/reconcile', {});
    await settled(service, LIMIT_MS);
    return [
      goal(
        `opened its database again ${times} times${code === null ? '' : `, and ended with ${code}`}`,
        'and lives on',
        times > 0 && code === null,
      ),
      ...(await judgeHalves({ course, service, dataDir, answered, after: `${times} failures of the disk` })),
    ];
  },
};
