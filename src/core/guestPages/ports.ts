import type { AccountId, ReservationCode } from '../../kernel/ids.ts';

/** A reservation whose balance a guest could pay. */
export interface PayableReservation {
  readonly account_id: AccountId;
  readonly reservation_code: ReservationCode;
}

/** How the pages of guests are set, and what other parts of the service add to them. */
export interface GuestPagePorts {
  /** Days after the last check-out for which a link opens its page. */
  readonly openDays: number;
  /** Days after check-out for which registrations are kept where the country has no row of its own. */
  readonly registrationDays: number;
  /**
   * Returns the address (`https:`, `http:`) at which the open balance can be paid; undefined if it cannot. Asked only
   * while there is a balance. Left out: nothing takes payments.
   */
  readonly paymentLinkOf?: (reservation: PayableReservation) => Promise<string | undefined>;
}

/** How they are set where nothing else is said. */
export const usualGuestPages: GuestPagePorts = { openDays: 7, registrationDays: 30 };
