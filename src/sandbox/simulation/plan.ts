import type { PlainDate } from '../../kernel/dates.ts';
import { marketplaces } from '../channel/adapters.ts';
import { type Dice, seededDice } from '../../kernel/seeded.ts';
import { planProperty } from './planReservations.ts';
import { planHost } from './planHost.ts';
import {
  type Channel,
  type Happening,
  type Order,
  type PlannedReservation,
  type PlannedProperty,
  type Scenario,
} from './scenario.ts';

/** Plans the whole simulation before anything happens. */
export function plan(order: Order, today: PlainDate): Scenario {
  const planning = planInSteps(order, today);
  for (let step = planning.next(); ; step = planning.next()) if (step.done) return step.value;
}

/**
 * Plans as {@link plan} does, with a pause after each property, so that other work can run: two years of a thousand
 * properties take seconds.
 */
export function* planInSteps(order: Order, today: PlainDate): Generator<undefined, Scenario> {
  const dice = seededDice(order.seed);
  const properties = Array.from({ length: order.properties }, () => plannedProperty(dice));
  const bookings: PlannedReservation[] = [];
  const days = new Map<number, Happening[]>();
  // Happenings of one day occur in the order in which they were planned.
  const add = (happening: Happening) => {
    const day = days.get(happening.day);
    if (day) day.push(happening);
    else days.set(happening.day, [happening]);
  };
  for (const index of properties.keys()) {
    for (const booking of planProperty(dice, { order, properties, index, today })) {
      for (const happening of happeningsOf(booking, bookings.length)) add(happening);
      bookings.push(booking);
    }
    yield;
  }
  for (const happening of planHost(dice, order, properties)) add(happening);
  const timeline = [...days.keys()].toSorted((a, b) => a - b).flatMap((day) => days.get(day) ?? []);
  return { properties, bookings, timeline };
}

function plannedProperty(dice: Dice): PlannedProperty {
  const others = marketplaces.filter((channel): channel is Channel => channel !== 'marketplace_a' && dice.percent(40));
  return {
    base_price: dice.between(60, 240),
    cleaning_fee: dice.between(0, 6) * 10,
    channels: ['marketplace_a', ...others],
  };
}

function happeningsOf({ day, steps }: PlannedReservation, booking: number): Happening[] {
  return [
    { day, what: 'book', booking },
    ...steps.map((dated, position) => ({ day: dated.day, what: 'step' as const, booking, step: dated.step, position })),
  ];
}
