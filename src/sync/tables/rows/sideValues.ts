import type { PlainDate } from '../../../kernel/dates.ts';
import type { Currency, Minor } from '../../../kernel/money.ts';

/** paid: guests who pay, or of whom no price is known · unpaid: at a price of zero · owner: the owner’s own. */
export type StayKind = 'paid' | 'unpaid' | 'owner';

/** What reports ask of a stay beyond the columns of its row. */
export interface StayFacts {
  kind: StayKind;
  /** The operator’s own source where there is one, else the channel. */
  channel: string | null;
  /** The operator’s date of the booking. */
  booked_date: PlainDate | null;
  /** The operator’s date of the cancellation. */
  cancelled_date: PlainDate | null;
  /** Days from the booking to the first night. */
  lead_days: number | null;
  /** What the nights alone cost, without fees. */
  rental_minor: Minor | null;
  /** What the price consists of, by kind of line; the amounts add up to it. */
  items: ReadonlyMap<string, Minor>;
}

/** One posting of a property. */
export interface PropertyListing {
  /** `<channel_type>/<listing_id>`. */
  listing: string;
  currency: Currency | null;
}

/** What tables beside a row’s own hold of it that its columns do not say. */
export interface SideValues {
  stay?: StayFacts;
  listings?: readonly PropertyListing[];
}
