import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inThread } from '../../../src/exports/run/thread.ts';
import { ownersBook } from '../../../test/exports/support/life.ts';
import { openLedger } from '../../../test/exports/support/ledger.ts';

/** What one run of a job cost, in a process of its own. */
export interface Cost {
  ms: number;
  /** Of the processor, all threads: the machine may be shared. */
  cpuMs: number;
  /** Highest resident memory of the process, in MB, and that before the run. */
  peakMb: number;
  idleMb: number;
  delay: { p99: number; max: number };
  entries: number;
  bytes: number;
  /** Of the files, in order. */
  digest: string;
}

/** Node's histogram holds the time from sample to sample, so an idle loop shows the period itself. */
const SAMPLE_MS = 10;
const [directory = '', job = '', year = ''] = process.argv.slice(2);
const world = await openLedger({
  settings: ownersBook,
  directory,
  now: `${Number(year) + 1}-02-01T10:00:00.000Z`,
  carryOut: inThread,
});
const idleMb = peak();
const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
delay.enable();
const begun = performance.now();
const used = process.cpuUsage();
const ran = await world.exports.run({ job, from: year, to: year }, () => {});
const ms = performance.now() - begun;
const { user, system } = process.cpuUsage(used);
delay.disable();
const cost: Cost = {
  ms,
  cpuMs: (user + system) / 1_000,
  peakMb: peak(),
  idleMb,
  delay: { p99: since(delay.percentile(99)), max: since(delay.max) },
  entries: ran.report.entries,
  bytes: ran.files.reduce((sum, file) => sum + file.bytes, 0),
  digest: createHash('sha256').update(JSON.stringify(ran.files)).digest('hex'),
};
await world.close();
process.stdout.write(`${JSON.stringify(cost)}\n`);

function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1_024;
}

function since(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e6 - SAMPLE_MS);
}
