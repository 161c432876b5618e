import {
  addGuideImage,
  type GuideImage,
  registerGuest,
  type RegisteredGuest,
} from '../core/channels/reservations/guests.ts';
import type { Change } from '../core/context.ts';
import { reservationNamed, type NamedReservation } from './namedReservation.ts';

type Place = NamedReservation & { room: number };

/**
 * Registers a guest in the check-in guide. @returns the guest's number; null when the guide had reported the guest
 * before
 */
export async function register(
  change: Change,
  { room, ...named }: Place,
  guest: Omit<RegisteredGuest, 'reference'> & { reference?: string | undefined },
) {
  const { identity, reservation } = await reservationNamed(change, named);
  const reference = guest.reference ?? change.core.ids();
  const guest_id = await registerGuest(change, { ...identity, room }, { ...guest, reference });
  return { reservation_code: reservation.reservation_code, guest_id };
}

/** Delivers a picture from the check-in guide. @returns its number; null when it was delivered before */
export async function handInImage(
  change: Change,
  { room, ...named }: Place,
  image: Omit<GuideImage, 'reference'> & { reference?: string | undefined },
) {
  const { identity, reservation } = await reservationNamed(change, named);
  const reference = image.reference ?? change.core.ids();
  const image_id = await addGuideImage(change, { ...identity, room }, { ...image, reference });
  return { reservation_code: reservation.reservation_code, image_id };
}
