import type { Instant } from '../../kernel/dates.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { MirrorDb, MirrorStore, MirrorTrx } from '../../sync/tables/database.ts';
import type { MatchedLine } from './matchFile.ts';

/** What its entries are found by; no booking has such a code. */
function groupCodeOf(payoutId: string): string {
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
      await forgetUndone(trx, connection, id);
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

/** A payout that was reversed can be matched anew. */
async function forgetUndone(trx: MirrorTrx, connection: string, payoutId: string): Promise<void> {
  await trx
    .deleteFrom('payouts')
    .where('connection', '=', connection)
    .where('payout_id', '=', payoutId)
    .where('undone_at', 'is not', null)
    .execute();
}

/** Payouts whose id is, or begins with, this text. */
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

/** Lets go of the postings of a payout; the payout stays, so that a sealed entry of it is known to be reversed. */
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
