import type { PlainDate } from '../../kernel/dates.ts';

/** What is to be simulated: the same order gives the same scenario. */
export interface Order {
  /** Arrivals spread over so many days, one half of them before today and the other from today on. */
  days: number;
  properties: number;
  seed: number;
}

export const CHANNELS = [
  'marketplace_a',
  'marketplace_b',
  'marketplace_c',
  'regional_marketplace',
  'booking_site',
] as const;
export type Channel = (typeof CHANNELS)[number];

export interface PlannedProperty {
  base_price: number;
  cleaning_fee: number;
  channels: readonly [Channel, ...Channel[]];
}

type DepositEvent = 'required' | 'paid' | 'deducted' | 'refunded' | 'returned';

/** What becomes of a booking, one step after the other. */
export type Step =
  /** `over`: the marketplace's own app, or v3. */
  | { kind: 'approve' | 'decline'; over: 'app' | 'v3' }
  | { kind: 'give_up' | 'lapse' | 'cancel' | 'guide_image' | 'announce_review' }
  /** Percent of what is owed. */
  | { kind: 'pay'; share: number }
  | { kind: 'alter'; nights: number; guests: number }
  | { kind: 'details'; policy: string }
  | { kind: 'register'; country: string; pictures: number }
  | { kind: 'stay_status'; status: 'in_house' | 'stay_completed' }
  | { kind: 'message'; from: 'guest' | 'host'; over: 'app' | 'v3'; content: string; picture: boolean }
  | { kind: 'deposit'; event: DepositEvent; amount: number }
  | { kind: 'review'; score: number; category: string; content: string; feedback: string | null }
  | { kind: 'host_review'; score: number; content: string }
  | { kind: 'reply'; over: 'app' | 'v3'; content: string };

/** Something and its day, counted from today: never later than today. */
export interface Dated<Step> {
  day: number;
  step: Step;
}

/** What a host offers to somebody who has asked, and what becomes of it. */
export interface PlannedOffer {
  offer_type: 'special_offer' | 'preapproval';
  /** Of the usual price for the nights, in percent. */
  percent: number;
  end: 'accept' | 'decline' | 'withdraw' | 'leave';
}

export interface PlannedBooking {
  /** Which property, counted from 0. */
  property: number;
  channel: Channel;
  kind: 'request' | 'instant' | 'unpaid';
  guest: string;
  guests: number;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  /** When it was made, counted in days from today, and the minutes before that moment of the day. */
  day: number;
  minutes: number;
  /** What was asked before. */
  inquiry: string | null;
  /** Where it is booked by an answer to an offer. */
  offer: PlannedOffer | null;
  /** Another property that is booked with it. */
  further: number | null;
  steps: Dated<Step>[];
}

/** What a host does about a listing, or its marketplace does to it. */
export type HostStep =
  | { kind: 'set_prices'; from: number; to: number; percent: number }
  | { kind: 'set_restrictions'; from: number; to: number; least: number }
  | { kind: 'block'; from: number; to: number }
  | { kind: 'edit_calendar'; from: number; to: number; percent: number }
  | { kind: 'edit_settings'; cleaning_fee: number }
  | { kind: 'push'; outcome: 'failed' | 'warning'; from: number; to: number; percent: number }
  | { kind: 'shelf'; trigger: 'take_off' | 'publish' }
  | { kind: 'auth'; trigger: 'fail' | 'recover' | 'lose_sight' };

/** One thing in the order of time. */
export type Happening = { day: number } & (
  | { what: 'book'; booking: number }
  | { what: 'step'; booking: number; step: Step; position: number }
  | { what: 'host'; property: number; channel: Channel; step: HostStep }
);

export interface Scenario {
  properties: PlannedProperty[];
  bookings: PlannedBooking[];
  /** Everything, the earliest first. */
  timeline: Happening[];
}
