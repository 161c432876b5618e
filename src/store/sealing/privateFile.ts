import { chmodSync, closeSync, openSync } from 'node:fs';

export const OWNER_ONLY_FILE = 0o600;
export const OWNER_ONLY_DIRECTORY = 0o700;

/**
 * Creates a missing file and makes it readable by its owner alone, whatever the umask. An existing file is never opened
 * here: closing any descriptor of a file drops all POSIX locks that this process holds on it, SQLite's among them.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY_FILE));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  chmodSync(path, OWNER_ONLY_FILE);
}
