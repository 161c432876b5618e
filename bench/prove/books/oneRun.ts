import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inThread } from '../../../src/exports/run/thread.ts';
import { ownersBook } from '../../../test/exports/support/life.ts';
import { type LedgerWorld, openLedger } from '../../../test/exports/support/ledger.ts';
import { type Delay, watchLoop } from './loopDelay.ts';

/** What one run of a job cost, or the keeping of the books, in a process of its own. */
export interface Cost {
  ms: number;
  /** Of the processor, all threads: the machine may be shared. */
  cpuMs: number;
  /** Highest resident memory of the process, in MB, and that before the run. */
  peakMb: number;
  idleMb: number;
  /** Of this process, and of an idle one beside it. */
  delay: Delay;
  idleDelay: Delay;
  entries: number;
  bytes: number;
  /** Of the files, in order. */
  digest: string;
}

/** In place of a job: the books are kept as rows. */
export const KEEP = 'keep';

const [directory = '', job = '', year = ''] = process.argv.slice(2);
const world = await openLedger({
  settings: ownersBook,
  directory,
  now: `${Number(year) + 1}-02-01T10:00:00.000Z`,
  carryOut: inThread,
});
const idleMb = peak();
const loop = watchLoop();
const begun = performance.now();
const used = process.cpuUsage();
const { entries, files } = await (job === KEEP ? kept(world) : written(world));
const ms = performance.now() - begun;
const { user, system } = process.cpuUsage(used);
const { own, idle } = await loop.end();
const cost: Cost = {
  ms,
  cpuMs: (user + system) / 1_000,
  peakMb: peak(),
  idleMb,
  delay: own,
  idleDelay: idle,
  entries,
  bytes: files.reduce((sum, file) => sum + file.bytes, 0),
  digest: createHash('sha256').update(JSON.stringify(files)).digest('hex'),
};
await world.close();
process.stdout.write(`${JSON.stringify(cost)}\n`);

async function written({ exports }: LedgerWorld) {
  const { report, files } = await exports.run({ job, from: year, to: year }, () => {});
  return { entries: report.entries, files };
}

async function kept({ exports }: LedgerWorld) {
  const { entries } = await exports.book(undefined, () => {});
  return { entries, files: [] };
}

function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1_024;
}
