import { addDays, type PlainDate } from '../../kernel/dates.ts';
import type { Dice } from '../../kernel/seeded.ts';
import { stepsOf } from './planSteps.ts';
import type { Channel, Order, PlannedReservation, PlannedOffer, PlannedProperty } from './scenario.ts';
import { FIRST_NAMES, INQUIRIES, LAST_NAMES } from './words.ts';

/** Marketplaces that allow offers, and the one that allows pre-approvals. */
const OFFER_CHANNELS: readonly Channel[] = ['marketplace_a', 'booking_site'];
const PREAPPROVAL_CHANNEL: Channel = 'marketplace_a';
const DAY_MINUTES = 1_440;
/** Most days since a reservation that may result from an offer. */
const OFFER_DAYS = 10;

/** Returns the day of the first possible arrival, counted from today. */
export function beginOf({ days }: Order): number {
  return -Math.floor(days / 2);
}

/** Returns the first day after all arrivals. */
export function endOf(order: Order): number {
  return beginOf(order) + order.days;
}

interface PlayedProperty {
  order: Order;
  properties: readonly PlannedProperty[];
  index: number;
  today: PlainDate;
}

/** Arrival and length of a stay, and the day since when its nights can be reserved. */
interface Slot {
  arrival: number;
  nights: number;
  openSince: number;
}

/** Returns the reservations of one property, by arrival. Nights far ahead are sparsely reserved. */
export function planProperty(dice: Dice, played: PlayedProperty): PlannedReservation[] {
  const bookings: PlannedReservation[] = [];
  let arrival = beginOf(played.order) + dice.between(0, 4);
  let openSince = Number.NEGATIVE_INFINITY;
  for (;;) {
    arrival += dice.percent(60) ? dice.between(0, 2) : dice.between(3, 9);
    if (arrival >= endOf(played.order)) return bookings;
    const slot = { arrival, nights: nightsOf(dice), openSince };
    const booking = plannedReservation(dice, played, slot);
    openSince = Number.NEGATIVE_INFINITY;
    if (!booking) {
      arrival += slot.nights;
      continue;
    }
    bookings.push(booking);
    // A guest on another marketplace was as quick: a double booking.
    const rival = dice.percent(3) ? plannedReservation(dice, played, slot) : undefined;
    if (rival) bookings.push(rival);
    const freed = freedOn(booking);
    if (freed !== undefined && !rival) {
      // The nights can be reserved again from that day on.
      openSince = freed;
      continue;
    }
    const longer = booking.steps.find(({ step }) => step.kind === 'alter')?.step;
    arrival += Math.max(slot.nights, longer?.kind === 'alter' ? longer.nights : 0);
  }
}

function nightsOf(dice: Dice): number {
  if (dice.percent(12)) return 1;
  return dice.percent(80) ? dice.between(2, 6) : dice.between(7, 14);
}

/** Returns the day on which a reservation freed its nights; undefined when it holds them. */
function freedOn({ day, offer, steps }: PlannedReservation): number | undefined {
  if (offer && offer.end !== 'accept') return day;
  return steps.find(({ step }) => ['cancel', 'give_up', 'decline', 'lapse'].includes(step.kind))?.day;
}

/** @returns undefined when these nights are not reserved yet */
function plannedReservation(dice: Dice, played: PlayedProperty, slot: Slot): PlannedReservation | undefined {
  const { arrival, nights, openSince } = slot;
  const wished = arrival - leadDays(dice);
  const bookable = Math.max(wished, openSince);
  if (bookable > Math.min(0, arrival)) return undefined;
  const { channels } = played.properties[played.index] ?? { channels: ['marketplace_a'] as const };
  const channel = dice.pick(channels);
  // Offers are made and answered today.
  const isRecent = bookable >= -OFFER_DAYS && arrival > 0;
  const offer = isRecent && OFFER_CHANNELS.includes(channel) && dice.percent(60) ? offerOn(dice, channel) : null;
  const day = offer ? 0 : bookable;
  const kind = offer ? 'instant' : kindOn(dice, channel);
  const guests = dice.between(1, 4);
  return {
    property: played.index,
    channel,
    kind,
    guest: `${dice.pick(FIRST_NAMES)} ${dice.pick(LAST_NAMES)}`,
    guests,
    check_in_date: addDays(played.today, arrival),
    check_out_date: addDays(played.today, arrival + nights),
    day,
    minutes: day === 0 ? dice.between(10, 300) : dice.between(10, DAY_MINUTES - 10),
    inquiry: offer || dice.percent(15) ? dice.pick(INQUIRIES) : null,
    offer,
    further: kind === 'instant' && !offer && dice.percent(3) ? furtherRoom(dice, played, channel) : null,
    steps: offer && offer.end !== 'accept' ? [] : stepsOf(dice, { channel, kind, arrival, nights, guests, day }),
  };
}

function leadDays(dice: Dice): number {
  const shape = dice.between(1, 100);
  if (shape <= 20) return dice.between(0, 2);
  if (shape <= 60) return dice.between(3, 21);
  return shape <= 90 ? dice.between(22, 90) : dice.between(91, 200);
}

function kindOn(dice: Dice, channel: Channel): PlannedReservation['kind'] {
  if (channel === 'booking_site') return 'unpaid';
  return dice.percent(15) ? 'request' : 'instant';
}

function offerOn(dice: Dice, channel: Channel): PlannedOffer {
  const isApproval = channel === PREAPPROVAL_CHANNEL && dice.percent(40);
  const shape = dice.between(1, 100);
  const end = shape <= 50 ? 'accept' : shape <= 75 ? 'decline' : shape <= 88 ? 'withdraw' : 'leave';
  return { offer_type: isApproval ? 'preapproval' : 'special_offer', percent: dice.between(80, 98), end };
}

/** Returns another property on the same marketplace. */
function furtherRoom(dice: Dice, { properties, index }: PlayedProperty, channel: Channel): number | null {
  const others = properties.flatMap((property, other) =>
    other !== index && property.channels.includes(channel) ? [other] : [],
  );
  const [first, ...more] = others;
  return first === undefined ? null : dice.pick([first, ...more]);
}
