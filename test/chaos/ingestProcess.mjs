import { createInterface } from 'node:readline';
import fastify from 'fastify';
import { serveHooks } from '../../dist/src/api/http/hooks.js';
import { systemClock } from '../../dist/src/kernel/clock.js';
import { openStore } from '../../dist/src/store/store.js';
import { openMeter } from '../../dist/src/sync/trust/measures/meter.js';
import { openReadNumbers } from '../../dist/src/sync/queue/readNumbers.js';
import { receiver } from '../../dist/src/sync/ingest/receive.js';

/**
 * The way in, alone: the receiver of the built program, its store and its door, and nothing that reads what came. It
 * loads all it needs, waits for the name of a database, and says on which port it receives. Plain JavaScript, since
 * it is started hundreds of times a minute.
 */
const lines = createInterface({ input: process.stdin });
console.log('loaded');
const file = await new Promise((resolve) => lines.once('line', resolve));
const store = await openStore({ kind: 'sqlite', file });
const receive = receiver({
  store,
  connection: 'upstream',
  meter: openMeter({ store, connection: 'upstream', clock: systemClock }),
  numbers: await openReadNumbers(store),
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
console.log(`port ${app.server.address().port}`);
