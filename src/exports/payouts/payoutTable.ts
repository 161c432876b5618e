import type { Instant } from '../../kernel/dates.ts';
import { insertMany } from '../../store/insertMany.ts';
import type { MirrorStore } from '../../sync/database.ts';
import type { MatchedLine } from './matchFile.ts';

/** What its entries are found by; no booking has such a code. */
export function groupCodeOf(payoutId: string): string {
  return `payout:${payoutId}`;
}

/** Stores payouts, each whole or not at all. One that is there already, and one of whose postings another has taken, stays out. */
export async function storePayouts(
  store: MirrorStore,
  { connection, bank, at }: { connection: string; bank: string; at: Instant },
  matches: readonly MatchedLine[],
): Promise<number> {
  let stored = 0;
  for (const match of matches) {
    const { id, date, amount, currency, account, by, postings } = match;
    const wasStored = await store.transaction(async (trx) => {
      const row = { connection, payout_id: id, group_code: groupCodeOf(id), date, bank, account, currency };
      const inserted = await insertMany(
        trx,
        'payouts',
        [{ ...row, amount_minor: amount, matched_by: by, matched_at: at }],
        { columns: ['connection', 'payout_id'] },
      );
      if (inserted === 0) return false;
      // Without a conflict clause a posting that is taken ends the transaction.
      await insertMany(
        trx,
        'payout_postings',
        postings.map((one) => ({
          connection,
          entry_id: one.entryId,
          posting: one.posting,
          payout_id: id,
          reservation_code: one.reservation,
          amount_minor: one.amount,
        })),
      );
      return true;
    });
    if (wasStored) stored += 1;
  }
  return stored;
}
