import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';
import { listingById, type ReachableListing } from './table.ts';

/** Returns the listing of a task, with the fields that decide whether its channel can be asked. */
export function listingToPush(db: CoreDb, accountId: AccountId, id: number): Promise<ReachableListing | undefined> {
  return listingById(db, accountId, id);
}
