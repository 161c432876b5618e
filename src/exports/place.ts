import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';

const READ_ONLY = 0o400;

/** A file as a manifest has it. */
export interface NamedFile {
  readonly name: string;
  readonly sha256: string;
}

/** Where the draft of a file lies. */
export function draftOf(folder: string, name: string): string {
  return join(folder, `.${name}.draft`);
}

/**
 * Gives synced drafts their own names, the manifest last: where that is, everything is. Those that are in place
 * already stay. Can be done again after a crash.
 * @returns names of files that are neither in place nor there as a draft
 */
export function placeFiles(folder: string, files: readonly NamedFile[]): string[] {
  const missing: string[] = [];
  for (const { name, sha256 } of files) {
    const [draft, file] = [draftOf(folder, name), join(folder, name)];
    if (existsSync(draft)) {
      chmodSync(draft, READ_ONLY);
      renameSync(draft, file);
    } else if (!existsSync(file) || sha256Of(file) !== sha256) missing.push(name);
  }
  syncFolder(folder);
  return missing;
}

export function removeDrafts(folder: string, files: readonly Pick<NamedFile, 'name'>[]): void {
  for (const { name } of files) rmSync(draftOf(folder, name), { force: true });
}

export function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Only then do the names outlast a power failure. */
function syncFolder(folder: string): void {
  const handle = openSync(existsSync(folder) ? folder : dirname(folder), 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
