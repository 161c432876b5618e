import type { Instant, PlainDate } from '../../../kernel/dates.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { Flag, Json, RawRow, RowFacts } from '../rowFacts.ts';

export interface ReservationsTable extends RowFacts {
  connection: string;
  reservation_code: string;
  channel_id: string | null;
  channel_type: string | null;
  custom_channel: string | null;
  property_id: number | null;
  status: string | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  stays: number;
  number_of_guests: number | null;
  currency: string | null;
  total_rate_minor: Minor | null;
  total_commission_minor: Minor | null;
  received_minor: Minor | null;
  balance_minor: Minor | null;
  payment_status: string | null;
  booked_at: Instant | null;
  created_at: Instant | null;
  cancelled_at: Instant | null;
}

export interface StaysTable extends RawRow {
  connection: string;
  stay_code: string;
  reservation_code: string;
  id: number | null;
  channel_id: string | null;
  channel_type: string | null;
  listing_id: string | null;
  custom_channel_id: number | null;
  custom_channel: string | null;
  property_id: number | null;
  in_reservation_box: Flag | null;
  status: string | null;
  stay_status: string | null;
  check_in_date: PlainDate | null;
  check_out_date: PlainDate | null;
  nights: number | null;
  number_of_guests: number | null;
  number_of_adults: number | null;
  number_of_children: number | null;
  number_of_infants: number | null;
  number_of_pets: number | null;
  currency: string | null;
  rate_minor: Minor | null;
  commission_minor: Minor | null;
  tax_minor: Minor | null;
  total_rate_minor: Minor | null;
  total_commission_minor: Minor | null;
  payment_currency: string | null;
  payment_total_minor: Minor | null;
  received_minor: Minor | null;
  balance_minor: Minor | null;
  payment_status: string | null;
  deposit_minor: Minor | null;
  deposit_currency: string | null;
  deposit_status: string | null;
  deposit_paid_minor: Minor | null;
  deposit_deducted_minor: Minor | null;
  deposit_pending_refund_minor: Minor | null;
  deposit_refunded_minor: Minor | null;
  id_required: string | null;
  cancellation_policy_category: string | null;
  conversation_id: string | null;
  tags: Json | null;
  booked_at: Instant | null;
  created_at: Instant | null;
  cancelled_at: Instant | null;
}

export interface StayNightsTable {
  connection: string;
  stay_code: string;
  night: PlainDate;
  property_id: number;
  status: string | null;
  channel_type: string | null;
  booked_at: Instant | null;
  cancelled_at: Instant | null;
  currency: string | null;
  rate_minor: Minor | null;
  night_number: number | null;
  nights: number | null;
  kind: string | null;
  booked_date: PlainDate | null;
  cancelled_date: PlainDate | null;
  rental_minor: Minor | null;
  tax_minor: Minor | null;
}

export interface GuestsTable {
  connection: string;
  stay_code: string;
  guest_key: string;
  name: string | null;
  phone: string | null;
  email: string | null;
  id_type: string | null;
  id_number: string | null;
  gender: string | null;
  country: string | null;
  is_booker: Flag | null;
  id_images: Json | null;
  more: Json | null;
}
