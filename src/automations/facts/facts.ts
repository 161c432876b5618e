import type { Instant, PlainDate } from '../../kernel/dates.ts';
import { dateIn, msOf } from '../../kernel/dates.ts';

/** The columns of a stay that times and conditions need, from the mirror or from a fresh answer. */
export interface StayColumns {
  stay_code: string;
  reservation_code: string;
  channel_type: string | null;
  listing_id: string | null;
  property_id: number | null;
  status: string | null;
  stay_status: string | null;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  nights: number | null;
  number_of_guests: number | null;
  number_of_children: number | null;
  number_of_pets: number | null;
  payment_status: string | null;
  balance_minor: number | null;
  payment_total_minor: number | null;
  deposit_minor: number | null;
  deposit_status: string | null;
  id_required: string | null;
  conversation_id: string | null;
  booked_at: Instant | null;
  created_at: Instant | null;
  cancelled_at: Instant | null;
}

/** Further facts of a stay that are not columns. */
export interface StayDetails {
  /** Null if unknown. */
  tags: readonly string[] | null;
  /** `HH:MM`, if the guest has given it. */
  arrival: string | null;
  departure: string | null;
  /** Null if unknown. */
  has_lock_code: boolean | null;
  /** True if a guest of the reservation has shown a document. */
  has_document: boolean;
  /** Null if unknown. */
  custom_fields: Readonly<Record<string, string>> | null;
  /** Channels whose guests pay the channel when they book. */
  paidByChannel: readonly string[];
}

export interface StayFacts extends StayColumns, Omit<StayDetails, 'paidByChannel' | 'has_document'> {
  /** Null if the payment is unknown. */
  is_paid: boolean | null;
  /** Null if the need for a document is unknown. */
  is_identified: boolean | null;
  /** Returns the date on which the reservation was made, in a zone, UTC by default. */
  bookedDate(zone: string | undefined): PlainDate;
}

/** A group of properties, as far as known. */
export interface GroupName {
  id: number | null;
  name: string | null;
}

export interface PropertyFacts {
  id: number;
  name: string | null;
  address: string | null;
  zone: string;
  /** Null if unknown. */
  tags: readonly string[] | null;
  /** Its groups, or null if unknown. */
  groups: readonly GroupName[] | null;
}

export interface MessageFacts {
  message_id: string;
  content: string;
  sent_at: Instant;
}

export interface ReviewFacts {
  reservation_code: string;
  score: number | null;
  content: string | null;
  host_reviewed: boolean;
  host_replied: boolean;
}

/** A task of the staff. */
export interface TaskFacts {
  id: number;
  type: string | null;
  status: string | null;
  property_id: number | null;
  staff_name: string | null;
  expected_date: PlainDate | null;
  expected_time: string | null;
  note: string | null;
}

/** Availability of the nights next to a stay; null if unknown. */
export interface NextNights {
  before: boolean | null;
  after: boolean | null;
}

/** Everything that a rule may examine. Null means that it does not exist, undefined that it was not read. */
export interface Facts {
  channel_type: string | null;
  stay: StayFacts | null;
  property: PropertyFacts | null;
  message: MessageFacts | null;
  review?: ReviewFacts | null | undefined;
  task: TaskFacts | null;
  arrivesSameDay: boolean;
  /** The planned day at the property, or null before planning. */
  day: PlainDate | null;
  /** The language for the guest, or null if unknown. */
  language: string | null;
  /** True if the guest had an earlier stay; null if unknown or not read. */
  returning: boolean | null;
  nextNights?: NextNights | undefined;
}

/** Facts of nothing. */
export const noFacts: Facts = {
  channel_type: null,
  stay: null,
  property: null,
  message: null,
  task: null,
  arrivesSameDay: false,
  day: null,
  language: null,
  returning: null,
};

const PAID: ReadonlySet<string> = new Set(['received', 'over_received']);
const NOT_REQUIRED: ReadonlySet<string> = new Set(['not_required']);

function among(words: ReadonlySet<string>, word: string | null): boolean | null {
  return word === null ? null : words.has(word);
}

export function stayFacts(columns: StayColumns, details: StayDetails): StayFacts {
  const { paidByChannel, has_document, ...rest } = details;
  const booked = columns.booked_at ?? columns.created_at;
  return {
    ...columns,
    ...rest,
    is_paid: paidByChannel.includes(columns.channel_type ?? '') || among(PAID, columns.payment_status),
    is_identified: has_document || among(NOT_REQUIRED, columns.id_required),
    bookedDate: (zone = 'UTC') => (booked === null ? columns.check_in_date : dateIn(zone, msOf(booked))),
  };
}
