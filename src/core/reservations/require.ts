import { AVAILABILITY_YEARS } from '../../contract/availabilities.ts';
import { STAY_NIGHTS } from '../../contract/reservations.ts';
import { addDays, addYears, dateIn, daysBetween, type PlainDate } from '../../kernel/dates.ts';
import { invalid } from '../../kernel/errors.ts';
import { type Currency, type Minor, fromWireAmount } from '../../kernel/money.ts';
import type { Change, Principal } from '../context.ts';
import type { AccountRow, ReservationRow, StayRow } from '../database.ts';
import { requireEntry } from '../dictionaries/entries.ts';
import { goneResource, maySee, refuseForeign } from '../ownership.ts';
import { findStay, lockReservation } from './lookup.ts';

/** One stay and its reservation. */
export interface Booking {
  stay: StayRow;
  reservation: ReservationRow;
}

/**
 * Returns the stay with the code of a path, and its reservation, locked until the change ends.
 * @throws ApiError 404 when the caller has no such stay
 */
export async function requireStay(
  { trx, account }: Change,
  principal: Pick<Principal, 'visible'>,
  stayCode: string,
): Promise<Booking> {
  const found = await findStay(trx, account.account_id, stayCode);
  const reservation = found && (await lockReservation(trx, account.account_id, found.reservation_code));
  const stay = reservation && (await findStay(trx, account.account_id, stayCode));
  if (!stay || !maySee(principal, stay.property_id)) throw goneResource();
  return { stay, reservation };
}

/** Returns the last night that can be reserved, so that every night can be read as availability. */
export function lastBookableNight({ time_zone }: Pick<AccountRow, 'time_zone'>, now: number): PlainDate {
  return addYears(dateIn(time_zone, now), AVAILABILITY_YEARS.ahead);
}

/**
 * @throws ApiError 422 unless there is at least one night, no more than a stay may have, and none is more than three
 * years ahead, so that each can be read as availability
 */
export function requireNights(
  { account, now }: Pick<Change, 'account' | 'now'>,
  dates: { check_in_date: PlainDate; check_out_date: PlainDate },
): void {
  const nights = daysBetween(dates.check_in_date, dates.check_out_date);
  if (nights < 1) throw invalid('check_out_date', 'must be after check_in_date');
  if (nights > STAY_NIGHTS) throw invalid('check_out_date', `is more than ${STAY_NIGHTS} nights after check_in_date`);
  const end = lastBookableNight(account, now);
  if (addDays(dates.check_out_date, -1) > end) {
    throw invalid(
      'check_out_date',
      `is later than ${addDays(end, 1)}: nights more than three years ahead cannot be booked`,
    );
  }
}

/** @throws ApiError 403 for a source of another account, 404 for an unknown one */
export async function requireCustomChannel({ trx, account }: Change, id: number): Promise<void> {
  const { account_id } = account;
  const channels = trx.selectFrom('custom_channels').where('id', '=', id).select('account_id').limit(1);
  const own = await channels.where('account_id', '=', account_id).executeTakeFirst();
  refuseForeign(own ?? (await channels.executeTakeFirst()), account, 'custom_channel_id');
}

export function requireIncomeMethod(change: Change, id: number): Promise<void> {
  const accountId = change.account.account_id;
  return requireEntry(change.trx, { accountId, dictionary: 'income_methods', id, field: 'income_method_id' });
}

/** Returns an amount of a request in minor units. @throws ApiError 422 for more decimals than the currency has */
export function requireAmount(field: string, amount: number, currency: Currency): Minor {
  const minor = fromWireAmount(amount, currency);
  if (minor === undefined) throw invalid(field, `must be an amount with no more decimals than ${currency} has`);
  return minor;
}

export function optionalAmount(field: string, amount: number | undefined, currency: Currency): Minor | undefined {
  return amount === undefined ? undefined : requireAmount(field, amount, currency);
}
