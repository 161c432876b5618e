import type { z } from 'zod';
import type { reservation } from '../../contract/reservations.ts';
import { daysBetween } from '../../kernel/dates.ts';
import type { Columns, Reading } from './resource.ts';
import { flag, instantFrom, minorFrom, minorIn } from './wireValues.ts';

export type Stay = z.output<typeof reservation>;

/** The typed columns of `stays`. */
export function stayColumns(stay: Stay, { zone }: Reading): Columns {
  const { rates, payment, check_in_details: details } = stay;
  const deposit = details.deposit_details;
  const currency = currencyOf(stay);
  return {
    stay_code: stay.stay_code,
    reservation_code: stay.reservation_code,
    id: stay.id,
    channel_id: stay.channel_id,
    channel_type: stay.channel_type,
    listing_id: stay.listing_id,
    custom_channel_id: stay.custom_channel?.id ?? null,
    custom_channel: stay.custom_channel?.name ?? null,
    property_id: stay.property_id,
    in_reservation_box: flag(stay.in_reservation_box),
    status: stay.status,
    stay_status: stay.stay_status,
    check_in_date: stay.check_in_date,
    check_out_date: stay.check_out_date,
    nights: nightCount(stay),
    number_of_guests: stay.number_of_guests,
    number_of_adults: stay.number_of_adults,
    number_of_children: stay.number_of_children,
    number_of_infants: stay.number_of_infants,
    number_of_pets: stay.number_of_pets,
    currency,
    rate_minor: minorIn(rates.rate, currency),
    commission_minor: minorIn(rates.commission, currency),
    tax_minor: minorIn(rates.tax, currency),
    total_rate_minor: minorIn(rates.total_rate, currency),
    total_commission_minor: minorIn(rates.total_commission, currency),
    payment_currency: payment.currency,
    payment_total_minor: minorFrom(payment.total_amount, payment.currency),
    received_minor: minorFrom(payment.received_amount, payment.currency),
    balance_minor: minorFrom(payment.balance_amount, payment.currency),
    payment_status: payment.status,
    deposit_minor: minorFrom(details.deposit, deposit?.currency ?? currency),
    deposit_currency: deposit?.currency ?? null,
    deposit_status: deposit?.status ?? null,
    deposit_paid_minor: minorFrom(deposit?.paid_amount, deposit?.currency),
    deposit_deducted_minor: minorFrom(deposit?.deducted_amount, deposit?.currency),
    deposit_pending_refund_minor: minorFrom(deposit?.pending_refund_amount, deposit?.currency),
    deposit_refunded_minor: minorFrom(deposit?.refunded_amount, deposit?.currency),
    id_required: details.id_required,
    cancellation_policy_category: stay.channel_details?.marketplace_a?.cancellation_policy_category ?? null,
    conversation_id: stay.conversation_id,
    tags: JSON.stringify(stay.tags),
    booked_at: instantFrom(stay.booked_at, zone),
    created_at: instantFrom(stay.created_at, zone),
    cancelled_at: instantFrom(stay.cancelled_at, zone),
  };
}

/** The currency in which a stay is priced. */
export function currencyOf({ rates, payment }: Stay): string {
  return rates.rate?.currency ?? rates.total_rate?.currency ?? payment.currency;
}

/** A stay that nobody could have had (a foreign deployment's bad dates) has no nights, rather than fewer than none. */
function nightCount(stay: Stay): number {
  const nights = daysBetween(stay.check_in_date, stay.check_out_date);
  return Number.isInteger(nights) && nights > 0 ? nights : 0;
}
