import type { Instant } from '../../kernel/dates.ts';
import type { AccountId, ReservationCode } from '../../kernel/ids.ts';

/** The secret link of a reservation, which its guests open. */
export interface GuestPageRow {
  account_id: AccountId;
  reservation_code: ReservationCode;
  /** Encrypted; context `guest_page:<reservation_code>`. */
  token: string;
  /** SHA-256 of the token. */
  token_hash: string;
  created_at: Instant;
}

/** What a property tells its guests. */
export interface GuestGuideRow {
  account_id: AccountId;
  property_id: number;
  /** Plain text; empty: none. */
  guide: string;
  /** Two letters (ISO 3166), which decide what guests register; null: nothing is asked. */
  country: string | null;
  /** Whom guests call; null: nobody is named. */
  phone: string | null;
  updated_at: Instant;
}

/** What one guest has registered. */
export interface GuestRegistrationRow {
  account_id: AccountId;
  id: string;
  reservation_code: ReservationCode;
  stay_id: number;
  /** The country of the property then, which decides how long it is kept. */
  country: string;
  /** All values of the person as JSON, encrypted; context `guest_registration:<id>`. */
  sealed: string;
  registered_at: Instant;
}

/** Tables of the pages of guests. */
export interface GuestPageTables {
  guest_pages: GuestPageRow;
  guest_guides: GuestGuideRow;
  guest_registrations: GuestRegistrationRow;
}
