import { nightsOf, type PlainDate } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Change } from '../context.ts';
import type { StayRow } from '../database.ts';
import { dropNights, nightHolders, takeNights } from './table.ts';

type Holder = Pick<StayRow, 'account_id' | 'id' | 'property_id' | 'check_in_date' | 'check_out_date'>;

/** Takes the nights of a stay and tells of it. @throws ApiError 409 when another stay holds one of them */
export async function holdNights(change: Change, stay: Holder): Promise<void> {
  const nights = nightsOf(stay.check_in_date, stay.check_out_date);
  if ((await takeNights(change.trx, stay, nights)) < nights.length) {
    throw new ApiError(409, 'The property is taken on at least one of these nights.');
  }
  announceNights(change, stay.property_id, nights, false);
}

/** As {@link holdNights}, for a stay that is a fact: it has all its nights or none. @returns whether it has them */
export async function claimNights(change: Change, stay: Holder): Promise<boolean> {
  const nights = nightsOf(stay.check_in_date, stay.check_out_date);
  if ((await takeNights(change.trx, stay, nights)) < nights.length) {
    await dropNights(change.trx, stay);
    return false;
  }
  announceNights(change, stay.property_id, nights, false);
  return true;
}

/** Numbers of the stays that hold nights of these dates in a property. */
export function staysOnNights(
  change: Change,
  place: Pick<StayRow, 'account_id' | 'property_id' | 'check_in_date' | 'check_out_date'>,
): Promise<number[]> {
  return nightHolders(change.trx, place);
}

/** Frees all nights a stay holds and tells of it. */
export async function releaseNights(change: Change, stay: Holder): Promise<void> {
  announceNights(change, stay.property_id, await dropNights(change.trx, stay), true);
}

function announceNights(change: Change, propertyId: number, nights: readonly PlainDate[], available: boolean): void {
  if (nights.length === 0) return;
  change.emit({
    event: 'property_availability_updated',
    property_id: propertyId,
    availabilities: nights.map((date) => ({ date, available })),
  });
}
