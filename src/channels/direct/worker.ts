import { dateIn, instantOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';
import { settleEnded } from './bookings/settle.ts';
import { accountById, endedBookings, pruneQuotes, waitingWithEntries } from './bookings/table.ts';
import { lookAtPayment } from './payments/look.ts';
import { acceptIfPaid } from './payments/receive.ts';
import { sendRefund } from './payments/refunds.ts';
import { claim, duePayments, dueRefunds } from './payments/table.ts';
import type { DirectWork } from './work.ts';

const DAY_MS = 86_400_000;
/** Milliseconds between two looks when nothing wakes the worker. */
const LOOK_MS = 15_000;
const AT_ONCE = 20;
/** Milliseconds for which a process has a row to itself; after a crash another one takes it then. */
const CLAIM_MS = 60_000;
/** Days for which quotes are kept that nobody booked. */
const QUOTE_DAYS = 30;

/** Does once what is due of direct bookings. @returns true if there may be more */
export async function directRound(work: DirectWork, log: Logger, signal?: AbortSignal): Promise<boolean> {
  const { core } = work;
  const { db } = core.store;
  const now = core.clock.now();
  for (const booking of await waitingWithEntries(db, AT_ONCE)) await acceptIfPaid(core, booking);
  // A day of grace for every zone.
  const ended = await endedBookings(db, dateIn('UTC', now - DAY_MS), AT_ONCE);
  for (const booking of ended) await settleEnded(work, await accountById(db, booking.account_id), booking);
  const refunds = await dueRefunds(db, now, AT_ONCE);
  for (const row of refunds) {
    if (signal?.aborted) return false;
    if (!(await claim(db, 'direct_refunds', row, now + CLAIM_MS))) continue;
    await attempt(log, row, async () => sendRefund(work, row, await accountById(db, row.account_id)));
  }
  const payments = await duePayments(db, now, AT_ONCE);
  for (const row of payments) {
    if (signal?.aborted) return false;
    if (!(await claim(db, 'direct_payments', row, now + CLAIM_MS))) continue;
    await attempt(log, row, () => lookAtPayment(work, row));
  }
  await pruneQuotes(db, instantOf(now - QUOTE_DAYS * DAY_MS));
  return [ended, refunds, payments].some((rows) => rows.length === AT_ONCE);
}

/** One that fails stops no other; its claim ends, and it is tried again. */
async function attempt(log: Logger, row: { id: number }, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    log.error({ id: row.id, err: error, problem: messageOf(error) }, 'a payment could not be looked at');
  }
}

/** Returns the worker that follows payments and refunds, and ends what is over. */
export function directWorker(work: DirectWork, log: Logger): Worker {
  return new Worker({
    clock: work.core.clock,
    log,
    name: 'following payments of direct bookings',
    everyMs: LOOK_MS,
    round: async (signal) => ((await directRound(work, log, signal)) ? 0 : LOOK_MS),
  });
}
