import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { formats } from '../../../src/exports/formats/index.ts';
import { openLedger } from '../../../test/exports/support/ledger.ts';
import { ownersBook } from '../../../test/exports/support/life.ts';
import { fillLedger } from '../../../test/exports/support/fillLedger.ts';
import type { Cost, KEEP } from './oneRun.ts';

const run = promisify(execFile);
const ONE_RUN = fileURLToPath(new URL('./oneRun.ts', import.meta.url));
const YEAR = '2026';
/** Goals: of P8 (linear, flat) and P9 (the loop). */
const GOAL = { linear: 1.3, flatMb: 16, p99: 20, max: 200 };
/** Where no account needs a code. */
const FORMATS = formats.filter(({ needs }) => needs?.key !== 'code').map(({ name }) => name);
const KEPT: typeof KEEP = 'keep';

/**
 * P8 and P9 for the books: every format over a year of 10,000 entries, 100,000 and so on, each in a process of its own.
 * Time an entry and memory are held against the size before.
 */
export async function proveGrowth(most: number, say: (line: string) => void): Promise<void> {
  const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= most);
  const before = new Map<string, Cost>();
  let slowest = { p99: 0, max: 0, what: '' };
  const idle = { p99: 0, max: 0 };
  for (const size of sizes) {
    const directory = mkdtempSync(join(tmpdir(), 'stayd-prove-books-'));
    try {
      const begun = performance.now();
      const world = await openLedger({ settings: ownersBook, directory });
      await fillLedger(world.store, size);
      await world.close();
      say(`- books, ${count(size)} entries: ledger filled in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
      for (const name of [...FORMATS, KEPT]) {
        const cost = await costOf(directory, name);
        const again = size === sizes[0] || name === KEPT ? await costOf(directory, name) : undefined;
        if (name === KEPT && again) say(`- books, ${count(size)} entries, kept already: ${figures(again)}`);
        if (again && again.digest !== cost.digest) throw new Error(`${name}: the second run gave other bytes`);
        say(`- books, ${count(size)} entries, ${name}: ${figures(cost)}${compared(cost, before.get(name))}`);
        idle.p99 = Math.max(idle.p99, cost.idleDelay.p99);
        idle.max = Math.max(idle.max, cost.idleDelay.max);
        if (cost.delay.max > slowest.max) {
          slowest = { p99: slowest.p99, max: cost.delay.max, what: `${name} at ${count(size)}` };
        }
        slowest.p99 = Math.max(slowest.p99, cost.delay.p99);
        before.set(name, cost);
      }
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  say(
    `- books, event-loop delay while exports ran: p99 ${ms(slowest.p99)} at most (goal < ${GOAL.p99}: ${verdict(slowest.p99 < GOAL.p99)}), max ${ms(slowest.max)}, ${slowest.what} (goal < ${GOAL.max}: ${verdict(slowest.max < GOAL.max)}); of idle processes beside them p99 ${ms(idle.p99)}, max ${ms(idle.max)}`,
  );
}

export async function costOf(directory: string, job: string, period = YEAR): Promise<Cost> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', ONE_RUN, directory, job, period], {
    maxBuffer: 1 << 20,
  });
  return JSON.parse(stdout) as Cost;
}

export function figures({ ms: time, cpuMs, entries, bytes, peakMb, idleMb, delay, idleDelay }: Cost): string {
  const microseconds = (cpuMs * 1_000) / entries;
  return `${(time / 1_000).toFixed(1)} s, ${microseconds.toFixed(0)} µs of CPU an entry, ${(bytes / 1e6).toFixed(1)} MB, memory ${peakMb.toFixed(0)} MB at most (${idleMb.toFixed(0)} before), delay of the loop p99 ${ms(delay.p99)}, max ${ms(delay.max)} (an idle process beside it: ${ms(idleDelay.p99)}, ${ms(idleDelay.max)})`;
}

function compared(cost: Cost, before: Cost | undefined): string {
  if (!before) return '';
  const ratio = cost.cpuMs / cost.entries / (before.cpuMs / before.entries);
  const more = cost.peakMb - before.peakMb;
  return `; ${ratio.toFixed(2)} × the CPU an entry of a tenth (goal ${GOAL.linear}: ${verdict(ratio <= GOAL.linear)}), ${more.toFixed(0)} MB more (goal ${GOAL.flatMb}: ${verdict(more <= GOAL.flatMb)})`;
}

function verdict(met: boolean): string {
  return met ? 'met' : 'missed';
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
