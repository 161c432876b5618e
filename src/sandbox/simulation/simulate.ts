import { setImmediate } from 'node:timers/promises';
import { breather, sleep } from '../../kernel/clock.ts';
import { dateIn, type PlainDate } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Core } from '../../core/context.ts';
import { makeReservation } from './reservationActs.ts';
import { nameOfHost, takeHostStep } from './hostActs.ts';
import { type PlayedProperty, openAccounts, openProperty, propertiesSoFar } from './playedProperties.ts';
import { planInSteps } from './plan.ts';
import type { Channel, Happening, Order, Scenario } from './scenario.ts';
import { type Owner, type Stage, stageOf } from './stage.ts';
import { nameOf, type Story, takeStep } from './stepActs.ts';
import { beginningOf, eventsSince, pushesSince, type SimulationSummary, standings } from './summary.ts';

const MINUTE_MS = 60_000;

/** Progress of a simulation. */
export interface SimulationProgress {
  done: number;
  total: number;
  text: string;
}

export interface Simulation {
  owner: Owner;
  order: Order;
  /** Happenings a minute; null: as fast as the core accepts them. */
  perMinute: number | null;
  progress(state: SimulationProgress): void;
  /** Stops the simulation between two actions. */
  signal: AbortSignal;
}

async function scenarioOf(order: Order, today: PlainDate): Promise<Scenario> {
  const rest = breather();
  const planning = planInSteps(order, today);
  for (let step = planning.next(); ; step = planning.next()) {
    if (step.done) return step.value;
    await rest();
  }
}

/** The opened properties and accounts, and the reservations with further steps. */
interface World {
  playedProperties: PlayedProperty[];
  accounts: ReadonlyMap<Channel, number>;
  stories: Map<number, Story>;
}

/**
 * Simulates guests and hosts on sandbox marketplaces, on properties of its own: everything that has happened until now,
 * in the order of time. The order alone decides what happens; codes and ids are new each time.
 * @throws OperatorError when it is stopped before its end; completed actions remain
 */
export async function simulate(core: Core, simulation: Simulation): Promise<SimulationSummary> {
  const { owner, order, signal, progress } = simulation;
  const { account } = owner;
  const scenario = await scenarioOf(order, dateIn(account.time_zone, core.clock.now()));
  const stage = stageOf(core, owner, signal);
  const beginning = await beginningOf(core.store.db, account.account_id, core.ids());
  const actions: Record<string, number> = {};
  const tally = (action: string) => void (actions[action] = (actions[action] ?? 0) + 1);
  const total = scenario.properties.length + scenario.timeline.length;
  let done = 0;
  const next = async (text: string) => {
    if (signal.aborted) throw new OperatorError('stopped before the end', 'what was done stays done');
    progress({ done: (done += 1), total, text });
    if (simulation.perMinute !== null) await sleep(core.clock, MINUTE_MS / simulation.perMinute, signal);
    // The service continues to answer meanwhile.
    await setImmediate();
  };

  const world = await openWorld(stage, scenario, tally, () => next('opening playedProperties'));
  for (const happening of scenario.timeline) {
    await happen(stage, { scenario, world, tally }, happening);
    await next('guests and hosts');
  }
  await stage.calendarsDone();
  const { db } = core.store;
  const booked = [...world.stories.values()].map((story) => story.booked);
  return {
    order,
    actions: Object.fromEntries(Object.entries(actions).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    bookings: await standings(
      db,
      beginning,
      booked.map(({ reservation_code }) => reservation_code),
    ),
    boxed: booked.reduce((sum, { boxed }) => sum + boxed.length, 0),
    pushes: await pushesSince(db, beginning),
    events: await eventsSince(db, beginning),
  };
}

async function openWorld(
  stage: Stage,
  scenario: Scenario,
  tally: (action: string) => void,
  advance: () => Promise<void>,
): Promise<World> {
  const accounts = await openAccounts(stage, scenario, () => tally('connect'));
  const before = await propertiesSoFar(stage.core, stage.owner);
  const playedProperties: PlayedProperty[] = [];
  for (const [index, property] of scenario.properties.entries()) {
    playedProperties.push(await openProperty(stage, property, { number: before + index + 1, accounts }));
    tally('open_property');
    await advance();
  }
  await stage.calendarsDone();
  return { playedProperties, accounts, stories: new Map() };
}

interface Play {
  scenario: Scenario;
  world: World;
  tally: (action: string) => void;
}

async function happen(stage: Stage, { scenario, world, tally }: Play, happening: Happening): Promise<void> {
  if (happening.what === 'host') {
    const { property, channel, step } = happening;
    const channelAccount = world.accounts.get(channel) ?? 0;
    await takeHostStep(stage, { played: propertyAt(world, property), channel, channelAccount }, step);
    return tally(nameOfHost(step));
  }
  const planned = scenario.bookings[happening.booking];
  if (!planned) throw new Error(`there is no booking ${happening.booking}`);
  if (happening.what === 'book') {
    const further = planned.further === null ? null : propertyAt(world, planned.further);
    const place = { played: propertyAt(world, planned.property), further };
    const booked = await makeReservation(stage, planned, place, tally);
    if (booked) world.stories.set(happening.booking, { planned, booked });
    return;
  }
  const story = world.stories.get(happening.booking);
  if (!story) throw new Error(`booking ${happening.booking} has no story`);
  const { day, step, position } = happening;
  // Steps of one day follow each other.
  const at = stage.moment(day, Math.floor(planned.minutes / (position + 2)));
  await takeStep(stage, story, { ...step, at });
  tally(nameOf(step));
}

function propertyAt({ playedProperties }: World, index: number): PlayedProperty {
  const played = playedProperties[index];
  if (!played) throw new Error(`there is no played ${index}`);
  return played;
}
