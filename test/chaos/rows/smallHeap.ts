import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fillCore } from '../../../bench/support/fill.ts';
import { portal, rowsOf, settled, until } from '../../support/service.ts';
import { startBuilt } from '../built.ts';
import { goal, promise, type Scenario } from '../scenario.ts';
import { peakMb } from '../vitals.ts';

const ROWS = 100_000;
const HEAP_MB = 128;
const READ_MS = 900_000;

/** Little memory, and many bookings to read for the first time and to compare. */
export const smallHeap: Scenario = {
  name: 'small-heap',
  rows: ['R7'],
  what: 'a first reading and a verification of 100,000 bookings with a heap of 128 MB',
  async run(course) {
    const dataDir = course.folder();
    const first = await startBuilt(dataDir);
    await settled(first);
    await first.kill('SIGINT');
    const rows = course.count ?? ROWS;
    await fillCore(join(dataDir, 'core.db'), rows);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `mirror.db${suffix}`), { force: true });
    const service = await startBuilt(dataDir, {}, { node: [`--max-old-space-size=${HEAP_MB}`] });
    course.atEnd(() => service.kill('SIGKILL'));
    let ended = false;
    void service.ended.then(() => (ended = true));
    const begun = performance.now();
    await until(
      async () => {
        const [scans] = await rowsOf(
          service,
          "select count(*) as n from mirror.scans where resource = 'reservation' and part = 'past' and state = 'done'",
        );
        return ended || Number(scans?.['n']) > 0;
      },
      'the first reading',
      READ_MS,
    );
    if (ended) return [promise(`ended: ${service.stderr().slice(-300)}`, 'lives on', false)];
    await settled(service, READ_MS);
    const readMb = peakMb(service.child.pid);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const { clean } = await portal(service, 'POST', '/portal/verify', {});
    const [stays] = await rowsOf(service, 'select count(*) as n from mirror.stays');
    const mb = peakMb(service.child.pid);
    return [
      promise(
        `${Number(stays?.['n'])} of ${rows} bookings mirrored in ${seconds} s`,
        'all',
        Number(stays?.['n']) === rows,
      ),
      promise(`verify ${clean ? 'clean' : 'found differences'}`, 'clean', clean),
      goal(`peak memory ${Math.round(readMb)} MB, after verify ${Math.round(mb)} MB`, '256 MB', mb < 256),
    ];
  },
};
