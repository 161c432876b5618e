import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../../store/sealing/makeFolder.ts';
import { OWNER_ONLY_FILE } from '../../../store/sealing/privateFile.ts';
import { flush } from '../backup.ts';

/** Where backups lie. Every method throws an error with what the place says. */
export interface BackupPlace {
  /** The place, for people. */
  readonly name: string;
  /** Returns the names of all files there. */
  list(): Promise<string[]>;
  /** Stores a finished file under a name, completely or not at all, and takes the file away. */
  store(file: string, name: string): Promise<void>;
  /** Fetches a file. */
  fetch(name: string, file: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Backups in a folder, of this disk or a mounted one. */
export function folderPlace(given: string): BackupPlace {
  const folder = resolve(given);
  return {
    name: folder,
    list: async () => (existsSync(folder) ? readdirSync(folder) : []),
    async store(file, name) {
      makeFolder(folder);
      const partial = join(folder, `${name}.partial`);
      // The folder may lie on another disk.
      await copyFile(file, partial);
      await chmod(partial, OWNER_ONLY_FILE);
      await flush(partial);
      renameSync(partial, join(folder, name));
      await flush(folder);
      rmSync(file);
    },
    fetch: (name, file) => copyFile(join(folder, name), file),
    remove: async (name) => rmSync(join(folder, name), { force: true }),
  };
}
