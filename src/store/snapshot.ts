import Database from 'better-sqlite3';
import { makePrivateFile } from './sealing/privateFile.ts';

/** Pages (of 4 KiB) copied at a stretch; between two stretches others have their turn. */
const STRETCH_PAGES = 2_000;

/** One moment of a database, held while others go on writing. */
export interface Snapshot {
  /** Copies it, page by page, into a new file that only its owner can read. */
  copyTo(target: string, onProgress: (copied: number, total: number) => void): Promise<void>;
  release(): void;
}

/**
 * Holds a SQLite file as it is now, also while a service is writing to it. Meanwhile its -wal file can only grow,
 * so release it soon. Throws when there is no such file.
 */
export function holdSnapshot(file: string): Snapshot {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    // A transaction that has read is the moment; without it each stretch would begin anew after somebody's commit.
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
