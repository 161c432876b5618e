import { addDays, nightsOf, type PlainDate } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { cascadeNights } from '../channels/cascade.ts';
import type { Change } from '../context.ts';
import type { StayRow } from '../database.ts';
import { blockedForSale } from './closed.ts';
import { blockedNights, dropNights, nightHolders, takeNights, unlistedNights } from './table.ts';

type Holder = Pick<StayRow, 'account_id' | 'id' | 'property_id' | 'check_in_date' | 'check_out_date'>;

/**
 * Takes the nights of a stay and emits the events.
 * @param before nights that the stay held before the change; a block beneath them is no obstacle
 * @throws ApiError 409 when another stay holds a night, or a night is blocked
 */
export async function holdNights(change: Change, stay: Holder, before: readonly PlainDate[] = []): Promise<void> {
  const nights = nightsOf(stay.check_in_date, stay.check_out_date);
  const blocked =
    (await blockedNights(change.trx, spanOf(stay), [stay.property_id])).get(stay.property_id) ?? new Set();
  if (nights.some((night) => blocked.has(night) && !before.includes(night))) {
    throw new ApiError(409, 'The property is blocked on at least one of these nights.');
  }
  if ((await takeNights(change.trx, stay, nights)) < nights.length) {
    throw new ApiError(409, 'The property is taken on at least one of these nights.');
  }
  await announceNights(change, stay.property_id, nights, false);
}

/**
 * Takes nights as {@link holdNights} does, for a stay that already exists on its channel: it gets all its nights or
 * none.
 * @returns true if it has them
 */
export async function claimNights(change: Change, stay: Holder): Promise<boolean> {
  const nights = nightsOf(stay.check_in_date, stay.check_out_date);
  if ((await takeNights(change.trx, stay, nights)) < nights.length) {
    await dropNights(change.trx, stay);
    return false;
  }
  const blocked = await blocksBeneath(change, stay);
  await announceNights(
    change,
    stay.property_id,
    nights.filter((night) => !blocked.has(night)),
    false,
  );
  return true;
}

/** Returns the numbers of stays that hold nights of these dates in a property. */
export function staysOnNights(
  change: Change,
  place: Pick<StayRow, 'account_id' | 'property_id' | 'check_in_date' | 'check_out_date'>,
): Promise<number[]> {
  return nightHolders(change.trx, place);
}

/** Frees all nights of a stay and emits events for those that nothing else closes. @returns the nights it held */
export async function releaseNights(change: Change, stay: Holder): Promise<PlainDate[]> {
  const nights = await dropNights(change.trx, stay);
  const blocked = await blocksBeneath(change, stay);
  await announceNights(
    change,
    stay.property_id,
    nights.filter((night) => !blocked.has(night)),
    true,
  );
  return nights;
}

function blocksBeneath({ trx }: Change, stay: Holder): Promise<ReadonlySet<PlainDate>> {
  return blockedForSale(trx, spanOf(stay), stay.property_id);
}

function spanOf(stay: Holder) {
  return { accountId: stay.account_id, start: stay.check_in_date, end: addDays(stay.check_out_date, -1) };
}

/**
 * Emits events for nights that became free or closed, and passes the change on to the property's listings. Nights that
 * stay closed because no channel sells the property reach only the listings.
 */
async function announceNights(
  change: Change,
  propertyId: number,
  nights: readonly PlainDate[],
  available: boolean,
): Promise<void> {
  const [start, end] = [nights[0], nights.at(-1)];
  if (start === undefined || end === undefined) return;
  const range = { accountId: change.account.account_id, start, end };
  const unlisted = await unlistedNights(change.trx, range, propertyId);
  tellNights(
    change,
    propertyId,
    nights.filter((night) => !unlisted.has(night)),
    available,
  );
  await cascadeNights(change, propertyId, nights);
}

/** Emits the event for nights that became free or closed. */
export function tellNights(change: Change, propertyId: number, nights: readonly PlainDate[], available: boolean): void {
  if (nights.length === 0) return;
  change.emit({
    event: 'property_availability_updated',
    property_id: propertyId,
    availabilities: nights.map((date) => ({ date, available })),
  });
}
