import { chmodSync, closeSync, openSync } from 'node:fs';

export const OWNER_ONLY_FILE = 0o600;
export const OWNER_ONLY_DIRECTORY = 0o700;

/**
 * Makes the file if it is missing and leaves it readable by its owner alone, whatever the umask.
 * A file that exists is never opened here: closing any descriptor of a file drops all POSIX locks this
 * process holds on it, SQLite's among them.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY_FILE));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  chmodSync(path, OWNER_ONLY_FILE);
}
