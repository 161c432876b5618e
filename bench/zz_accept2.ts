import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { mirrorMigrations } from '/work/main/migrations/mirror/index.ts';
import { migrate } from '/work/main/src/store/migrate.ts';
import { openStore } from '/work/main/src/store/store.ts';
import type { Mirror } from '/work/main/src/sync/database.ts';
import { receiver } from '/work/main/src/sync/receive.ts';
import { deliveryCheck } from '/work/main/src/sync/verifyDelivery.ts';
import { openReadNumbers } from '/work/main/src/sync/readNumbers.ts';
import { systemClock } from '/work/main/src/kernel/clock.ts';
import { systemRandom } from '/work/main/src/kernel/random.ts';
import { ulidMaker } from '/work/main/src/kernel/ids.ts';
import { ensureConnection } from '/work/main/src/sync/connectionState.ts';
import { signWebhook, signingKey } from '/work/main/src/kernel/signature.ts';

const proof = (process.argv[2] ?? 'token') as 'token';
const dir = mkdtempSync('/tmp/bench-');
const store = await openStore<Mirror>({ kind: 'sqlite', file: join(dir, 'm.db') });
await migrate(store, mirrorMigrations);
import { sql } from 'kysely';
await sql.raw('pragma wal_autocheckpoint = ' + (process.argv[3] ?? 1000)).execute(store.db);
if (process.argv[4]) await sql.raw('pragma synchronous=' + process.argv[4]).execute(store.db);
await ensureConnection(store, 'local', 'http://x', '2026-01-01T00:00:00.000Z');
const numbers = await openReadNumbers(store);
const secret = 'whsec_' + Buffer.alloc(32, 3).toString('base64');
const verify = deliveryCheck(proof, 'service-webhook-secret-token', [secret]);
const r = receiver({
  store,
  connection: 'local',
  numbers,
  clock: systemClock,
  verify,
  onMarked() {},
  onFailure(e) {
    throw e;
  },
});
const ids = ulidMaker(systemClock, systemRandom);
const key = signingKey(secret);
function make(n: number) {
  return Array.from({ length: n }, (_, i) => {
    const id = ids();
    const body = Buffer.from(
      JSON.stringify(
        i % 3 === 0
          ? {
              event: 'property_availability_updated',
              event_id: id,
              property_id: i % 400,
              availabilities: [
                { date: '2027-03-05', available: false },
                { date: '2027-03-06', available: false },
                { date: '2027-03-07', available: false },
              ],
              timestamp: '2026-11-20T12:00:00.000Z',
            }
          : {
              event: 'reservation_created',
              event_id: id,
              reservation_code: 'CH-' + id,
              stay_code: 'CH-' + id,
              property_id: 7,
              timestamp: '2026-11-20T12:00:00.000Z',
            },
      ),
    );
    const ts = Math.floor(Date.now() / 1000);
    return {
      body,
      headers: {
        'service-webhook-secret-token': secret,
        'webhook-id': id,
        'webhook-timestamp': String(ts),
        'webhook-signature': signWebhook(key, id, ts, body),
      },
    };
  });
}
async function run(n: number) {
  const events = make(n);
  const c0 = process.cpuUsage();
  const t0 = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < events.length) {
      const e = events[next++]!;
      await r.accept(e.body, e.headers);
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  const ms = performance.now() - t0;
  const cpu = process.cpuUsage(c0);
  return {
    n,
    perSec: Math.round((n / ms) * 1000),
    wallUs: ((ms * 1000) / n).toFixed(1),
    cpuUs: ((cpu.user + cpu.system) / n).toFixed(1),
    user: (cpu.user / n).toFixed(1),
    sys: (cpu.system / n).toFixed(1),
  };
}
const keep = setInterval(() => {}, 1000);
await run(20000);
for (let i = 0; i < 4; i++) console.log(await run(40000));
clearInterval(keep);
await store.close();
