import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { planting, type PlantedBug } from './planted.ts';

/** Of so many worlds of a regime, so many found a bug. */
export interface Share {
  regime: string;
  worlds: number;
  found: number;
  /** Seconds that they took together. */
  seconds: number;
}

/** A bug that fewer worlds find is as good as not found. */
const LEAST_SHARE = 0.05;
/** Worlds that each regime gets before it is known which of them finds a bug. */
const FIRST_WORLDS = 4;
/** And that it gets at a time while none does. */
const FURTHER_WORLDS = 12;

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/**
 * In how many worlds of each regime a bug shows. All regimes get a few worlds, and the one that finds it most often gets
 * `most`; should that be too seldom there, the next one does.
 */
export function sharesOf(bug: PlantedBug, regimes: readonly string[], from: number, most: number): Share[] {
  const first = regimes.length === 1 ? most : Math.min(FIRST_WORLDS, most);
  const shares = runWith(bug, regimes, from, first);
  // In portions: a process takes seconds to start.
  for (let next = mostPromising(shares, most); next; next = mostPromising(shares, most)) {
    const left = most - next.worlds;
    const seeds = next.found > 0 ? left : Math.min(FURTHER_WORLDS, left);
    const [more] = runWith(bug, [next.regime], from + next.worlds, seeds);
    next.worlds += more?.worlds ?? seeds;
    next.found += more?.found ?? 0;
    next.seconds += more?.seconds ?? 0;
  }
  return shares;
}

/** The regime to go on with: the one that finds most, of those the quickest; while none does, the one that has looked least. */
function mostPromising(shares: readonly Share[], most: number): Share | undefined {
  if (shares.some((share) => share.worlds >= most && isOften(share))) return undefined;
  const left = shares.filter(({ worlds }) => worlds < most);
  const found = left.filter(isOften);
  const paceOf = ({ worlds, seconds }: Share) => seconds / worlds;
  if (found.length > 0) {
    return found.toSorted((a, b) => b.found / b.worlds - a.found / a.worlds || paceOf(a) - paceOf(b))[0];
  }
  return left.toSorted((a, b) => a.worlds - b.worlds || paceOf(a) - paceOf(b))[0];
}

function runWith(bug: PlantedBug, regimes: readonly string[], from: number, seeds: number): Share[] {
  const worlds = [
    '--regime',
    regimes.join(','),
    '--dialect',
    'described',
    '--from',
    String(from),
    '--seeds',
    String(seeds),
  ];
  const args = ['--import', planting(bug), '--import', 'tsx', MAIN, ...worlds, '--hasty', '--json'];
  const run = spawnSync(process.execPath, args);
  const lines = run.stdout.toString().trim().split('\n');
  if (lines.length !== regimes.length) throw new Error(`worlds could not be run: ${run.stderr.toString()}`);
  return lines.map((line) => {
    const { name, worlds, failed, seconds } = JSON.parse(line) as Record<string, number> & { name: string };
    return { regime: name, worlds: Number(worlds), found: Number(failed), seconds: Number(seconds) };
  });
}

function isOften({ worlds, found }: Share): boolean {
  return found / worlds >= LEAST_SHARE;
}

export function isFound(shares: readonly Share[]): boolean {
  return shares.some(isOften);
}
