import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, UsageError } from '../../kernel/errors.ts';

const OWNER_ONLY = 0o600;

/**
 * Writes a file so that it exists complete or not at all: under another name, synced, then renamed. Only its owner can
 * read it. @throws UsageError if it cannot be written there
 */
export function writeWhole(file: string, parts: Iterable<string>): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    const handle = openSync(draft, 'wx', OWNER_ONLY);
    try {
      for (const part of parts) writeSync(handle, part);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
    syncFolder(dirname(file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UsageError(`cannot write ${file}: ${messageOf(error)}`, 'name a file in a folder that is there', error);
  }
}

/** Syncs a folder, without which the new name may not survive a power failure. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
