import type { PlainDate } from '../../../kernel/dates.ts';
import { type Dice, seededDice } from '../../../kernel/seeded.ts';
import { planHouse } from './planBookings.ts';
import { planHost } from './planHost.ts';
import {
  type Channel,
  CHANNELS,
  type Happening,
  type Order,
  type PlannedBooking,
  type PlannedProperty,
  type Scenario,
} from './scenario.ts';

/** Everything that will happen, decided before anything does. */
export function plan(order: Order, today: PlainDate): Scenario {
  const dice = seededDice(order.seed);
  const properties = Array.from({ length: order.properties }, () => plannedProperty(dice));
  const bookings = properties.flatMap((_property, index) => planHouse(dice, { order, properties, index, today }));
  const timeline = [...bookings.flatMap(happeningsOf), ...planHost(dice, order, properties)];
  // A stable order: what falls on one day happens as it was decided.
  return { properties, bookings, timeline: timeline.toSorted((a, b) => a.day - b.day) };
}

function plannedProperty(dice: Dice): PlannedProperty {
  const others = CHANNELS.filter((channel): channel is Channel => channel !== 'marketplace_a' && dice.percent(40));
  return {
    base_price: dice.between(60, 240),
    cleaning_fee: dice.between(0, 6) * 10,
    channels: ['marketplace_a', ...others],
  };
}

function happeningsOf({ day, steps }: PlannedBooking, booking: number): Happening[] {
  return [
    { day, what: 'book', booking },
    ...steps.map((dated, position) => ({ day: dated.day, what: 'step' as const, booking, step: dated.step, position })),
  ];
}
