import type { Instant } from '../../kernel/dates.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { MirrorDb, MirrorStore, MirrorTrx } from '../../sync/tables/database.ts';
import type { MatchedLine } from './matchFile.ts';

/** Returns the group code of a payout's entries; no reservation has such a code. */
function groupCodeOf(payoutId: string): string {
  return `payout:${payoutId}`;
}

/**
 * Stores payouts, each completely or not at all, and returns their number. Leaves out a payout that is stored already.
 * A posting that another payout has taken ends the transaction.
 */
export async function storePayouts(
  store: MirrorStore,
  { connection, bank, at }: { connection: string; bank: string; at: Instant },
  matches: readonly MatchedLine[],
): Promise<number> {
  let stored = 0;
  for (const match of matches) {
    const { id, date, amount, currency, account, by, postings } = match;
    const wasStored = await store.transaction(async (trx) => {
      await forgetUndone(trx, connection, id);
      const row = { connection, payout_id: id, group_code: groupCodeOf(id), date, bank, account, currency };
      const inserted = await insertMany(
        trx,
        'payouts',
        [{ ...row, amount_minor: amount, matched_by: by, matched_at: at }],
        { columns: ['connection', 'payout_id'] },
      );
      if (inserted === 0) return false;
      // Without a conflict clause, a posting that is taken ends the transaction.
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

/** Deletes a reversed payout, so its line can be matched again. */
async function forgetUndone(trx: MirrorTrx, connection: string, payoutId: string): Promise<void> {
  await trx
    .deleteFrom('payouts')
    .where('connection', '=', connection)
    .where('payout_id', '=', payoutId)
    .where('undone_at', 'is not', null)
    .execute();
}

/** Returns the payouts whose id equals this text or begins with it. */
export function payoutsNamed(db: MirrorDb, connection: string, name: string) {
  return db
    .selectFrom('payouts')
    .selectAll()
    .where('connection', '=', connection)
    .where('payout_id', '>=', name)
    .where('payout_id', '<', `${name}\u{10FFFF}`)
    .orderBy('payout_id')
    .limit(2)
    .execute();
}

/** Releases the postings of a payout. The payout itself stays, as proof that a sealed entry of it was reversed. */
export async function undoPayout(
  store: MirrorStore,
  { connection, payoutId, at, reason }: { connection: string; payoutId: string; at: Instant; reason: string | null },
): Promise<number> {
  return store.transaction(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('payout_postings')
      .where('connection', '=', connection)
      .where('payout_id', '=', payoutId)
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('payouts')
      .set({ undone_at: at, undone_reason: reason })
      .where('connection', '=', connection)
      .where('payout_id', '=', payoutId)
      .execute();
    return Number(numDeletedRows);
  });
}
