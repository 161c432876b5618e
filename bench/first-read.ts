import { join } from 'node:path';
import { rmSync } from 'node:fs';
import { startTestService, until } from '../test/support/service.ts';
import { fillCore } from './support/fill.ts';
import { absolute } from './support/outcome.ts';

/** P3: the first read of N reservations, limits off, with the core in the same process. */
const RESERVATIONS = Number(process.argv[2] ?? 20_000);
const GOAL_ROWS = 5_000;
const GOAL_REQUESTS = 1.02;
const PAGE = 100;

const service = await startTestService();
await service.settled();
await service.stop();
await fillCore(join(service.dataDir, 'core.db'), RESERVATIONS);
for (const suffix of ['', '-wal', '-shm']) rmSync(join(service.dataDir, `mirror.db${suffix}`), { force: true });
const restarted = performance.now();
await service.restart();
await until(
  async () =>
    (
      await service.rows(
        "select 1 from mirror.scans where resource = 'reservation' and part = 'past' and state = 'done'",
      )
    ).length > 0,
  'the first read',
  600_000,
);
const [scan] = await service.rows(
  "select min(started_at) as began, max(finished_at) as ended, sum(rows) as rows, sum(requests) as requests from mirror.scans where resource = 'reservation' and state = 'done'",
);
const seconds = (Date.parse(String(scan?.['ended'])) - Date.parse(String(scan?.['began']))) / 1_000;
const rows = Number(scan?.['rows']);
const requests = Number(scan?.['requests']);
const least = Math.ceil(RESERVATIONS / PAGE);
const [{ total = 0 } = {}] = await service.rows('select count(*) as total from mirror.stays');
const wall = (performance.now() - restarted) / 1_000;
const perSecond = rows / seconds;
process.stdout.write(
  `${absolute(
    `P3 first read of ${RESERVATIONS.toLocaleString('en-US')} reservations`,
    {
      ours: `${Math.round(perSecond).toLocaleString('en-US')} rows/s, ${String(requests)} requests of ${String(least)} least possible`,
      goal: `${String(GOAL_ROWS)} rows/s, ${String(GOAL_REQUESTS)} × the requests`,
      also: `, ${String(total)} mirrored, ${wall.toFixed(1)} s from the start`,
    },
    perSecond >= GOAL_ROWS && requests <= least * GOAL_REQUESTS && total === RESERVATIONS,
  )}\n`,
);
await service.remove();
