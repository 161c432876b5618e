import type { Instant } from '../../../kernel/dates.ts';
import type { ReservationCode } from '../../../kernel/ids.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Change } from '../../context.ts';
import type { AccountRow, CoreDb, StayRow } from '../../database.ts';

type OfReservation = Pick<StayRow, 'account_id' | 'reservation_code'>;

/** Starts the timer of a reservation, which waits until `dueAt` and not longer. */
export async function startTimer(change: Change, { account_id, reservation_code }: OfReservation, dueAt: Instant) {
  await insertMany(change.trx, 'reservation_timers', [{ account_id, reservation_code, due_at: dueAt }]);
}

export async function stopTimer(change: Change, { account_id, reservation_code }: OfReservation): Promise<void> {
  await change.trx
    .deleteFrom('reservation_timers')
    .where('account_id', '=', account_id)
    .where('reservation_code', '=', reservation_code)
    .execute();
}

/** Takes the timer of an overdue reservation. @returns false when it has none, or time is left */
export async function takeDueTimer(
  change: Change,
  { account_id, reservation_code }: OfReservation,
  now: Instant,
): Promise<boolean> {
  const taken = await change.trx
    .deleteFrom('reservation_timers')
    .where('account_id', '=', account_id)
    .where('reservation_code', '=', reservation_code)
    .where('due_at', '<=', now)
    .returning('reservation_code')
    .execute();
  return taken.length > 0;
}

/** Returns overdue reservations, longest overdue first, each with its account. */
export async function dueTimers(
  db: CoreDb,
  now: Instant,
  limit: number,
): Promise<(AccountRow & { reservation_code: ReservationCode })[]> {
  return (await dueTimer(db, { now })).length === 0 ? [] : firstTimers(db, { now, limit });
}

/** Asked every second; nearly always there is none. */
const dueTimer = prepared((db: CoreDb, arg: { now: Instant }) =>
  db.selectFrom('reservation_timers').select('reservation_code').where('due_at', '<=', arg.now).limit(1),
);

const firstTimers = prepared((db: CoreDb, arg: { now: Instant; limit: number }) =>
  db
    .selectFrom('reservation_timers as timer')
    .innerJoin('accounts', 'accounts.account_id', 'timer.account_id')
    .where('timer.due_at', '<=', arg.now)
    .selectAll('accounts')
    .select('timer.reservation_code')
    .orderBy('timer.due_at')
    .limit(arg.limit),
);

/** Returns true if the time of a reservation is over, although no process has ended it yet. */
export async function isOverdue(db: CoreDb, { account_id, reservation_code }: OfReservation, now: Instant) {
  const row = await db
    .selectFrom('reservation_timers')
    .where('account_id', '=', account_id)
    .where('reservation_code', '=', reservation_code)
    .where('due_at', '<=', now)
    .select('due_at')
    .executeTakeFirst();
  return row !== undefined;
}
