import { z } from 'zod';
import { daysBetween } from '../kernel/dates.ts';
import {
  amount,
  channelType,
  currency,
  date,
  id,
  listOf,
  money,
  none,
  nothing,
  openEnum,
  paging,
  rateAmount,
  shownDate,
  timestamp,
} from './fields.ts';
import { operation } from './operation.ts';

/** States of a reservation. */
export const reservationStatuses = ['wait_accept', 'wait_pay', 'accepted', 'cancelled', 'denied', 'timeout'] as const;
/** One of {@link reservationStatuses}. */
export type ReservationStatus = (typeof reservationStatuses)[number];
/** States of a stay: before arrival, in the property, after departure. */
export const stayStatuses = ['checkin_pending', 'in_house', 'stay_completed'] as const;
const idRequirements = ['not_required', 'required', 'required_with_review'] as const;
/** Orders of the list of reservations. */
export const reservationOrders = [
  'booked_at',
  'check_in_date',
  'check_out_date',
  'cancelled_at',
  'created_at',
] as const;
/** One of {@link reservationOrders}. */
export type ReservationOrder = (typeof reservationOrders)[number];
/** Days from today within which check-outs are listed when a request has no date and no identifier. */
export const DEFAULT_CHECK_OUT_DAYS = 180;
/** Most nights of a stay: as far as the calendar reaches ahead, so that the nights still fit one event. */
export const STAY_NIGHTS = 1_096;

const clockTime = z
  .object({ hour: z.int().min(0).max(23), minute: z.int().min(0).max(59) })
  .meta({ schemaName: 'ClockTime' });
const idImage = z.object({ id: z.int(), url: z.string() }).meta({ personal: true, schemaName: 'IdentityImage' });
const personalText = z.string().nullable().meta({ personal: true });

/** A guest of a reservation. */
export const guest = z
  .object({
    id: z.int(),
    name: personalText,
    phone: personalText,
    email: personalText,
    id_type: openEnum(['passport', 'id_card', 'others']).nullable(),
    id_number: personalText,
    gender: openEnum(['male', 'female']).nullable(),
    country: z.string().nullable(),
    is_booker: z.boolean(),
    id_images: z.array(idImage),
  })
  .meta({ schemaName: 'Guest' });

/** The deposit of a stay. */
export const depositDetails = z
  .object({
    amount,
    paid_amount: amount,
    deducted_amount: amount,
    pending_refund_amount: amount,
    refunded_amount: amount,
    currency: z.string(),
    status: openEnum(['unpaid', 'paid', 'refunded'], 'deposit_status'),
  })
  .meta({ schemaName: 'Deposit' });

/** The only channel whose reservations have details of their own. `channel_details` is null for all others. */
export const DETAILED_CHANNEL = 'marketplace_a';

/** One stay. A list has one entry per room of a reservation. */
export const reservation = z
  .object({
    id: z.int(),
    reservation_code: z.string(),
    stay_code: z.string(),
    channel_id: z.string(),
    property_id: z.int().describe('0 when it could not be placed: it is in the reservation box.'),
    channel_type: channelType,
    listing_id: z.string(),
    check_in_date: shownDate,
    check_out_date: shownDate,
    number_of_guests: z.int(),
    number_of_adults: z.int().nullable(),
    number_of_children: z.int().nullable(),
    number_of_infants: z.int().nullable(),
    number_of_pets: z.int().nullable(),
    status: openEnum(reservationStatuses, 'reservation_status'),
    stay_status: openEnum(stayStatuses, 'stay_status'),
    guest_name: personalText,
    guest_phone: personalText,
    guest_email: personalText,
    booked_at: timestamp,
    created_at: timestamp,
    cancelled_at: timestamp.nullable(),
    creator: personalText,
    rates: z
      .object({
        total_rate: money.nullable(),
        total_commission: money.nullable(),
        rate: money.nullable(),
        commission: money.nullable(),
        tax: money.nullable(),
        details: z.array(
          z
            .object({ type: z.string(), description: z.string(), currency: z.string(), amount })
            .meta({ schemaName: 'RateDetail' }),
        ),
      })
      .meta({ schemaName: 'ReservationRates' }),
    payment: z
      .object({
        currency: z.string(),
        total_amount: amount,
        received_amount: amount,
        balance_amount: amount,
        status: openEnum(['unreceived', 'partial', 'received', 'over_received'], 'payment_status'),
      })
      .meta({ schemaName: 'ReservationPayment' }),
    check_in_details: z
      .object({
        arrival_at: clockTime.nullable(),
        departure_at: clockTime.nullable(),
        lock_code: z.string().nullable().meta({ secret: true, personal: true }),
        lock_code_visible_after: z.string().nullable(),
        deposit: amount,
        id_required: openEnum(idRequirements),
        check_in_guide_url: z.string().nullable(),
        deposit_details: depositDetails.nullable(),
      })
      .meta({ schemaName: 'CheckInDetails' }),
    note: z.string().nullable(),
    channel_remarks: z.string().nullable(),
    conversation_id: z.string().nullable(),
    tags: z.array(z.string()),
    custom_channel: z.object({ id: z.int(), name: z.string() }).meta({ schemaName: 'ReservationSource' }).nullable(),
    guests: z.array(guest),
    custom_fields: z.record(z.string(), z.string()).nullable(),
    in_reservation_box: z.boolean(),
    additional_fees: z.array(
      z.object({ name: z.string(), currency: z.string(), amount }).meta({ schemaName: 'AdditionalFee' }),
    ),
    checkin_guide_images: z.array(
      z
        .object({ id: z.int(), client_id: z.int().nullable(), url: z.string() })
        .meta({ personal: true, schemaName: 'CheckInGuideImage' }),
    ),
    channel_details: z
      .object({
        [DETAILED_CHANNEL]: z
          .object({ cancellation_policy_category: z.string().nullable() })
          .meta({ schemaName: 'MarketplaceADetails' })
          .optional(),
      })
      .meta({ keyVocabulary: 'channel', schemaName: 'ChannelDetails' })
      .nullable(),
  })
  .meta({ family: 'reservation', schemaName: 'Reservation' });

const inOrder = (start: string | undefined, end: string | undefined) =>
  start === undefined || end === undefined || start <= end;

/**
 * Lists stays, one entry per room. With no date and none of id, reservation_code and channel_id: check-outs within
 * {@link DEFAULT_CHECK_OUT_DAYS} days from today.
 */
export const listReservations = operation({
  method: 'GET',
  path: '/reservations',
  params: none,
  query: z
    .object({
      ...paging,
      id: id('One stay, by its number.').optional(),
      reservation_code: z.string().optional().describe('Stays of one reservation.'),
      channel_id: z.string().optional().describe('Stays of the reservation that the channel, or you, call so.'),
      property_id: id('Stays in one property.').optional(),
      status: z
        .enum(reservationStatuses)
        .meta({ vocabulary: 'reservation_status' })
        .optional()
        .describe('Stays of reservations in this state.'),
      channel_type: channelType.optional().describe('Stays that came by one channel.'),
      start_check_in_date: date.optional().describe('Check-ins on this day or later.'),
      end_check_in_date: date.optional().describe('Check-ins on this day or earlier.'),
      start_check_out_date: date.optional().describe('Check-outs on this day or later.'),
      end_check_out_date: date.optional().describe('Check-outs on this day or earlier.'),
      order_by: z.enum(reservationOrders).default('booked_at').describe('Always latest first.'),
    })
    .refine((query) => (query.start_check_in_date === undefined) === (query.end_check_in_date === undefined), {
      path: ['start_check_in_date'],
      error: 'and end_check_in_date go together',
      params: { code: 400 },
    })
    .refine((query) => inOrder(query.start_check_in_date, query.end_check_in_date), {
      path: ['start_check_in_date'],
      error: 'must not be after end_check_in_date',
    })
    .refine((query) => inOrder(query.start_check_out_date, query.end_check_out_date), {
      path: ['start_check_out_date'],
      error: 'must not be after end_check_out_date',
    }),
  body: null,
  data: listOf('reservations', reservation),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_reservations', category: 'reservation' },
  since: '3.2.0',
  summary: 'Stays, one entry per room.',
  notes: `With no date and none of id, reservation_code, channel_id: check-outs within ${DEFAULT_CHECK_OUT_DAYS} days from today.`,
  errors: [400],
  emits: [],
  example: { start_check_in_date: '2027-03-01', end_check_in_date: '2027-03-31', order_by: 'check_in_date' },
});

const guestName = z.string().trim().min(1).max(100);
const email = z.string().max(50);
const mobile = z.string().max(50);
const notAfter = {
  path: ['check_out_date'],
  error: 'must be after check_in_date',
};
const tooLong = { path: ['check_out_date'], error: `is more than ${STAY_NIGHTS} nights after check_in_date` };

/** Creates a direct reservation. A channel_id yields one reservation for ever, even after it was cancelled. */
export const createReservation = operation({
  method: 'POST',
  path: '/reservations',
  params: none,
  query: none,
  body: z
    .object({
      property_id: id('Where.'),
      check_in_date: date,
      check_out_date: date,
      guest_name: guestName,
      rate_amount: rateAmount,
      commission_amount: rateAmount,
      received_amount: rateAmount.describe('Above zero: one income entry is made.'),
      custom_channel_id: id('The source of the booking.').optional(),
      currency: currency.optional().describe('Default: the property’s, else the operator’s.'),
      income_method_id: id('How the received amount came. Default: the first method.').optional(),
      number_of_guests: z.int().min(1).max(99).default(1),
      email: email.optional(),
      mobile: mobile.optional(),
      note: z.string().max(500).optional(),
      channel_id: z
        .string()
        .regex(/^[A-Za-z0-9]{1,32}$/, { error: 'must be 1 to 32 letters and digits' })
        .optional()
        .describe('Your own reference; a repeat answers the booking made first.'),
    })
    .refine((body) => body.check_in_date < body.check_out_date, notAfter)
    .refine((body) => daysBetween(body.check_in_date, body.check_out_date) <= STAY_NIGHTS, tooLong)
    .meta({ family: 'reservation' }),
  data: z.object({
    reservation: z
      .object({
        reservation_code: z.string(),
        status: openEnum(reservationStatuses, 'reservation_status'),
      })
      .meta({ schemaName: 'CreatedReservation' }),
    reservation_code: z.string(),
    status: openEnum(reservationStatuses, 'reservation_status'),
  }),
  scope: 'confirm',
  rate: 'reservation_create',
  tool: { name: 'create_reservation', category: 'reservation' },
  since: '3.2.0',
  summary: 'Makes a direct booking.',
  notes: 'A channel_id yields one booking for ever, also after it was cancelled.',
  errors: [403, 404, 409],
  emits: ['reservation_created', 'property_availability_updated', 'transaction_created'],
  example: {
    property_id: 1,
    check_in_date: '2027-03-05',
    check_out_date: '2027-03-08',
    guest_name: 'Clara Hofmann',
    rate_amount: 300,
    commission_amount: 0,
    received_amount: 100,
    currency: 'EUR',
    channel_id: 'Order1001',
  },
});

/** Changes dates, guest, rates or notes of one stay. */
export const updateReservation = operation({
  method: 'PATCH',
  path: '/reservations/{stay_code}',
  params: z.object({ stay_code: z.string().describe('The stay.') }),
  query: none,
  body: z
    .object({
      note: z.string().max(500).optional(),
      creator: z.string().max(50).optional(),
      custom_channel_id: id('The source of the booking.').optional(),
      check_in_date: date.optional(),
      check_out_date: date.optional(),
      number_of_guests: z.int().min(1).max(99).optional(),
      guest_name: guestName.optional(),
      mobile: mobile.optional(),
      email: email.optional(),
      currency: currency.optional(),
      rate_amount: rateAmount.optional(),
      commission_amount: rateAmount.optional(),
      received_amount: rateAmount.optional().describe('Makes or edits the booking’s own income entry.'),
    })
    .refine((body) => !body.check_in_date || !body.check_out_date || body.check_in_date < body.check_out_date, notAfter)
    .meta({ family: 'reservation' }),
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'update_reservation_basic', category: 'reservation' },
  since: '3.2.0',
  summary: 'Changes dates, guest, rates or notes of one stay.',
  errors: [400, 403, 404, 409],
  emits: [
    'reservation_updated',
    'property_availability_updated',
    'transaction_created',
    'transaction_updated',
    'transaction_deleted',
  ],
  example: { stay_code: '5-8HQT3B-SDUV3FQ2', number_of_guests: 3, remarks: 'Arrives late.' },
});

/** Changes arrival, departure, lock code, deposit or identity check of one stay. */
export const updateCheckInDetails = operation({
  method: 'PATCH',
  path: '/reservations/{stay_code}/check_in_details',
  params: z.object({ stay_code: z.string().describe('The stay.') }),
  query: none,
  body: z.object({
    arrival_at: clockTime.nullable().optional(),
    departure_at: clockTime.nullable().optional(),
    lock_code: z.string().min(1).max(50).nullable().optional().meta({ secret: true }).describe('null deletes it.'),
    lock_code_visible_after: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time, HH:mm' })
      .nullable()
      .optional(),
    deposit: amount.min(0).optional(),
    id_required: z.enum(idRequirements).optional(),
  }),
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'update_reservation_checkin_details', category: 'reservation' },
  since: '3.2.0',
  summary: 'Changes arrival, departure, lock code, deposit or identity check of one stay.',
  errors: [404],
  emits: ['reservation_updated'],
  example: {
    stay_code: '5-8HQT3B-SDUV3FQ2',
    arrival_at: { hour: 16, minute: 30 },
    lock_code: '4711',
    lock_code_visible_after: '14:00',
    id_required: 'required',
  },
});

/** Cancels a direct reservation and frees its nights at once. */
export const cancelReservation = operation({
  method: 'DELETE',
  path: '/reservations/{reservation_code}',
  params: z.object({ reservation_code: z.string().describe('The reservation.') }),
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'cancel_reservation', category: 'reservation' },
  since: '3.2.0',
  summary: 'Cancels a direct booking and frees its nights at once.',
  errors: [400, 404],
  emits: ['reservation_updated', 'property_availability_updated'],
  example: { reservation_code: '5-8HQT3B-SDUV3FQ2' },
});
