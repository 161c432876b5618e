import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb } from '../database.ts';
import { grouped } from '../grouped.ts';
import { defaultTagById } from './rules.ts';
import { stayTagRows } from './table.ts';

/** Returns the names of each stay's tags, oldest tag first. */
export async function tagNamesOfStays(
  db: CoreDb,
  accountId: AccountId,
  stayIds: readonly number[],
): Promise<Map<number, string[]>> {
  return grouped(
    await stayTagRows(db, { accountId, ids: stayIds }),
    (row) => row.stay_id,
    (row) => row.tag_name ?? defaultTagById(row.tag_id)?.tag_name ?? '',
  );
}
