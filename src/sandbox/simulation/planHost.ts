import type { Dice } from '../../kernel/seeded.ts';
import { beginOf, endOf } from './planReservations.ts';
import type { Happening, HostStep, Order, PlannedProperty } from './scenario.ts';

/** Days ahead of today for which hosts set prices. */
const SEASON_DAYS = 120;
/** Probability in percent that a marketplace account breaks once in a simulation. */
const BROKEN_PERCENT = 60;

/** Plans the actions of hosts on their listings over time, and of marketplaces towards hosts. */
export function planHost(dice: Dice, order: Order, properties: readonly PlannedProperty[]): Happening[] {
  return [
    ...properties.flatMap((property, index) => aboutProperty(dice, order, property, index)),
    ...brokenAccounts(dice, order, properties),
  ];
}

function aboutProperty(dice: Dice, order: Order, { channels }: PlannedProperty, property: number): Happening[] {
  const before = () => dice.between(beginOf(order), 0);
  const span = () => {
    const from = dice.between(1, SEASON_DAYS);
    return { from, to: from + dice.between(1, 30) };
  };
  const on = (day: number, ...steps: HostStep[]): Happening[] => {
    const channel = dice.pick(channels);
    return steps.map((step) => ({ day, what: 'host', property, channel, step }));
  };
  const happenings = [...on(before(), { kind: 'set_prices', ...span(), percent: dice.between(90, 160) })];
  const perhaps = (share: number, make: () => Happening[]) => {
    if (dice.percent(share)) happenings.push(...make());
  };
  perhaps(60, () => on(before(), { kind: 'set_prices', ...span(), percent: dice.between(80, 140) }));
  perhaps(40, () => on(before(), { kind: 'set_restrictions', ...span(), least: dice.between(2, 5) }));
  perhaps(30, () => on(before(), { kind: 'edit_calendar', ...span(), percent: dice.between(90, 130) }));
  perhaps(20, () => on(before(), { kind: 'edit_settings', cleaning_fee: dice.between(1, 8) * 10 }));
  // The days follow the last arrival, so that no guest is affected.
  perhaps(25, () => on(before(), { kind: 'block', from: endOf(order) + 20, to: endOf(order) + dice.between(21, 30) }));
  perhaps(20, () => {
    const outcome = dice.percent(60) ? 'failed' : 'warning';
    return on(before(), { kind: 'push', outcome, ...span(), percent: dice.between(90, 120) });
  });
  perhaps(12, () => {
    const shelf = (trigger: 'take_off' | 'publish'): HostStep => ({ kind: 'shelf', trigger });
    return on(before(), shelf('take_off'), shelf('publish'));
  });
  return happenings;
}

/** Plans the failures of accounts, one after the other, by day. Prices set meanwhile do not arrive. */
function brokenAccounts(dice: Dice, order: Order, properties: readonly PlannedProperty[]): Happening[] {
  const channels = [...new Set(properties.flatMap((property) => property.channels))].toSorted();
  return channels.flatMap((channel) => {
    if (!dice.percent(BROKEN_PERCENT)) return [];
    const property = properties.findIndex((one) => one.channels.includes(channel));
    const day = dice.between(beginOf(order), 0);
    const trigger = dice.percent(70) ? ('fail' as const) : ('lose_sight' as const);
    const steps: HostStep[] = [
      { kind: 'auth', trigger },
      { kind: 'set_prices', from: 1, to: dice.between(2, 30), percent: dice.between(90, 120) },
      { kind: 'auth', trigger: 'recover' },
    ];
    return steps.map((step): Happening => ({ day, what: 'host', property, channel, step }));
  });
}
