import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';
import { listingById, type ReachableListing } from './table.ts';

/** The listing a task is for, with what decides whether its channel can be asked. */
export function listingToPush(db: CoreDb, accountId: AccountId, id: number): Promise<ReachableListing | undefined> {
  return listingById(db, accountId, id);
}
