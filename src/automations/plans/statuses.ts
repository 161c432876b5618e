import type { ReservationStatus } from '../../contract/reservations.ts';

/** A request to book that the host has not answered. */
export const WAIT_ACCEPT = 'wait_accept' satisfies ReservationStatus;

/** Statuses in which nights are nobody else's any more. */
export const TAKING: readonly ReservationStatus[] = ['accepted', 'wait_pay'];
