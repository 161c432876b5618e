import type { PlainDate } from '../../kernel/dates.ts';
import type { marketplaces } from '../channel/adapters.ts';

/** The request for a simulation. The same order gives the same scenario. */
export interface Order {
  /** Days over which arrivals are spread, one half before today and the other from today on. */
  days: number;
  properties: number;
  seed: number;
}

/** A channel of a scenario. */
export type Channel = (typeof marketplaces)[number];

export interface PlannedProperty {
  base_price: number;
  cleaning_fee: number;
  channels: readonly [Channel, ...Channel[]];
}

type DepositEvent = 'required' | 'paid' | 'deducted' | 'refunded' | 'returned';

/** One step in the life of a reservation. */
export type Step =
  /** `over`: the marketplace's own app, or v3. */
  | { kind: 'approve' | 'decline'; over: 'app' | 'v3' }
  | { kind: 'give_up' | 'lapse' | 'cancel' | 'guide_image' | 'announce_review' }
  /** Percentage of the amount owed. */
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

/** A step and its day, counted from today: never later than today. */
export interface Dated<Step> {
  day: number;
  step: Step;
}

/** An offer of a host after an inquiry, and its end. */
export interface PlannedOffer {
  offer_type: 'special_offer' | 'preapproval';
  /** Percentage of the usual price for the nights. */
  percent: number;
  end: 'accept' | 'decline' | 'withdraw' | 'leave';
}

export interface PlannedReservation {
  /** Index of the property, from 0. */
  property: number;
  channel: Channel;
  kind: 'request' | 'instant' | 'unpaid';
  guest: string;
  guests: number;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  /** Day on which it was made, counted from today, and minutes before the present time of that day. */
  day: number;
  minutes: number;
  /** Text of an inquiry before it. */
  inquiry: string | null;
  /** The offer whose answer makes the reservation. */
  offer: PlannedOffer | null;
  /** Index of another property that is reserved with it. */
  further: number | null;
  steps: Dated<Step>[];
}

/** An action of a host on a listing, or of its marketplace. */
export type HostStep =
  | { kind: 'set_prices'; from: number; to: number; percent: number }
  | { kind: 'set_restrictions'; from: number; to: number; least: number }
  | { kind: 'block'; from: number; to: number }
  | { kind: 'edit_calendar'; from: number; to: number; percent: number }
  | { kind: 'edit_settings'; cleaning_fee: number }
  | { kind: 'push'; outcome: 'failed' | 'warning'; from: number; to: number; percent: number }
  | { kind: 'shelf'; trigger: 'take_off' | 'publish' }
  | { kind: 'auth'; trigger: 'fail' | 'recover' | 'lose_sight' };

/** One happening in the order of time. */
export type Happening = { day: number } & (
  | { what: 'book'; booking: number }
  | { what: 'step'; booking: number; step: Step; position: number }
  | { what: 'host'; property: number; channel: Channel; step: HostStep }
);

export interface Scenario {
  properties: PlannedProperty[];
  bookings: PlannedReservation[];
  /** All happenings, the earliest first. */
  timeline: Happening[];
}
