import type { PlainDate } from '../../../kernel/dates.ts';
import type { Minor } from '../../../kernel/money.ts';

/** One stay in a short row, with the figures that reports need. */
export interface StayFiguresTable {
  connection: string;
  stay_code: string;
  reservation_code: string;
  property_id: number;
  channel_type: string | null;
  channel: string | null;
  status: string | null;
  kind: string;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  nights: number | null;
  number_of_guests: number | null;
  booked_date: PlainDate | null;
  cancelled_date: PlainDate | null;
  lead_days: number | null;
  currency: string | null;
  rate_minor: Minor | null;
  rental_minor: Minor | null;
  tax_minor: Minor | null;
  commission_minor: Minor | null;
  payment_currency: string | null;
  payment_total_minor: Minor | null;
  received_minor: Minor | null;
  balance_minor: Minor | null;
}

export interface StayItemsTable {
  connection: string;
  stay_code: string;
  item: string;
  amount_minor: Minor;
}

export interface PropertyListingsTable {
  connection: string;
  property_id: number;
  listing: string;
  currency: string | null;
}

/** The calendar: the only table without a connection. */
interface DatesTable {
  date: PlainDate;
  day_number: number;
  day_before: PlainDate;
  year_before: PlainDate;
  month: string;
  month_days: number;
  weekday: number;
}

export interface ReportTables {
  stay_figures: StayFiguresTable;
  stay_items: StayItemsTable;
  property_listings: PropertyListingsTable;
  dates: DatesTable;
}
