import { instantOf } from '../../kernel/dates.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import type { Context, Handler } from '../context.ts';
import type { StayRow } from '../database.ts';
import { goneResource, maySee } from '../ownership.ts';
import { moveStays } from './change.ts';
import { findChannelReservation, lockReservation, staysOf } from './lookup.ts';
import { requireMove } from '../requireMove.ts';
import { reservationLife } from './rules.ts';
import { timeOut } from './times/timeouts.ts';
import { isOverdue } from './times/timers.ts';

export const approveReservation: Handler<'approveReservation'> = (input, context) =>
  answerRequest(input.reservation_code, context, 'approve');

export const declineReservation: Handler<'declineReservation'> = (input, context) =>
  answerRequest(input.reservation_code, context, 'decline');

type Answer = 'approve' | 'decline';

/** Answers a request to book. The channel is informed first: an answer that it refuses is not stored here either. */
async function answerRequest(code: string, context: Context, answer: Answer): Promise<undefined> {
  const { account, core } = context;
  const first = await requireRequest(code, context, answer);
  const booking = await findChannelReservation(context.db, account.account_id, first.reservation_code);
  if (booking) await core.channels.get(booking.channel_type)?.requests?.[answer](booking);
  await context.change(async (change) => {
    await lockReservation(change.trx, account.account_id, first.reservation_code);
    await moveStays(change, await staysOf(change.trx, account.account_id, code), answer);
    change.audit(`${answer}Reservation`, code);
  });
}

/** @throws ApiError 404 when the caller has no such reservation, 400 when it does not wait for an answer */
async function requireRequest(code: string, context: Context, answer: Answer): Promise<StayRow> {
  const { account, db, core, now } = context;
  const read = () => staysOf(db, account.account_id, code);
  let [first, ...others] = await read();
  if (!first || ![first, ...others].some((stay) => maySee(context, stay.property_id))) throw goneResource();
  // Its time may be over before a timer has run.
  if (await isOverdue(db, first, instantOf(now))) {
    await timeOut(core, account, code as ReservationCode);
    [first = first] = await read();
  }
  requireMove(reservationLife, first.status, answer);
  return first;
}
