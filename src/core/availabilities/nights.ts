import { nightsOf, type PlainDate } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Change } from '../context.ts';
import type { StayRow } from '../database.ts';
import { dropNights, takeNights } from './table.ts';

type Holder = Pick<StayRow, 'account_id' | 'id' | 'property_id' | 'check_in_date' | 'check_out_date'>;

/** Takes the nights of a stay and tells of it. @throws ApiError 409 when another stay holds one of them */
export async function holdNights(change: Change, stay: Holder): Promise<void> {
  const nights = nightsOf(stay.check_in_date, stay.check_out_date);
  if ((await takeNights(change.trx, stay, nights)) < nights.length) {
    throw new ApiError(409, 'The property is taken on at least one of these nights.');
  }
  announceNights(change, stay.property_id, nights, false);
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
