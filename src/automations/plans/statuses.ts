import type { ReservationStatus } from '../../contract/reservations.ts';

/** The status of a reservation request that the host has not answered. */
export const WAIT_ACCEPT = 'wait_accept' satisfies ReservationStatus;

/** Statuses in which a reservation holds its nights. */
export const TAKING: readonly ReservationStatus[] = ['accepted', 'wait_pay'];
