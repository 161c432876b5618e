import { setImmediate } from 'node:timers/promises';
import { dateIn } from '../../../kernel/dates.ts';
import { OperatorError } from '../../../kernel/errors.ts';
import { runChange } from '../../change.ts';
import type { Change, Core, Principal } from '../../context.ts';
import type { AccountRow } from '../../database.ts';
import { connectAccount } from '../listing.ts';
import { randomDigits } from '../names.ts';
import { makeBooking, openHouse, take } from './act.ts';
import { type Channel, CHANNELS, type Order, plan, type PlannedBooking, type Scenario } from './plan.ts';

/** How far a simulation is. */
export interface SimulationProgress {
  done: number;
  total: number;
  text: string;
}

/** What a simulation has done: how often each thing happened, and how the bookings stand after it. */
export interface SimulationSummary extends Order {
  actions: Record<string, number>;
  bookings: Record<string, number>;
  /** Stays that found their nights taken. */
  boxed: number;
}

export interface Simulation {
  /** Whose marketplaces are played. */
  owner: { account: AccountRow; operator: Principal['operator'] | null };
  order: Order;
  progress(state: SimulationProgress): void;
  /** Stops it between two actions. */
  signal: AbortSignal;
}

/** Runs one action as one change, and counts it. */
type Act = <T>(action: string, work: (change: Change) => Promise<T>) => Promise<T>;

/**
 * Plays guests and hosts on sandbox marketplaces as fast as the core takes it, on properties of its own. What happens
 * follows from the seed alone; codes and ids are new each time.
 * @throws OperatorError when it is stopped before its end; what was done stays done
 */
export async function simulate(core: Core, { owner, order, progress, signal }: Simulation): Promise<SimulationSummary> {
  const scenario = plan(order, dateIn(owner.account.time_zone, core.clock.now()));
  const summary: SimulationSummary = { ...order, actions: {}, bookings: {}, boxed: 0 };
  const act: Act = async (action, work) => {
    if (signal.aborted) throw new OperatorError('stopped before the end', 'what was done stays done');
    const result = await runChange(core, owner, work);
    addTo(summary.actions, action);
    // The service goes on answering meanwhile.
    await setImmediate();
    return result;
  };
  const total = scenario.properties.length + scenario.bookings.length;
  let done = 0;
  const advance = (text: string) => progress({ done: (done += 1), total, text });

  const houses = await openHouses(core, scenario, act, () => advance('opening houses'));
  for (const booking of scenario.bookings) {
    const listing = houses[booking.property]?.get(booking.channel);
    if (listing === undefined) throw new Error(`house ${booking.property} is not on ${booking.channel}`);
    const { status, boxed } = await live(booking, listing, act);
    addTo(summary.bookings, status);
    summary.boxed += boxed;
    advance('bookings');
  }
  return summary;
}

async function openHouses(core: Core, { properties }: Scenario, act: Act, advance: () => void) {
  const accounts = new Map<Channel, number>();
  for (const channel_type of CHANNELS.filter((one) => properties.some(({ channels }) => channels.includes(one)))) {
    const draft = { channel_type, username: `simulated ${channel_type}`, authorize: true };
    accounts.set(channel_type, await act('connect', (change) => connectAccount(change, draft)));
  }
  // So that a second run does not meet the names of the first.
  const run = randomDigits(core.random, 6);
  const houses: ReadonlyMap<Channel, string>[] = [];
  for (const [index, property] of properties.entries()) {
    const name = `Simulated ${run}-${index + 1}`;
    houses.push(await act('open_house', (change) => openHouse(change, property, { name, accounts })));
    advance();
  }
  return houses;
}

/** A booking from its making to what has become of it so far. */
async function live(planned: PlannedBooking, listing: string, act: Act) {
  const booked = await act(planned.kind, (change) => makeBooking(change, planned, listing));
  let { status } = booked;
  for (const step of planned.steps) {
    const name = step.kind === 'deposit' ? `deposit_${step.event}` : step.kind;
    ({ status = status } = await act(name, (change) => take(change, booked, planned, step)));
  }
  return { status, boxed: booked.boxed.length };
}

function addTo(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
