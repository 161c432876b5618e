import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import fastify from 'fastify';
import { serveHooks } from '../../src/api/http/hooks.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { openStore } from '../../src/store/store.ts';
import { openMeter } from '../../src/sync/trust/measures/meter.ts';
import { openReadNumbers } from '../../src/sync/queue/readNumbers.ts';
import { receiver } from '../../src/sync/ingest/receive.ts';
import type { Mirror } from '../../src/sync/tables/database.ts';

/**
 * The way in, alone: the receiver of the built program, its store and its door, and nothing that reads what came. It
 * loads all it needs, waits for the name of a database, and says on which port it receives. It is started hundreds of
 * times a minute.
 */
const lines = createInterface({ input: process.stdin });
console.log('loaded');
const file = await new Promise<string>((resolve) => lines.once('line', resolve));
const store = await openStore<Mirror>({ kind: 'sqlite', file });
const receive = receiver({
  store,
  connection: 'upstream',
  meter: openMeter({ store, connection: 'upstream', clock: systemClock }),
  numbers: await openReadNumbers(store, systemClock),
  clock: systemClock,
  verify: () => 'proven',
  onRefused: () => {},
  onMarked: () => {},
  onFailure: () => {},
  onRevoked: () => Promise.resolve(),
});
const app = fastify();
serveHooks(app, (_, body, headers) => receive.accept(body, headers));
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`port ${(app.server.address() as AddressInfo).port}`);
