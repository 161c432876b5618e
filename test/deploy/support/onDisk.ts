import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/kernel/program/packageRoot.ts';

/** Makes a folder on a disk: the tests' own folder is in memory, where the dependencies are too large. */
export function onDisk(name: string): string {
  return mkdtempSync(join('/var/tmp', `stayd-${name}-`));
}

/** Gives a folder the dependencies of this checkout: by links where that is the same disk, else by copies. */
export function copyModules(folder: string): void {
  const from = join(packageRoot(), 'node_modules');
  const to = join(folder, 'node_modules');
  if (spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0) {
    // What is written to must be no link.
    for (const name of ['.stayd-stamp', '.package-lock.json']) {
      rmSync(join(to, name), { force: true });
      if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name));
    }
    return;
  }
  const { status, stderr } = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.slice(0, 1_000));
}
