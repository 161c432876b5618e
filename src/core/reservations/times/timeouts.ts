import { turn } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import type { ReservationCode } from '../../../kernel/ids.ts';
import type { Logger } from '../../../kernel/log.ts';
import { Worker } from '../../../kernel/worker.ts';
import { runChange } from '../../change.ts';
import type { Core } from '../../context.ts';
import type { AccountRow } from '../../database.ts';
import { moveStays } from '../change.ts';
import { lockReservation, staysOf } from '../lookup.ts';
import { refundReceived } from '../deposits/refund.ts';
import { dueTimers, takeDueTimer } from './timers.ts';

/** Milliseconds between two polls of the timers. */
const POLL_MS = 1_000;
const BATCH = 50;

/**
 * Ends a reservation that has waited too long, in a transaction of its own.
 * @returns false when it no longer waits: it was answered, or another process has ended it
 */
export function timeOut(core: Core, account: AccountRow, code: ReservationCode): Promise<boolean> {
  return runChange(core, { account, operator: null }, async (change) => {
    const { trx, now } = change;
    const { account_id } = account;
    const reservation = await lockReservation(trx, account_id, code);
    // The process that deletes the row ends the reservation. Another process finds none.
    if (!(await takeDueTimer(change, { account_id, reservation_code: code }, instantOf(now)))) return false;
    const stays = await staysOf(trx, account_id, code);
    await moveStays(change, stays, 'expire');
    if (reservation) await refundReceived(change, reservation, stays);
    change.audit('timeOutReservation', code);
    return true;
  });
}

/**
 * Ends reservations that were not answered or paid in time. The timers are in the database, so a restart loses none,
 * and those that came due meanwhile end at the start.
 */
export function timeoutWorker(core: Core, log: Logger): Worker {
  const { store, clock } = core;
  return new Worker({
    clock,
    log,
    name: 'ending overdue reservations',
    everyMs: POLL_MS,
    async round(signal) {
      const due = await dueTimers(store.db, instantOf(clock.now()), BATCH);
      for (const { reservation_code, ...account } of due) {
        if (signal.aborted) return undefined;
        await timeOut(core, account, reservation_code);
      }
      if (due.length < BATCH) return undefined;
      await turn();
      return 0;
    },
  });
}
