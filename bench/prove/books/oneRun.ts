import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inThread } from '../../../src/exports/run/thread.ts';
import { ownersBook } from '../../../test/exports/support/life.ts';
import { type LedgerWorld, openLedger } from '../../../test/exports/support/ledger.ts';
import { type Delay, watchLoop } from './loopDelay.ts';

/** What one run of a job cost, or the keeping, closing or checking of the books, in a process of its own. */
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
/** In place of a job: the month and all before it are closed. */
const CLOSE = 'close';
/** In place of a job: what is sealed is recomputed. */
const VERIFY = 'verify';

/** `period`: a year, or a month of it. */
const [directory = '', job = '', period = ''] = process.argv.slice(2);
const world = await openLedger({
  settings: ownersBook,
  directory,
  now: `${Number(period.slice(0, 4)) + 1}-02-01T10:00:00.000Z`,
  carryOut: inThread,
});
const idleMb = peak();
const loop = watchLoop();
const begun = performance.now();
const used = process.cpuUsage();
const work: Readonly<Record<string, typeof written>> = { [KEEP]: kept, [CLOSE]: closed, [VERIFY]: verified };
const { entries, files } = await (work[job] ?? written)(world);
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
  const { report, files } = await exports.run({ job, from: period, to: period }, () => {});
  return { entries: report.entries, files };
}

async function kept({ exports }: LedgerWorld): ReturnType<typeof written> {
  const { entries } = await exports.book(undefined, () => {});
  return { entries, files: [] };
}

async function closed({ exports }: LedgerWorld): ReturnType<typeof written> {
  const { closed: months } = await exports.close({ period, soft: false }, () => {});
  return { entries: months.reduce((sum, month) => sum + month.entries, 0), files: [] };
}

async function verified({ exports }: LedgerWorld): ReturnType<typeof written> {
  const { books } = await exports.verify(undefined, () => {});
  return { entries: books.entries, files: [] };
}

function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1_024;
}
