import { chmodSync, closeSync, createReadStream, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { turn } from '../kernel/clock.ts';

const READ_ONLY = 0o400;
/** Number of files after which the event loop turns; a journal may have thousands. */
const FILES_AT_ONCE = 50;

/** A file as the manifest lists it. */
export interface NamedFile {
  readonly name: string;
  readonly sha256: string;
}

/** Returns the path of a file's draft. */
function draftOf(folder: string, name: string): string {
  return join(folder, `.${name}.draft`);
}

/**
 * Gives synced drafts their final names, the manifest last: once it is there, everything is. Files in place stay. Can
 * be repeated after a crash.
 * @returns names of files that are neither in place nor present as a draft
 */
export async function placeFiles(folder: string, files: readonly NamedFile[]): Promise<string[]> {
  const missing: string[] = [];
  for (const [index, { name, sha256 }] of files.entries()) {
    if (index % FILES_AT_ONCE === 0) await turn();
    const [draft, file] = [draftOf(folder, name), join(folder, name)];
    if (existsSync(draft)) {
      chmodSync(draft, READ_ONLY);
      renameSync(draft, file);
    } else if (!existsSync(file) || (await sha256Of(file)) !== sha256) missing.push(name);
  }
  syncFolder(folder);
  return missing;
}

/** Removes the drafts of files. */
export async function removeDrafts(folder: string, files: readonly Pick<NamedFile, 'name'>[]): Promise<void> {
  for (const [index, { name }] of files.entries()) {
    if (index % FILES_AT_ONCE === 0) await turn();
    rmSync(draftOf(folder, name), { force: true });
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Syncs a folder; only then do new names survive a power failure. */
function syncFolder(folder: string): void {
  const handle = openSync(existsSync(folder) ? folder : dirname(folder), 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
