import type { MirrorDb } from '../../sync/tables/database.ts';
import { usualConnection } from '../accounts/account.ts';
import type { Job } from './jobs.ts';

/** Returns the connection whose books alone a job takes: a target was set up for one account. null: any. */
export async function meantFor(db: MirrorDb, { connection, url, folder }: Job): Promise<string | null> {
  if (connection !== null) return connection;
  return url !== null || folder !== null ? await usualConnection(db) : null;
}
