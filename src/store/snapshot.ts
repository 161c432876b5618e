import Database from 'better-sqlite3';
import { makePrivateFile } from './sealing/privateFile.ts';

/** Pages (of 4 KiB) copied at a stretch; other work runs between two stretches. */
const STRETCH_PAGES = 2_000;

/** A database at one moment, held while others write. */
export interface Snapshot {
  /** Copies it, page by page, into a new file that only its owner can read. */
  copyTo(target: string, onProgress: (copied: number, total: number) => void): Promise<void>;
  release(): void;
}

/**
 * Holds the current state of a SQLite file, even while a service writes to it. Meanwhile its -wal file only grows, so
 * release it soon. Throws if there is no such file.
 */
export function holdSnapshot(file: string): Snapshot {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    // A transaction that has read fixes the moment; without it each stretch would restart after a commit of others.
    database.exec('begin');
    database.prepare('select count(*) from sqlite_schema').get();
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    async copyTo(target, onProgress) {
      makePrivateFile(target);
      await database.backup(target, {
        progress({ totalPages, remainingPages }) {
          onProgress(totalPages - remainingPages, totalPages);
          return STRETCH_PAGES;
        },
      });
    },
    release: () => database.close(),
  };
}
