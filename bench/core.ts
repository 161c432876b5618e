import { startBenchCore } from './support/core.ts';
import { measureRead } from './support/reading.ts';
import { readsOf } from './support/reads.ts';

/**
 * P4: the ten busiest reads of a core through hooks, authentication, limits and envelope, at the size of the real data
 * set; for the kinds of rows that the real data have, see full.ts.
 */
const SIZE = { properties: 423, reservations: 118_564, listings: 10 };

const only = process.argv[2];
const core = await startBenchCore(SIZE);
const first = await core.ask('/v3/reservations?start_check_out_date=2000-01-01&limit=1');
const [, code = ''] = /"reservation_code":"([^"]+)"/.exec(first) ?? [];
const source = { url: core.url, token: core.token, pid: process.pid };
for (const [name, read] of Object.entries(readsOf({ ...core, code }))) {
  if (only === undefined || only === name) process.stdout.write(`${await measureRead(source, read)}\n`);
}
await core.close();
