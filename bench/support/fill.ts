import { runChange } from '../../src/core/change.ts';
import type { Core } from '../../src/core/context.ts';
import type { CoreDatabase } from '../../src/core/database.ts';
import { createPropertyIn } from '../../src/core/properties/handlers.ts';
import { bookDirect } from '../../src/core/reservations/book.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { addDays, instantOf } from '../../src/kernel/dates.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { openStore } from '../../src/store/store.ts';
import { PasswordHasher } from '../../src/core/people/passwordHash.ts';

const PROPERTIES = 20;
const BATCH = 20;

/** Books so many stays of one night, without events, into the core of a service that does not run. */
export async function fillCore(file: string, reservations: number): Promise<void> {
  const store = await openStore<CoreDatabase>({ kind: 'sqlite', file });
  const core: Core = {
    store,
    clock: systemClock,
    random: systemRandom,
    ids: ulidMaker(systemClock, systemRandom),
    sealer: sealer(systemRandom.bytes(32), systemRandom),
    passwords: new PasswordHasher(systemRandom),
    onQueued: () => {},
    channels: new Map(),
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
  const first = addDays(instantOf(Date.now()).slice(0, 10), -Math.ceil(reservations / PROPERTIES));
  for (let start = 0; start < reservations; start += BATCH) {
    const work = async (change: Parameters<Parameters<typeof runChange>[2]>[0]) => {
      for (let i = start; i < Math.min(start + BATCH, reservations); i += 1) {
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
