import type { Instant } from '../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../kernel/ids.ts';
import type { Change } from '../core/context.ts';
import type { CoreTransaction } from '../core/database.ts';
import { addIncome } from '../core/reservations/book.ts';
import type { Booking } from './outcome.ts';
import type { ImportedRow } from './table.ts';

/** A reservation of an earlier run whose expected income is due now. */
export interface DueIncome {
  booking: Booking;
  earlier: ImportedRow;
  at: Instant;
}

/**
 * Posts the incomes that reservations of earlier runs expected. An income that an operator entered meanwhile, or whose
 * reservation has been cancelled, is no longer expected and not posted.
 * @returns the number of posted incomes
 */
export async function bookDueIncomes(change: Change, source: string, due: readonly DueIncome[]): Promise<number> {
  let booked = 0;
  for (const { booking, earlier, at } of due) {
    const { income, currency, key } = booking;
    if (!income) continue;
    if (earlier.isHeld === (booking.status === 'accepted') && !(await hasIncome(change, earlier.reservationCode))) {
      const entry = { amount: income.amount, action_at: at };
      await addIncome(change, currency ?? change.account.currency, earlier.reservationCode, entry);
      booked += 1;
    }
    await awaitNothing(change.trx, { accountId: change.account.account_id, source, key });
  }
  return booked;
}

async function hasIncome({ trx, account }: Change, reservationCode: ReservationCode): Promise<boolean> {
  const found = await trx
    .selectFrom('transactions')
    .where('account_id', '=', account.account_id)
    .where('reservation_code', '=', reservationCode)
    .where('direction', '=', 'income')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

async function awaitNothing(
  trx: CoreTransaction,
  { accountId, source, key }: { accountId: AccountId; source: string; key: string },
): Promise<void> {
  await trx
    .updateTable('import_rows')
    .set({ income_at: null })
    .where('account_id', '=', accountId)
    .where('source', '=', source)
    .where('row_key', '=', key)
    .execute();
}
