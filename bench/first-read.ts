import { rmSync } from 'node:fs';
import { openStore } from '../src/store/store.ts';
import { instantOf } from '../src/kernel/dates.ts';
import { runChange } from '../src/core/change.ts';
import type { Core } from '../src/core/context.ts';
import type { CoreDatabase } from '../src/core/database.ts';
import { bookDirect } from '../src/core/reservations/book.ts';
import { createPropertyIn } from '../src/core/properties/handlers.ts';
import { addDays } from '../src/kernel/dates.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { ulidMaker } from '../src/kernel/ids.ts';
import { systemRandom } from '../src/kernel/random.ts';
import { sealer } from '../src/kernel/seal.ts';
import { join } from 'node:path';
import { startTestService, until } from '../test/support/service.ts';
import { absolute } from './support/service.ts';

/** P3: the first read of N reservations, limits off, with the core in the same process. */
const RESERVATIONS = Number(process.argv[2] ?? 20_000);
const PROPERTIES = 20;
const GOAL_ROWS = 5_000;
const GOAL_REQUESTS = 1.02;
const PAGE = 100;
const BATCH = 20;

const service = await startTestService();
await service.settled();
await service.stop();
await fill();
for (const suffix of ['', '-wal', '-shm']) rmSync(join(service.dataDir, `mirror.db${suffix}`), { force: true });
const restarted = performance.now();
await service.restart();
await until(
  async () =>
    (await service.rows("select 1 from mirror.walks where resource = 'reservation' and state = 'done'")).length > 0,
  'the first read',
  600_000,
);
const [walk] = await service.rows("select * from mirror.walks where resource = 'reservation' and state = 'done'");
const seconds = (Date.parse(String(walk?.['finished_at'])) - Date.parse(String(walk?.['started_at']))) / 1_000;
const rows = Number(walk?.['rows']);
const requests = Number(walk?.['requests']);
const least = Math.ceil(RESERVATIONS / PAGE);
const [{ total = 0 } = {}] = await service.rows('select count(*) as total from mirror.stays');
const wall = (performance.now() - restarted) / 1_000;
const perSecond = rows / seconds;
process.stdout.write(
  `${absolute(
    `P3 first read of ${RESERVATIONS.toLocaleString('en-US')} reservations`,
    `${Math.round(perSecond).toLocaleString('en-US')} rows/s (goal ${String(GOAL_ROWS)}), ${String(requests)} requests of ${String(least)} least possible (goal ${String(GOAL_REQUESTS)} ×), ${String(total)} mirrored, ${wall.toFixed(1)} s from the start`,
    perSecond >= GOAL_ROWS && requests <= least * GOAL_REQUESTS && total === RESERVATIONS,
  )}\n`,
);
await service.remove();

async function fill(): Promise<void> {
  const store = await openStore<CoreDatabase>({ kind: 'sqlite', file: join(service.dataDir, 'core.db') });
  const core: Core = {
    store,
    clock: systemClock,
    random: systemRandom,
    ids: ulidMaker(systemClock, systemRandom),
    sealer: sealer(systemRandom.bytes(32), systemRandom),
    onQueued: () => {},
    publicUrl: () => '',
  };
  const account = await store.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
  const who = { account, operator: null };
  const { time_zone, currency } = account;
  const silent = { announce: false };
  const properties: number[] = [];
  for (let i = 0; i < PROPERTIES; i += 1) {
    const name = `House ${i}`;
    properties.push(
      await runChange(core, who, (change) => createPropertyIn(change, { name, time_zone, currency }), silent),
    );
  }
  const first = addDays(instantOf(Date.now()).slice(0, 10), -Math.ceil(RESERVATIONS / PROPERTIES));
  for (let start = 0; start < RESERVATIONS; start += BATCH) {
    const work = async (change: Parameters<Parameters<typeof runChange>[2]>[0]) => {
      for (let i = start; i < Math.min(start + BATCH, RESERVATIONS); i += 1) {
        const checkIn = addDays(first, Math.floor(i / PROPERTIES));
        const room = {
          property_id: properties[i % PROPERTIES] ?? 0,
          check_in_date: checkIn,
          check_out_date: addDays(checkIn, 1),
          rate: 10_000,
          commission: 0,
          number_of_guests: 2,
        };
        const guest = { name: `Guest ${i}`, email: `guest${i}@example.org` };
        await bookDirect(change, { rooms: [room], guest, currency, booked_at: instantOf(change.now) });
      }
    };
    await runChange(core, who, work, silent);
  }
  await store.close();
}
