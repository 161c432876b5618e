import type { z } from 'zod';
import { DETAILED_CHANNEL, type depositDetails, type guest, type reservation } from '../../contract/reservations.ts';
import { withOffset } from '../../kernel/dates.ts';
import { type Minor, wireAmount } from '../../kernel/money.ts';
import type { Core } from '../context.ts';
import { openLockCode } from './lockCode.ts';
import { paymentOf } from './rules.ts';
import type { StayView } from './views.ts';

type Reservation = z.output<typeof reservation>;

/** Returns the public form of a stay, with instants in the operator's zone. */
export function presentReservation({ sealer }: Core, stay: StayView, zone: string): Reservation {
  const booker = stay.guests.find((person) => person.is_booker === 1);
  const { currency } = stay;
  return {
    id: stay.id,
    reservation_code: stay.reservation_code,
    stay_code: stay.stay_code,
    channel_id: stay.channel_id,
    property_id: stay.property_id,
    channel_type: stay.channel_type,
    listing_id: stay.listing_id,
    check_in_date: stay.check_in_date,
    check_out_date: stay.check_out_date,
    number_of_guests: stay.number_of_guests,
    number_of_adults: stay.number_of_adults,
    number_of_children: stay.number_of_children,
    number_of_infants: stay.number_of_infants,
    number_of_pets: stay.number_of_pets,
    status: stay.status,
    stay_status: stay.stay_status,
    guest_name: booker?.name ?? null,
    guest_phone: booker?.phone ?? null,
    guest_email: booker?.email ?? null,
    booked_at: withOffset(stay.booked_at, zone),
    created_at: withOffset(stay.created_at, zone),
    cancelled_at: stay.cancelled_at === null ? null : withOffset(stay.cancelled_at, zone),
    creator: stay.creator,
    rates: presentRates(stay),
    payment: presentPayment(stay),
    check_in_details: {
      arrival_at: parsed(stay.arrival_at),
      departure_at: parsed(stay.departure_at),
      lock_code: openLockCode(sealer, stay),
      lock_code_visible_after: stay.lock_code_visible_after,
      deposit: wireAmount(stay.deposit, currency),
      id_required: stay.id_required,
      check_in_guide_url: null,
      deposit_details: presentDeposit(stay),
    },
    note: stay.note,
    channel_remarks: stay.channel_remarks,
    conversation_id: stay.conversation_id,
    tags: stay.tags,
    custom_channel:
      stay.custom_channel_id === null ? null : { id: stay.custom_channel_id, name: stay.custom_channel_name ?? '' },
    guests: stay.guests.map((guest) => presentGuest(guest, stay.id_images)),
    custom_fields: parsed(stay.custom_fields),
    in_reservation_box: stay.property_id === 0,
    additional_fees: presentLines(stay.additional_fees, currency) as Reservation['additional_fees'],
    checkin_guide_images: stay.guide_images.map(({ id, client_id, url }) => ({ id, client_id, url })),
    channel_details: presentDetails(stay),
  };
}

function presentRates(stay: StayView): Reservation['rates'] {
  const { currency } = stay;
  const money = (minor: Minor | null) => (minor === null ? null : { currency, amount: wireAmount(minor, currency) });
  return {
    total_rate: money(stay.total_rate),
    total_commission: money(stay.total_commission),
    rate: money(stay.rate),
    commission: money(stay.commission),
    tax: money(stay.tax),
    details: presentLines(stay.rate_details, currency) as Reservation['rates']['details'],
  };
}

/** Returns lines in their wire form. Stored lines have minor units and otherwise equal the wire form. */
function presentLines(json: string, currency: string): { currency: string; amount: number }[] {
  if (json === '[]') return [];
  const lines = JSON.parse(json) as { amount: Minor }[];
  return lines.map(({ amount, ...line }) => ({ ...line, currency, amount: wireAmount(amount, currency) }));
}

function presentPayment(stay: StayView): Reservation['payment'] {
  const { currency } = stay;
  const payment = paymentOf({ rate: stay.total_rate, commission: stay.total_commission, received: stay.received });
  return {
    currency,
    total_amount: wireAmount(payment.total, currency),
    received_amount: wireAmount(payment.received, currency),
    balance_amount: wireAmount(payment.balance, currency),
    status: payment.status,
  };
}

/** Returns null when no deposit is on record, or when nothing is required and nothing was paid. */
function presentDeposit(stay: StayView): z.output<typeof depositDetails> | null {
  const { deposit_currency: currency, deposit_status: status, deposit_amount: amount, paid_amount: paid } = stay;
  if (currency === null || status === null || amount === null || paid === null) return null;
  if (amount === 0 && paid === 0) return null;
  return {
    amount: wireAmount(amount, currency),
    paid_amount: wireAmount(paid, currency),
    deducted_amount: wireAmount(stay.deducted_amount ?? 0, currency),
    pending_refund_amount: wireAmount(stay.pending_refund_amount ?? 0, currency),
    refunded_amount: wireAmount(stay.refunded_amount ?? 0, currency),
    currency,
    status,
  };
}

/** Returns the details of a channel that has them, even before it has reported any. */
function presentDetails(stay: StayView): Reservation['channel_details'] {
  if (stay.channel_type !== DETAILED_CHANNEL) return null;
  return parsed(stay.channel_details) ?? { [DETAILED_CHANNEL]: { cancellation_policy_category: null } };
}

function presentGuest(row: StayView['guests'][number], images: StayView['id_images']): z.output<typeof guest> {
  const { id, name, phone, email, id_type, id_number, gender, country } = row;
  const id_images = images.filter((image) => image.guest_id === id).map((image) => ({ id: image.id, url: image.url }));
  return { id, name, phone, email, id_type, id_number, gender, country, is_booker: row.is_booker === 1, id_images };
}

function parsed<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}
