import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { OWNER_ONLY_DIRECTORY } from './privateFile.ts';

/**
 * Creates a folder and its missing parents, for their owner alone. (`mkdirSync` with `recursive` never returns on Node
 * 20 if a parent exists in which no folder can be created, as in `/proc`.)
 * @throws the error of the file system with the reason
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = resolve(folder); !isFolder(at); at = dirname(at)) missing.push(at);
  for (const one of missing.toReversed()) makeOne(one);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: OWNER_ONLY_DIRECTORY });
  } catch (error) {
    // Another process was faster.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
