import { bareServer } from './support/bare.ts';
import { startBenchCore } from './support/core.ts';
import { alternate, median, sendLoad, verdict } from './support/measure.ts';
import { type Read, readsOf } from './support/reads.ts';

/**
 * P4: the ten busiest reads of a core through hooks, authentication, limits and envelope, each against a bare fastify
 * that joins the same bytes from SQLite rows.
 */
const ROUNDS = 5;
const SECONDS = 1;
const WARM_UP_SECONDS = 0.5;
const CONNECTIONS = 20;
const SIZE = { properties: 50, reservations: 5_000, listings: 10 };

const only = process.argv[2];
const core = await startBenchCore(SIZE);
const first = await core.ask('/v3/reservations?start_check_out_date=2000-01-01&limit=1');
const [, code = ''] = /"reservation_code":"([^"]+)"/.exec(first) ?? [];
const reads = readsOf({ ...core, code });
for (const [name, read] of Object.entries(reads)) {
  if (only === undefined || only === name) await measure(read);
}
await core.close();

async function measure({ what, path, goal, body, days }: Read): Promise<void> {
  const bare = await bareServer(await core.ask(path, body), days);
  // Of this process, which serves both: what a busy machine spoils least.
  const cpu: Record<string, number[]> = {};
  const run = async (url: string) => {
    const before = process.cpuUsage();
    const result = await sendLoad({
      url,
      method: body ? 'POST' : 'GET',
      headers: { 'service-access-token': core.token, ...(body && { 'content-type': 'application/json' }) },
      bodies: [],
      ...(body && { body: JSON.stringify(body) }),
      connections: CONNECTIONS,
      seconds: SECONDS,
      warmUpSeconds: WARM_UP_SECONDS,
    });
    if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
    const { user, system } = process.cpuUsage(before);
    (cpu[url] ??= []).push((user + system) / result.answered);
    return result.perSecond;
  };
  const result = await alternate(
    ROUNDS,
    () => run(bare.url),
    () => run(`${core.url}${path}`),
  );
  const [floor, ours] = [bare.url, `${core.url}${path}`].map((url) => median(cpu[url] ?? []).toFixed(0));
  process.stdout.write(`${verdict(`P4 ${what}`, goal, result, '/s')}; CPU ${ours} µs, floor ${floor} µs\n`);
  await bare.close();
}
