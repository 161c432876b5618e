import type { PlainDate } from '../../../kernel/dates.ts';
import type { Currency, Minor } from '../../../kernel/money.ts';

/** paid: guests who pay, or whose price is unknown · unpaid: at a price of zero · owner: the owner’s own. */
export type StayKind = 'paid' | 'unpaid' | 'owner';

/** The figures of a stay that reports need beyond the columns of its row. */
export interface StayFacts {
  kind: StayKind;
  /** The operator’s own source if there is one, else the channel. */
  channel: string | null;
  /** The date of the reservation in the operator’s time zone. */
  booked_date: PlainDate | null;
  /** The date of the cancellation in the operator’s time zone. */
  cancelled_date: PlainDate | null;
  /** Days from the date of the reservation to the first night. */
  lead_days: number | null;
  /** The price of the nights alone, without fees. */
  rental_minor: Minor | null;
  /** The parts of the price, by kind of line; the amounts add up to it. */
  items: ReadonlyMap<string, Minor>;
}

/** One posting of a property. */
interface PropertyListing {
  /** `<channel_type>/<listing_id>`. */
  listing: string;
  currency: Currency | null;
}

/** Values of a row in tables beside its own that its columns do not contain. */
export interface SideValues {
  stay?: StayFacts;
  listings?: readonly PropertyListing[];
}
