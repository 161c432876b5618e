import type { PlainDate } from '../../kernel/dates.ts';
import type { ReservationCode } from '../../kernel/ids.ts';
import { claimNights, holdNights, releaseNights, staysOnNights } from '../availabilities/nights.ts';
import type { Change, Handler, Principal } from '../context.ts';
import type { StayRow } from '../database.ts';
import { requireProperty } from '../ownership.ts';
import { announceStay, writeStay } from './change.ts';
import { findStay, lockReservation, staysByNumber } from './lookup.ts';
import { requireNights, requireStay } from './require.ts';
import { holdsNights, requireStanding } from './rules.ts';

/** Property number of stays in the reservation box. */
export const BOX = 0;

export const allocateReservation: Handler<'allocateReservation'> = async (input, context) => {
  await context.change(async (change) => {
    await lockConcerned(change, input);
    const { stay } = await requireStay(change, context, input.stay_code);
    requireStanding(stay.status);
    const property = await requireProperty(change.trx, change.account, context, input.property_id);
    if (stay.property_id === property.id) return;
    await moveTo(change, stay, property.id);
    change.audit('allocateReservation', stay.stay_code);
  });
};

export const moveReservationToBox: Handler<'moveReservationToBox'> = async (input, context) => {
  await context.change(async (change) => {
    const { stay } = await requireStay(change, context, input.stay_code);
    requireStanding(stay.status);
    if (stay.property_id === BOX) return;
    await moveToBox(change, stay);
    change.audit('moveReservationToBox', stay.stay_code);
  });
};

/** A place in the calendar: a property, and the nights there. */
export interface Place {
  property_id: number;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
}

/**
 * Moves a stay to another property and other dates at once. Nobody makes room for it.
 * @throws ApiError 409 when a night is taken or blocked there; nothing has moved then
 */
export async function moveStay(
  change: Change,
  principal: Pick<Principal, 'visible'>,
  stayCode: string,
  place: Place,
): Promise<void> {
  const { stay } = await requireStay(change, principal, stayCode);
  requireStanding(stay.status);
  requireNights(change, place);
  const property = await requireProperty(change.trx, change.account, principal, place.property_id);
  const there = { ...stay, ...place };
  const before = await releaseNights(change, stay);
  await writeStay(change, stay, { ...place });
  await holdNights(change, there, property.id === stay.property_id ? before : []);
  announceStay(change, there);
  change.audit('moveStay', stay.stay_code);
}

/**
 * Locks the reservation of a stay and those in its way, in one order, so that two stays that swap places do not
 * deadlock.
 */
async function lockConcerned(change: Change, target: { stay_code: string; property_id: number }): Promise<void> {
  const { trx, account } = change;
  const stay = await findStay(trx, account.account_id, target.stay_code);
  if (!stay) return;
  const there = await staysOnNights(change, { ...stay, property_id: target.property_id });
  const concerned = [stay, ...(await staysByNumber(trx, account.account_id, there))];
  await lockReservations(
    change,
    concerned.map((one) => one.reservation_code),
  );
}

async function lockReservations(change: Change, codes: readonly ReservationCode[]): Promise<void> {
  for (const code of [...new Set(codes)].toSorted()) await lockReservation(change.trx, change.account.account_id, code);
}

/** Moves a stay to a property. Stays whose nights it takes there go to the box. */
async function moveTo(change: Change, stay: StayRow, propertyId: number): Promise<void> {
  const there = { ...stay, property_id: propertyId };
  await releaseNights(change, stay);
  await writeStay(change, stay, { property_id: propertyId });
  for (const other of await lockedStaysOn(change, there)) await moveToBox(change, other);
  await holdNights(change, there);
  announceStay(change, there);
}

/** Returns the stays in the way of one, locked until the change ends. */
async function lockedStaysOn(change: Change, there: StayRow): Promise<StayRow[]> {
  const inTheWay = async () => staysByNumber(change.trx, there.account_id, await staysOnNights(change, there));
  // Reservations that arrived after lockConcerned had looked.
  const late = await inTheWay();
  await lockReservations(
    change,
    late.map((other) => other.reservation_code),
  );
  return inTheWay();
}

/** Moves a stay from its property to the box, for instance when another stay takes its nights. */
async function moveToBox(change: Change, stay: StayRow): Promise<void> {
  await releaseNights(change, stay);
  await writeStay(change, stay, { property_id: BOX });
  announceStay(change, { ...stay, property_id: BOX });
}

/**
 * Takes the nights of a stay that already exists on its channel. @returns the stay, in the box when another stay has
 * one of its nights
 */
export async function placeOrBox(change: Change, stay: StayRow): Promise<StayRow> {
  if (stay.property_id === BOX || !holdsNights(stay.status) || (await claimNights(change, stay))) return stay;
  await writeStay(change, stay, { property_id: BOX });
  return { ...stay, property_id: BOX };
}
