import { runChange } from '../../../core/change.ts';
import type { Principal } from '../../../core/context.ts';
import type { AccountRow } from '../../../core/database.ts';
import { lockReservation, staysOf } from '../../../core/reservations/lookup.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { Minor } from '../../../kernel/money.ts';
import { freshenFeeds } from '../bookings/freshFeeds.ts';
import type { DirectBookingRow } from '../bookings/rows.ts';
import type { DirectWork } from '../work.ts';
import { awaitTransfer } from './begin.ts';
import { receivePayment } from './receive.ts';
import type { PaymentRow } from './rows.ts';
import { readSettings } from './settings.ts';
import { paymentsOf } from './table.ts';

/** A payment that a person saw on an account, or got in their hand. */
export interface SeenPayment {
  /** Left out: what is due. */
  readonly amount?: Minor | undefined;
  /** The awaited payment that it is; one that was noted already is not noted twice. */
  readonly payment?: number | undefined;
  readonly note?: string | undefined;
  /** true: also if the calendars of other places cannot be read, or close these nights. */
  readonly anyway?: boolean | undefined;
}

/**
 * Notes a payment that came without the provider. Before it confirms a reservation the calendars of other places are
 * read again.
 * @throws ApiError 404 for an unknown payment, 409 when nothing is due, or a calendar stands against it
 */
export async function noteTransfer(
  work: DirectWork,
  who: { account: AccountRow; operator: Principal['operator'] | null },
  booking: DirectBookingRow,
  seen: SeenPayment,
): Promise<PaymentRow> {
  const { core, reader } = work;
  const { account_id: accountId, reservation_code: code } = booking;
  const [stay] = await staysOf(core.store.db, accountId, code);
  if (stay?.status === 'wait_pay' && seen.anyway !== true) {
    const { feed_minutes: minutes } = await readSettings(core.store.db, accountId);
    const stale = await freshenFeeds(core, reader, { accountId, propertyId: booking.property_id, minutes });
    if (stale.length > 0) {
      const names = stale.map((name) => `"${name}"`).join(', ');
      throw new ApiError(
        409,
        `The calendar ${names} could not be read lately, so the nights may be sold there. Look there, then note the payment anyway.`,
      );
    }
    if (await clashes(work, stay))
      throw new ApiError(
        409,
        'A calendar of another place closes these nights as well. Look there who comes, then note the payment anyway.',
      );
  }
  const row = await runChange(core, who, async (change) => {
    await lockReservation(change.trx, accountId, code);
    const read = async () =>
      (await paymentsOf(change.trx, accountId, code)).filter(({ provider }) => provider === 'transfer');
    const known = await read();
    if (seen.payment !== undefined) {
      const named = known.find(({ id }) => id === seen.payment);
      if (!named) throw new ApiError(404, 'payment not found.', { field: 'payment' });
      return named;
    }
    const isAwaited = ({ state }: PaymentRow) => state === 'open' || state === 'ended';
    const open = known.findLast(isAwaited);
    if (open) return open;
    await awaitTransfer(change, booking);
    const made = (await read()).findLast(isAwaited);
    if (!made) throw new ApiError(409, 'Nothing is due.');
    return made;
  });
  const noted = await receivePayment(
    core,
    row,
    { amount: seen.amount ?? row.amount, currency: row.currency, ...(seen.note !== undefined && { note: seen.note }) },
    who.operator,
  );
  work.wake();
  return noted;
}

/** Returns true if an entry of a feed that nobody has looked at stands on nights of a stay. */
async function clashes(
  { core }: DirectWork,
  stay: { account_id: AccountRow['account_id']; property_id: number; check_in_date: string; check_out_date: string },
): Promise<boolean> {
  const found = await core.store.db
    .selectFrom('feed_entries')
    .innerJoin('feeds', (join) =>
      join.onRef('feeds.account_id', '=', 'feed_entries.account_id').onRef('feeds.id', '=', 'feed_entries.feed_id'),
    )
    .where('feed_entries.account_id', '=', stay.account_id)
    .where('feeds.property_id', '=', stay.property_id)
    .where('feed_entries.clash', '=', 1)
    .where('feed_entries.start_date', '<', stay.check_out_date)
    .where('feed_entries.end_date', '>', stay.check_in_date)
    .select('feed_entries.entry')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
