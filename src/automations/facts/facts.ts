import type { Instant, PlainDate } from '../../kernel/dates.ts';
import { dateIn, msOf } from '../../kernel/dates.ts';

/** What is asked of a stay by times and conditions; the same whether the mirror or a fresh answer tells it. */
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

/** What columns alone do not tell. */
export interface StayDetails {
  /** null: nobody says which. */
  tags: readonly string[] | null;
  /** `HH:MM`, where the guest has said so. */
  arrival: string | null;
  departure: string | null;
  /** null: nobody says. */
  has_lock_code: boolean | null;
  /** Somebody of the booking has shown a document. */
  has_document: boolean;
  /** null: nobody says which. */
  custom_fields: Readonly<Record<string, string>> | null;
  /** Channels whose guests have paid the channel when they have booked. */
  paidByChannel: readonly string[];
}

export interface StayFacts extends StayColumns, Omit<StayDetails, 'paidByChannel' | 'has_document'> {
  /** null: nobody says what was paid. */
  is_paid: boolean | null;
  /** null: nobody says whether a document is asked for. */
  is_identified: boolean | null;
  /** The date of the booking in a zone; UTC when there is none. */
  bookedDate(zone: string | undefined): PlainDate;
}

/** A group of properties, as far as it is known. */
export interface GroupName {
  id: number | null;
  name: string | null;
}

export interface PropertyFacts {
  id: number;
  name: string | null;
  address: string | null;
  zone: string;
  /** null: nobody says which. */
  tags: readonly string[] | null;
  /** The groups it is in; null: nobody says which. */
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

/** Whether the nights next to a stay are free. null: nobody says. */
export interface NextNights {
  before: boolean | null;
  after: boolean | null;
}

/** All that a rule may look at. null: there is none; left out: nobody has asked. */
export interface Facts {
  channel_type: string | null;
  stay: StayFacts | null;
  property: PropertyFacts | null;
  message: MessageFacts | null;
  review?: ReviewFacts | null | undefined;
  task: TaskFacts | null;
  arrivesSameDay: boolean;
  /** The day for which something is planned, where the property is; null: it is not planned yet. */
  day: PlainDate | null;
  /** What the guest is written to in; null: nothing tells. */
  language: string | null;
  /** Whether a stay of the same guest is over; null: nothing tells, or nobody has asked. */
  returning: boolean | null;
  nextNights?: NextNights | undefined;
}

/** Nothing is known. */
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
