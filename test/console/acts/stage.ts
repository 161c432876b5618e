import type { Page } from 'playwright-core';
import { addDays, type PlainDate } from '../../../src/kernel/dates.ts';
import { type Served, until } from '../../support/service.ts';
import type { InboxWorld } from '../support/inboxWorld.ts';
import { type Actor, actorOn } from './actor.ts';

/** Days between the nights of two things on the stage, since each has its own. */
const APART = 4;
const PATIENCE_MS = 30_000;

/** What the acts have in common: a world, somebody at its console, and what they need to find there. */
export interface Stage {
  readonly world: InboxWorld<Served>;
  readonly page: Page;
  readonly actor: Actor;
  /** Part of every name, so that acting once more meets nothing of the time before. */
  readonly round: string;
  /** A month that is over; of later rounds a later one. */
  readonly month: string;
  main(): Promise<string>;
  /** Waits until the page says so. */
  shows(pattern: RegExp): Promise<void>;
  /** Returns a reservation as v3 gives it. */
  reservation(code: string): Promise<any>;
  /**
   * Waits until the mirror has it. Not until all has arrived: the nights of a booking on a marketplace are read again ten
   * seconds later.
   */
  mirrored(table: string, where: string): Promise<void>;
  /** Books a house of its own, from and to so many days from today. @returns its name, and the code */
  stays(guest_name: string, from: number, to: number, more?: object): Promise<{ house: string; code: string }>;
  /** A guest asks on the marketplace for nights. @returns the code of the request */
  asks(name: string): Promise<string>;
  /** A guest has written, and the rule has drafted an answer if it is about that. @returns the conversation */
  writes(name: string, text: string): Promise<string>;
}

/** One thing that people do, as often as `stage.round` changes. */
export interface Act {
  /** The number of the task in front, and what is done. */
  readonly task: string;
  /** True for what is done with the core of this service, and not over another deployment. */
  readonly needsCore?: true;
  play(stage: Stage): Promise<void>;
}

/** The rules of a stage: a draft about the wifi, and one for each round to be tried and paused. */
export function rulesOf(rounds: readonly string[]): string {
  const rule = (name: string, word: string) => `
name: ${name}
about: Drafts an answer about the ${word}.
state: live
when: message from guest
if: { says: [${word}] }
quiet: "off"
do:
  draft: { text: "The network is called Mill, {{ guest.first_name }}." }
`;
  return [rule('wifi', 'wifi'), ...rounds.map((round) => rule(`ladder-${round}`, 'ladder'))].join('---');
}

/**
 * Sets the stage, with a house for each round.
 * @param patienceMs how long a page may take to do what was asked of it
 * @returns the stage of a round
 */
export async function setStage(
  world: InboxWorld<Served>,
  rounds: readonly string[],
  patienceMs = PATIENCE_MS,
): Promise<(round: string) => Stage> {
  const { service } = world;
  for (const round of rounds) await service.v3('POST', '/properties', { name: `Mill House ${round}` });
  // Everything once, for the months that are closed later: their books want a mirror that was read since they ended.
  await service.portal('POST', '/portal/reconcile', {});
  await service.settled();
  const page = await world.person();
  page.setDefaultTimeout(patienceMs);
  const actor = actorOn(page, world.at('today'));
  let nights = 40;
  const own = (): number => (nights += APART);
  const main = () => page.innerText('main');
  const mirrored: Stage['mirrored'] = (table, where) =>
    until(async () => (await service.rows(`select 1 from mirror.${table} where ${where}`)).length > 0, where);
  const stays: (round: string) => Stage['stays'] = (round) => async (guest_name, from, to, more) => {
    const house = `Villa ${own()} of ${round}`;
    const { property_id } = await service.v3('POST', '/properties', { name: house });
    const { reservation_code: code } = await world.book(property_id, from, to, { guest_name, ...more });
    await mirrored('stays', `stay_code = '${code}'`);
    await mirrored('properties', `id = ${property_id}`);
    return { house, code };
  };
  return (round) => ({
    world,
    page,
    actor,
    round,
    month: monthBefore(world.today, rounds.length - rounds.indexOf(round)),
    main,
    shows: (pattern) => until(async () => pattern.test(await main()), `the page to say ${String(pattern)}`),
    reservation: async (code) => (await service.v3('GET', `/reservations?reservation_code=${code}`)).reservations[0],
    mirrored,
    stays: stays(round),
    async asks(name) {
      const from = own();
      const { reservation_code } = await world.act('bookings', {
        channel_type: 'marketplace_a',
        listing_id: world.listings.get(world.sea),
        kind: 'request',
        check_in_date: world.day(from),
        check_out_date: world.day(from + 2),
        guest: { name },
      });
      await mirrored('stays', `stay_code = '${reservation_code}' and status = 'wait_accept'`);
      return String(reservation_code);
    },
    async writes(name, text) {
      const { conversation_id } = await world.guest(name, world.hill, own());
      await world.act('messages', { conversation_id, content: text });
      await mirrored('messages', `conversation_id = '${conversation_id}'`);
      if (text.includes('wifi')) await world.plan('wifi', conversation_id);
      return conversation_id;
    },
  });
}

function monthBefore(day: PlainDate, months: number): string {
  const before = addDays(`${day.slice(0, 7)}-01`, -1);
  return months === 1 ? before.slice(0, 7) : monthBefore(before, months - 1);
}
