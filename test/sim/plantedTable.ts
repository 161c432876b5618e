import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plant, type PlantedBug } from './planted.ts';

/** Of so many worlds of a regime, so many found a bug. */
export interface Share {
  regime: string;
  worlds: number;
  found: number;
}

/** A bug that fewer worlds find is as good as not found. */
const LEAST_SHARE = 0.05;
/** Worlds that each regime gets before it is known which of them finds a bug. */
const FIRST_WORLDS = 4;
/** And that it gets at a time afterwards. */
const FURTHER_WORLDS = 12;
/** Of a normal distribution, nineteen times in twenty. */
const Z = 1.96;

/** In how many worlds of each regime a bug shows; a regime that finds it is followed until its share is settled. */
export function sharesOf(bug: PlantedBug, regimes: readonly string[], from: number, most: number): Share[] {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-planted-'));
  try {
    plant(bug, folder);
    const shares = runIn(folder, regimes, from, Math.min(FIRST_WORLDS, most));
    // In portions: a process takes seconds to start.
    for (let next = mostPromising(shares, most); next; next = mostPromising(shares, most)) {
      const seeds = Math.min(FURTHER_WORLDS, most - next.worlds);
      const [more] = runIn(folder, [next.regime], from + next.worlds, seeds);
      next.worlds += more?.worlds ?? seeds;
      next.found += more?.found ?? 0;
    }
    return shares;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The regime to go on with: the one that finds most, or while none does, the one that has looked least. */
function mostPromising(shares: readonly Share[], most: number): Share | undefined {
  if (shares.some(isSettled)) return undefined;
  const [best] = shares
    .filter(({ worlds }) => worlds < most)
    .toSorted((a, b) => b.found / b.worlds - a.found / a.worlds || a.worlds - b.worlds);
  return best;
}

function runIn(folder: string, regimes: readonly string[], from: number, seeds: number): Share[] {
  const args = ['--regime', regimes.join(','), '--from', String(from), '--seeds', String(seeds), '--json'];
  const run = spawnSync(process.execPath, ['--import', 'tsx', 'test/sim/main.ts', ...args], { cwd: folder });
  const lines = run.stdout.toString().trim().split('\n');
  if (lines.length !== regimes.length) throw new Error(`worlds could not be run: ${run.stderr.toString()}`);
  return lines.map((line) => {
    const { name, worlds, failed } = JSON.parse(line) as { name: string; worlds: number; failed: number };
    return { regime: name, worlds, found: failed };
  });
}

/** Whether nineteen times in twenty the true share is not below what is asked (Wilson's interval). */
function isSettled({ worlds, found }: Share): boolean {
  const share = found / worlds;
  const spread = Z * Math.sqrt((share * (1 - share)) / worlds + Z ** 2 / (4 * worlds ** 2));
  return (share + Z ** 2 / (2 * worlds) - spread) / (1 + Z ** 2 / worlds) >= LEAST_SHARE;
}

export function isFound(shares: readonly Share[]): boolean {
  return shares.some(({ worlds, found }) => found / worlds >= LEAST_SHARE);
}
