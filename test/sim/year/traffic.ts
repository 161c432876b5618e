import { type Booked, makeReservation } from '../../../src/sandbox/simulation/reservationActs.ts';
import { takeHostStep } from '../../../src/sandbox/simulation/hostActs.ts';
import { type PlayedProperty, openAccounts, openProperty } from '../../../src/sandbox/simulation/playedProperties.ts';
import { plan } from '../../../src/sandbox/simulation/plan.ts';
import type { Channel, Happening, PlannedReservation } from '../../../src/sandbox/simulation/scenario.ts';
import type { Stage } from '../../../src/sandbox/simulation/stage.ts';
import { takeStep } from '../../../src/sandbox/simulation/stepActs.ts';
import { addDays, instantOf, type PlainDate } from '../../../src/kernel/dates.ts';
import { ApiError } from '../../../src/kernel/errors.ts';
import type { Dice } from '../../../src/kernel/seeded.ts';

const MINUTE_MS = 60_000;
/** People are awake; minutes of the day, UTC. */
const AWAKE = { from: 5 * 60, to: 22 * 60 + 30 };

export interface TrafficOptions {
  stage: Stage;
  dice: Dice;
  seed: number;
  properties: number;
  /** The first day, and how many there are. */
  from: PlainDate;
  days: number;
}

/** What happens at a moment. */
export interface Event {
  atMs: number;
  /** Plays it. */
  play(): Promise<void>;
}

/** Guests and hosts of a year as `stayd simulate` makes them up, each thing at a moment of its own day. */
export async function openTraffic(options: TrafficOptions): Promise<{
  events: readonly Event[];
  /** The guest of a conversation. */
  guests: ReadonlyMap<string, string>;
  refused: () => number;
}> {
  const { stage, dice, seed, properties, from, days } = options;
  // The scenario ends today; half of its arrivals lie before.
  const today = addDays(from, days);
  const scenario = plan({ days: 2 * days, properties, seed }, today);
  const accounts = await openAccounts(stage, scenario, () => {});
  const playedProperties: PlayedProperty[] = [];
  for (const [index, property] of scenario.properties.entries()) {
    playedProperties.push(await openProperty(stage, property, { number: index + 1, accounts }));
  }
  await stage.calendarsDone();
  const guests = new Map<string, string>();
  const stories = new Map<number, { planned: PlannedReservation; booked: Booked }>();
  let refused = 0;
  const played = (index: number) => playedProperties[index] ?? playedProperties[0];

  async function happen(happening: Happening): Promise<void> {
    if (happening.what === 'host') {
      const [mine, channel] = [played(happening.property), happening.channel as Channel];
      if (mine)
        await takeHostStep(
          stage,
          { played: mine, channel, channelAccount: accounts.get(channel) ?? 0 },
          happening.step,
        );
      return;
    }
    const planned = scenario.bookings[happening.booking];
    const mine = planned && played(planned.property);
    if (!planned || !mine) return;
    if (happening.what === 'book') {
      const further = planned.further === null ? null : (played(planned.further) ?? null);
      const booked = await makeReservation(
        stage,
        { ...planned, day: 0, minutes: 0 },
        { played: mine, further },
        () => {},
      );
      if (!booked) return;
      stories.set(happening.booking, { planned, booked });
      guests.set(booked.conversation_id, planned.guest);
      return;
    }
    const story = stories.get(happening.booking);
    if (story) await takeStep(stage, story, { ...happening.step, at: instantOf(stage.core.clock.now()) });
  }

  const first = -days;
  const due = scenario.timeline.filter(({ day }) => day >= first && day < 0);
  const events: Event[] = [];
  for (let day = first; day < 0; day += 1) {
    const mine = due.filter((one) => one.day === day);
    const minutes = mine.map(() => dice.between(AWAKE.from, AWAKE.to)).toSorted((a, b) => a - b);
    for (const [index, happening] of mine.entries()) {
      const atMs = Date.parse(`${addDays(today, day)}T00:00:00Z`) + (minutes[index] ?? 0) * MINUTE_MS;
      events.push({
        atMs,
        async play() {
          try {
            await happen(happening);
          } catch (error) {
            // Some of what was made up cannot be any more, since other things came at other moments.
            if (!(error instanceof ApiError)) throw error;
            refused += 1;
          }
        },
      });
    }
  }
  return { events, guests, refused: () => refused };
}
