import { type Timer, turn } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import type { ReservationCode } from '../../../kernel/ids.ts';
import type { Logger } from '../../../kernel/log.ts';
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
export class Timeouts {
  readonly #core: Core;
  readonly #log: Logger;
  #running: Promise<void> = Promise.resolve();
  #timer: Timer | undefined;
  #stopped = false;

  constructor(core: Core, log: Logger) {
    this.#core = core;
    this.#log = log;
  }

  /** Ends overdue reservations, then continues by the clock until {@link stop}. */
  async start(): Promise<void> {
    this.#running = this.#run();
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (!this.#stopped && (await this.#endBatch()) === BATCH) await turn();
    } catch (error) {
      this.#log.error({ err: error }, 'ending overdue bookings failed; trying again shortly');
    }
    if (this.#stopped) return;
    this.#timer = this.#core.clock.setTimer(POLL_MS, () => {
      this.#running = this.#run();
    });
  }

  /** @returns the number of ended reservations */
  async #endBatch(): Promise<number> {
    const { store, clock } = this.#core;
    const due = await dueTimers(store.db, instantOf(clock.now()), BATCH);
    for (const { reservation_code, ...account } of due) {
      if (this.#stopped) break;
      await timeOut(this.#core, account, reservation_code);
    }
    return due.length;
  }
}
