import { addDays, type PlainDate } from '../../../kernel/dates.ts';
import { type Dice, seededDice } from '../../../kernel/seeded.ts';

/** What is to be simulated: the same order gives the same scenario. */
export interface Order {
  /** Arrivals spread over so many days from today on. */
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

/** What becomes of a booking, one step after the other. */
export type Step =
  | { kind: 'pay' | 'give_up' | 'cancel' | 'announce_review' | 'register' | 'details' }
  | { kind: 'alter'; nights: number }
  | { kind: 'message'; from: 'guest' | 'host'; content: string; picture: boolean }
  | { kind: 'deposit'; event: 'required' | 'paid' | 'deducted' | 'refunded' | 'returned'; amount: number }
  | { kind: 'review'; score: number; content: string };

export interface PlannedBooking {
  /** Which property, counted from 0. */
  property: number;
  channel: Channel;
  kind: 'request' | 'instant' | 'unpaid';
  guest: string;
  guests: number;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  /** How many days before today it was made. */
  booked_days_ago: number;
  /** Asked for dates before. */
  inquiry: boolean;
  steps: Step[];
}

export interface Scenario {
  properties: PlannedProperty[];
  /** In the order of their making. */
  bookings: PlannedBooking[];
}

/** Some guests have been there before today, so that there is something to review. */
const DAYS_BEFORE = 14;
const LONGEST_LEAD_DAYS = 90;

const FIRST_NAMES = ['Ada', 'Bruno', 'Chiara', 'Dmitri', 'Elif', 'Femi', 'Greta', 'Hugo', 'Ines', 'Jun'] as const;
const LAST_NAMES = [
  'Arnold',
  'Berg',
  'Costa',
  'Diaz',
  'Endo',
  'Fischer',
  'Garcia',
  'Holm',
  'Ivanov',
  'Jansen',
] as const;
const QUESTIONS = [
  'What time can we check in?',
  'Is there parking near the house?',
  'Do you have a cot for a baby?',
  'How do we get the keys?',
  'Is the wifi good enough for calls?',
] as const;
const ANSWERS = [
  'Yes, certainly.',
  'We will send you the details two days before.',
  'Gladly, thank you for asking.',
] as const;
const PRAISE = [
  'Lovely place, we will be back.',
  'Clean and quiet.',
  'As described.',
  'A little noisy at night.',
] as const;

/** Everything that will happen, decided before anything does. */
export function plan(order: Order, today: PlainDate): Scenario {
  const dice = seededDice(order.seed);
  const properties = Array.from({ length: order.properties }, () => plannedProperty(dice));
  const bookings = properties.flatMap((property, index) => stayAfterStay(dice, order, { property, index, today }));
  // A stable order: who booked longest ago comes first.
  return { properties, bookings: bookings.toSorted((a, b) => b.booked_days_ago - a.booked_days_ago) };
}

function plannedProperty(dice: Dice): PlannedProperty {
  const others = CHANNELS.filter((channel) => channel !== 'marketplace_a' && dice.percent(40));
  return {
    base_price: dice.between(60, 240),
    cleaning_fee: dice.between(0, 6) * 10,
    channels: ['marketplace_a', ...others],
  };
}

interface House {
  property: PlannedProperty;
  index: number;
  today: PlainDate;
}

function stayAfterStay(dice: Dice, order: Order, house: House): PlannedBooking[] {
  const bookings: PlannedBooking[] = [];
  let day = dice.between(-DAYS_BEFORE, 0);
  for (;;) {
    day += dice.percent(60) ? dice.between(0, 2) : dice.between(3, 9);
    if (day >= order.days) return bookings;
    const nights = dice.between(1, 7);
    const booking = plannedBooking(dice, house, day, nights);
    bookings.push(booking);
    // Somebody else on another marketplace was as quick.
    if (dice.percent(4)) bookings.push(plannedBooking(dice, house, day, nights));
    // Ended bookings leave their nights free.
    const isFree = booking.steps.some(({ kind }) => kind === 'cancel' || kind === 'give_up');
    const altered = booking.steps.find((step) => step.kind === 'alter');
    day += isFree ? 0 : Math.max(nights, altered?.nights ?? 0);
  }
}

function plannedBooking(dice: Dice, { property, index, today }: House, day: number, nights: number): PlannedBooking {
  const channel = dice.pick(property.channels);
  const kind = kindOn(dice, channel, day);
  return {
    property: index,
    channel,
    kind,
    guest: `${dice.pick(FIRST_NAMES)} ${dice.pick(LAST_NAMES)}`,
    guests: dice.between(1, 4),
    check_in_date: addDays(today, day),
    check_out_date: addDays(today, day + nights),
    // What waits has only just come in.
    booked_days_ago: kind === 'instant' ? Math.max(0, dice.between(1, LONGEST_LEAD_DAYS) - day) : 0,
    inquiry: dice.percent(15),
    steps: [...messages(dice), ...stepsOf(dice, { channel, kind, day, nights })],
  };
}

function kindOn(dice: Dice, channel: Channel, day: number): PlannedBooking['kind'] {
  if (day < 1) return 'instant';
  if (channel === 'booking_site') return 'unpaid';
  return dice.percent(15) ? 'request' : 'instant';
}

function messages(dice: Dice): Step[] {
  const asked = Array.from({ length: dice.between(0, 2) }, (): Step[] => [
    { kind: 'message', from: 'guest', content: dice.pick(QUESTIONS), picture: dice.percent(10) },
    ...(dice.percent(60)
      ? [{ kind: 'message', from: 'host', content: dice.pick(ANSWERS), picture: false } as const]
      : []),
  ]);
  return asked.flat();
}

interface Standing {
  channel: Channel;
  kind: PlannedBooking['kind'];
  day: number;
  nights: number;
}

function stepsOf(dice: Dice, { channel, kind, day, nights }: Standing): Step[] {
  if (kind === 'request') return dice.percent(30) ? [{ kind: 'give_up' }] : [];
  if (kind === 'unpaid' && dice.percent(20)) return dice.percent(50) ? [{ kind: 'give_up' }] : [];
  const steps: Step[] = dice.percent(70) || kind === 'unpaid' ? [{ kind: 'pay' }] : [];
  if (day > 0 && dice.percent(12)) return [...steps, { kind: 'cancel' }];
  if (day > 0 && dice.percent(8)) steps.push({ kind: 'alter', nights: nights + 1 });
  if (channel === 'marketplace_a' && dice.percent(50)) steps.push({ kind: 'details' });
  if (dice.percent(30)) steps.push(...deposit(dice, day + nights <= 0));
  if (day < 7 && dice.percent(60)) steps.push({ kind: 'register' });
  if (day + nights <= 0 && dice.percent(70)) steps.push(...reviews(dice, channel));
  return steps;
}

function deposit(dice: Dice, hasLeft: boolean): Step[] {
  const amount = dice.between(1, 4) * 50;
  const step = (event: Extract<Step, { kind: 'deposit' }>['event'], share = amount): Step => {
    return { kind: 'deposit', event, amount: share };
  };
  const taken = [step('required'), step('paid')];
  if (!hasLeft) return taken;
  if (dice.percent(15)) return [...taken, step('deducted', 20), step('refunded', amount - 20)];
  return [...taken, dice.percent(50) ? step('refunded') : step('returned')];
}

function reviews(dice: Dice, channel: Channel): Step[] {
  if (dice.percent(20)) return [{ kind: 'announce_review' }];
  const score = channel === 'marketplace_c' ? dice.between(6, 10) : dice.between(3, 5);
  return [{ kind: 'review', score, content: dice.pick(PRAISE) }];
}
