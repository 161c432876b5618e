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
  // An end by a signal leaves nothing behind either, as far as that can be done at once.
  const atExit = () => undo.toReversed().forEach((step) => void step());
  process.once('exit', atExit);
  try {
    return await scenario.run(course);
  } finally {
    process.off('exit', atExit);
    for (const step of undo.toReversed()) await step();
  }
}

const HAS: Record<Need, () => boolean> = {
  root: () => process.getuid?.() === 0,
  strace: () => isInstalled('strace'),
  postgres: () => findPostgres() !== undefined,
  haproxy: () => isInstalled('haproxy'),
  patroni: () => ['patroni', 'etcd'].every(isInstalled),
  namespaces: () => isInstalled('ip'),
};

/** Where Debian puts servers is not always in the path of a user. */
function isInstalled(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** What this machine lacks for a scenario. */
export function lacking({ needs = [] }: Scenario): Need[] {
  return needs.filter((need) => !HAS[need]());
}
