import type { Minor } from '../../kernel/money.ts';
import type { Change, Handler } from '../context.ts';
import type { ReservationRow, StayRow } from '../database.ts';
import { announceStay, writeStay } from './change.ts';
import { openLockCode, sealLockCode } from './lockCode.ts';
import { changedColumns } from './changedColumns.ts';
import { noteDepositEvent } from './deposits/depositLog.ts';
import { depositOf } from './deposits/deposits.ts';
import { optionalAmount, requireStay } from './require.ts';

export const updateCheckInDetails: Handler<'updateCheckInDetails'> = async (input, context) => {
  await context.change(async (change) => {
    const { stay, reservation } = await requireStay(change, context, input.stay_code);
    const { currency } = reservation;
    const { sealer } = context.core;
    const times = changedColumns(stay, {
      arrival_at: jsonOf(input.arrival_at),
      departure_at: jsonOf(input.departure_at),
    });
    const present = { lock_code: openLockCode(sealer, stay) };
    const code = changedColumns(present, { lock_code: input.lock_code });
    const rest = changedColumns(stay, {
      lock_code_visible_after: input.lock_code_visible_after,
      deposit: optionalAmount('deposit', input.deposit, currency),
      id_required: input.id_required,
    });
    const sealed = code.lock_code === undefined ? {} : { lock_code: sealLockCode(sealer, stay.id, code.lock_code) };
    const all = { ...times, ...sealed, ...rest };
    if (Object.keys(all).length === 0) return;
    await writeStay(change, stay, all);
    if (rest.deposit !== undefined) await requireDeposit(change, { stay, reservation }, rest.deposit);
    if (Object.keys(times).length > 0) announceStay(change, stay, 'arrival_and_departure_time_updated');
    if ('lock_code' in code)
      announceStay(change, stay, code.lock_code === null ? 'lock_code_deleted' : 'lock_code_updated');
    if (Object.keys(rest).length > 0) announceStay(change, stay, 'check_in_details_updated');
    change.audit('updateCheckInDetails', stay.stay_code);
  });
};

/** Creates or updates the deposit's record, which follows the required amount until money has moved. */
async function requireDeposit(
  change: Change,
  { stay, reservation }: { stay: StayRow; reservation: ReservationRow },
  amount: Minor,
): Promise<void> {
  await change.trx
    .insertInto('deposits')
    .values({
      account_id: stay.account_id,
      stay_id: stay.id,
      amount,
      paid_amount: 0,
      deducted_amount: 0,
      pending_refund_amount: 0,
      refunded_amount: 0,
      currency: reservation.currency,
      status: 'unpaid',
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'stay_id']).doUpdateSet({ amount }))
    .execute();
  const after = await depositOf(change, stay, reservation);
  await noteDepositEvent(change, { before: after, after, reference: null }, { kind: 'required', amount });
}

/** Returns a value as JSON text. undefined (not given) and null (removed) stay as they are. */
function jsonOf(value: object | null | undefined): string | null | undefined {
  return value ? JSON.stringify(value) : (value as null | undefined);
}
