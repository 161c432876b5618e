import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { seededDice } from '../../src/kernel/seeded.ts';
import { findPostgres } from '../support/postgres.ts';
import type { Course, Need, Scenario, Verdict } from './scenario.ts';

export interface CourseOptions {
  count?: number | undefined;
  seconds?: number | undefined;
  seed?: number | undefined;
  say?: ((line: string) => void) | undefined;
}

/** Runs one scenario, and undoes what it has set up. */
export async function runScenario(
  scenario: Scenario,
  { count, seconds, seed = 1, say = () => {} }: CourseOptions = {},
): Promise<Verdict[]> {
  const undo: (() => unknown)[] = [];
  const course: Course = {
    count,
    seconds,
    say,
    dice: seededDice(seed),
    atEnd: (step) => void undo.push(step),
    folder() {
      const folder = mkdtempSync(join(tmpdir(), `stayd-chaos-${scenario.name}-`));
      undo.push(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
  };
  try {
    return await scenario.run(course);
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

const HAS: Record<Need, () => boolean> = {
  root: () => process.getuid?.() === 0,
  strace: () => (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'strace'))),
  postgres: () => findPostgres() !== undefined,
};

/** What this machine lacks for a scenario. */
export function lacking({ needs = [] }: Scenario): Need[] {
  return needs.filter((need) => !HAS[need]());
}
