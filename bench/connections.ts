import { startManyConnections, type Watched } from '../test/service/support/manyConnections.ts';
import { median } from './support/measure.ts';
import { absolute } from './support/outcome.ts';

/**
 * P17: many connections in one process, each to a small account, with a change in every account five times over. Staleness is
 * the time from the commit in the core to the commit in the mirror; of a connection, the median of its changes.
 */
const CONNECTIONS = Number(process.argv[2] ?? 200);
const ROUNDS = 5;
const PER_SECOND = 20;
const FIRST_READ_MS = 45 * 60_000;
const MOST_TIMES = 2;

const world = await startManyConnections(CONNECTIONS);
try {
  await world.connectAll(FIRST_READ_MS);
  const atRest = await world.needed();
  await world.change(ROUNDS, PER_SECOND);
  await world.settled();
  const watched = await world.watched();
  const needed = await world.needed();
  const stale = watched.map(({ delaysMs }) => median(delaysMs));
  const worst = watched.map(({ delaysMs }) => delaysMs.at(-1) ?? Number.NaN);
  const reads = watched.map(({ firstReadS }) => firstReadS);
  const missing = watched.reduce((sum, one) => sum + one.missing, 0);
  const slowest = Math.max(...stale);
  line('first read, s', reads);
  line('staleness of a connection, ms', stale);
  line('its longest, ms', worst);
  process.stdout.write(
    `memory ${mb(atRest.residentMb)} at rest, ${mb(needed.residentMb)} after the changes (heap ${mb(needed.heapMb)}); event loop p50 ${ms(needed.loopP50Ms)}, p99 ${ms(needed.loopP99Ms)}; processor ${Math.round(needed.cpuS)} s\n`,
  );
  process.stdout.write(`slowest: ${slowestOf(watched)}\n`);
  process.stdout.write(
    `${absolute(
      `P17 ${CONNECTIONS} connections, ${PER_SECOND} changes/s`,
      {
        ours: `slowest connection ${ms(slowest)}, median ${ms(median(stale))}, ${missing} of ${CONNECTIONS * ROUNDS} not seen`,
        goal: `slowest at most ${MOST_TIMES} × the median`,
      },
      missing === 0 && slowest <= MOST_TIMES * median(stale),
    )}\n`,
  );
} finally {
  await world.remove();
}

function line(what: string, values: readonly number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  process.stdout.write(`${what}: least ${at(0)}, median ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}\n`);
}

function slowestOf(watched: readonly Watched[]): string {
  return watched
    .toSorted((a, b) => median(b.delaysMs) - median(a.delaysMs))
    .slice(0, 5)
    .map(({ connection, delaysMs }) => `${connection} ${ms(median(delaysMs))}`)
    .join(', ');
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function mb(value: number): string {
  return `${value.toFixed(0)} MB`;
}
