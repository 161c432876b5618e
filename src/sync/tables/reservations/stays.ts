import type { z } from 'zod';
import type { Known } from '../../../client/known.ts';
import { DETAILED_CHANNEL, type reservation } from '../../../contract/reservations.ts';
import { daysBetween } from '../../../kernel/dates.ts';
import type { Columns, Reading } from '../rows/resource.ts';
import { flag, instantFrom, knownOf, listText, minorFrom, minorIn, plainDateFrom } from '../wireValues.ts';

/** The known values of a stay; its codes name it. */
export type Stay = KnownStay & { stay_code: string; reservation_code: string };

type KnownStay = Known<z.output<typeof reservation>>;

/** Fills in a missing code: for a reservation of one room either code names it. Undefined: it has neither. */
export function namedStay(stay: KnownStay): Stay | undefined {
  const stay_code = stay.stay_code ?? stay.reservation_code;
  const reservation_code = stay.reservation_code ?? stay.stay_code;
  return stay_code === null || reservation_code === null ? undefined : { ...stay, stay_code, reservation_code };
}

/** Returns the typed columns of `stays`. */
export function stayColumns(stay: Stay, { zone }: Pick<Reading, 'zone'>): Columns {
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
    in_reservation_box: flag(inReservationBox(stay)),
    status: stay.status,
    stay_status: stay.stay_status,
    check_in_date: plainDateFrom(stay.check_in_date),
    check_out_date: plainDateFrom(stay.check_out_date),
    nights: nightCount(stay),
    number_of_guests: stay.number_of_guests,
    number_of_adults: stay.number_of_adults,
    number_of_children: stay.number_of_children,
    number_of_infants: stay.number_of_infants,
    number_of_pets: stay.number_of_pets,
    ...priceColumns(stay),
    ...depositColumns(stay),
    id_required: stay.check_in_details?.id_required ?? null,
    cancellation_policy_category: stay.channel_details?.[DETAILED_CHANNEL]?.cancellation_policy_category ?? null,
    conversation_id: stay.conversation_id,
    tags: listText(knownOf(stay.tags)),
    booked_at: instantFrom(stay.booked_at, zone),
    created_at: instantFrom(stay.created_at, zone),
    cancelled_at: instantFrom(stay.cancelled_at, zone),
  };
}

function priceColumns(stay: Stay): Columns {
  const { rates, payment } = stay;
  const currency = currencyOf(stay);
  return {
    currency,
    rate_minor: minorIn(rates?.rate, currency),
    commission_minor: minorIn(rates?.commission, currency),
    tax_minor: minorIn(rates?.tax, currency),
    total_rate_minor: minorIn(rates?.total_rate, currency),
    total_commission_minor: minorIn(rates?.total_commission, currency),
    payment_currency: payment?.currency ?? null,
    payment_total_minor: minorFrom(payment?.total_amount, payment?.currency),
    received_minor: minorFrom(payment?.received_amount, payment?.currency),
    balance_minor: minorFrom(payment?.balance_amount, payment?.currency),
    payment_status: payment?.status ?? null,
  };
}

function depositColumns(stay: Stay): Columns {
  const deposit = stay.check_in_details?.deposit_details;
  return {
    deposit_minor: minorFrom(stay.check_in_details?.deposit, deposit?.currency ?? currencyOf(stay)),
    deposit_currency: deposit?.currency ?? null,
    deposit_status: deposit?.status ?? null,
    deposit_paid_minor: minorFrom(deposit?.paid_amount, deposit?.currency),
    deposit_deducted_minor: minorFrom(deposit?.deducted_amount, deposit?.currency),
    deposit_pending_refund_minor: minorFrom(deposit?.pending_refund_amount, deposit?.currency),
    deposit_refunded_minor: minorFrom(deposit?.refunded_amount, deposit?.currency),
  };
}

/** Returns the currency in which a stay is priced; null if unknown. */
export function currencyOf({ rates, payment }: Stay): string | null {
  return rates?.rate?.currency ?? rates?.total_rate?.currency ?? payment?.currency ?? null;
}

/** Falls back on the property if the field is missing: a stay without one is in the box. */
function inReservationBox({ in_reservation_box: given, property_id: property }: Stay): boolean | null {
  if (given !== null) return given;
  return property === null ? null : property === 0;
}

/** Returns no nights for a stay with impossible dates (a foreign deployment's mistake), rather than fewer than none. */
function nightCount(stay: Stay): number | null {
  const [from, to] = [plainDateFrom(stay.check_in_date), plainDateFrom(stay.check_out_date)];
  return from === null || to === null ? null : Math.max(0, daysBetween(from, to));
}
