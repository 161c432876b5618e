import { rmSync } from 'node:fs';
import { type DialectName, simProfile } from './dialects.ts';
import { ENUMERATED, LONG, type Regime, REGIMES } from './regimes.ts';
import { makeTemplates, type Templates } from './templates.ts';
import { type Outcome, runWorld } from './world.ts';

export interface WorldsRun {
  worlds: number;
  /** Those in which something was wrong; of the others nothing is kept, so that there may be thousands. */
  failed: readonly Outcome[];
  /** How often each kind of thing happened in all worlds together. */
  counts: ReadonlyMap<string, number>;
}

interface RunOptions {
  from: number;
  seeds: number;
  /** Left out: as described. */
  dialect?: DialectName;
  /** Whether a world ends at the first thing that is found wrong in it. */
  hasty?: boolean;
  onOutcome?: (outcome: Outcome) => void;
}

/** Runs a regime, or crash after crash of one run, and sums up. */
export async function runWorlds(name: string, options: RunOptions): Promise<WorldsRun> {
  const templates = await makeTemplates();
  const { hasty = false, dialect = 'described' } = options;
  const profile = simProfile(dialect);
  const failed: Outcome[] = [];
  const counts = new Map<string, number>();
  let worlds = 0;
  const add = (outcome: Outcome) => {
    worlds += 1;
    if (outcome.problems.length > 0) failed.push(outcome);
    for (const [kind, count] of outcome.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
    options.onOutcome?.(outcome);
  };
  try {
    const regime = [...Object.values<Regime>(REGIMES), LONG].find((one) => one.name === name);
    if (regime) for (const seed of range(options)) add(await runWorld(seed, regime, { templates, profile, hasty }));
    else
      for (const point of await pointsOf(options, templates)) {
        add(await runWorld(options.from, ENUMERATED, { templates, profile, hasty, crashAt: point }));
      }
  } finally {
    rmSync(templates.folder, { recursive: true });
  }
  return { worlds, failed, counts };
}

function range({ from, seeds }: RunOptions): number[] {
  return Array.from({ length: seeds }, (_, index) => from + index);
}

/** So many of the crash points of one run, evenly spread; as many as there are when more are asked for. */
async function pointsOf({ from, seeds, dialect = 'described' }: RunOptions, templates: Templates) {
  const profile = simProfile(dialect);
  const { points } = await runWorld(from, ENUMERATED, { templates, profile, crashAt: Number.POSITIVE_INFINITY });
  const count = Math.min(seeds, points);
  return Array.from({ length: count }, (_, index) => 1 + Math.floor((index * points) / count));
}

/** What went wrong in the worlds that failed, and how to see it again. */
export function reportOf(failed: readonly Outcome[], dialect: DialectName = 'described'): string {
  return failed
    .map(({ regime, seed, crashAt, problems }) => {
      const at = crashAt === undefined ? '' : ` --crash-at ${crashAt}`;
      return `${regime}: npm run sim -- --trace --regime ${regime} --dialect ${dialect} --from ${seed}${at}\n  ${problems.join('\n  ')}`;
    })
    .join('\n');
}

const ON_THE_WAY = [
  'fault refused',
  'fault cut',
  'fault proxy page',
  'fault odd code',
  'fault limited',
  'post answer lost',
];

/** Faults that must have happened in a set of worlds, or it has proven little. */
export const SOMETIMES: Readonly<Record<string, readonly string[]>> = {
  R1: [...ON_THE_WAY, 'killed', 'core ended', 'core gone'],
  R2: ON_THE_WAY,
  R3: [...ON_THE_WAY, 'killed'],
  R4: ['killed'],
  R5: ['core ended', 'core gone'],
  R6: ['stopped'],
  R7: ['stopped'],
};
