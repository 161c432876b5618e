import { ApiError } from '../../src/kernel/errors.ts';
import { addDays, dateIn, type PlainDate } from '../../src/kernel/dates.ts';
import type { Dice } from '../../src/kernel/seeded.ts';
import { book } from '../../src/sandbox/book.ts';
import { alter, cancel, moveDeposit, pay, showDetails } from '../../src/sandbox/change.ts';
import { connectAccount, putOnMarketplace } from '../../src/sandbox/listing.ts';
import { review, writeInConversation } from '../../src/sandbox/write.ts';
import type { SimCore } from './core.ts';
import { CHANNELS } from './coreProcess.ts';
import type { Trace } from './trace.ts';

const PROPERTIES = 2;
const DAYS_AHEAD = 120;

type Listing = { channel_type: string; listing_id: string };
type Conversation = { channel_type: string; conversation: string };

/** What host, guests and marketplaces do, one thing after the other; the same for the same chance. */
export interface Workload {
  /** Does one thing. Some end in a refusal, as they do in life. */
  step(): Promise<void>;
}

export interface WorkloadOptions {
  core: SimCore;
  dice: Dice;
  trace: Trace;
  /** Also changes that no event tells of. */
  silent: boolean;
  /** Of each kind of thing the newest so many are changed; left out: all. */
  remembered?: number;
}

/** Opens houses and puts them on marketplaces: what is there before the daemon starts. */
export async function openWorkload(options: WorkloadOptions): Promise<Workload> {
  const { core, dice, trace, remembered = Number.MAX_SAFE_INTEGER } = options;
  const properties: number[] = [];
  const listings: Listing[] = [];
  const stays: { stay_code: string; reservation_code: string }[] = [];
  const channelReservations: (Conversation & { reservation_code: string; channel_type: string; channel_id: string })[] =
    [];
  const entries: number[] = [];
  let named = 0;

  const pick = <T>(values: readonly T[]): T | undefined => values[dice.between(0, Math.max(0, values.length - 1))];
  const today = (): PlainDate => dateIn('Europe/Berlin', core.core.clock.now());
  const amount = () => dice.between(1, 50_000) / 100;
  const dates = (earliest = 0) => {
    const check_in_date = addDays(today(), dice.between(earliest, DAYS_AHEAD));
    return { check_in_date, check_out_date: addDays(check_in_date, dice.between(1, 5)) };
  };

  for (let i = 0; i < PROPERTIES; i += 1) {
    const made = await core.host('POST', '/properties', { name: `House ${i}` });
    properties.push(made?.data.property_id);
  }
  for (const channel_type of CHANNELS) {
    const username = `account ${channel_type}`;
    const draft = { channel_type, username, origin_account_id: `origin ${channel_type}`, authorize: true };
    const channel_account_id = (await core.change((change) => connectAccount(change, draft))) ?? 0;
    for (const property_id of properties) {
      const one = { channel_account_id, property_id, title: `House ${property_id}`, base_price: 90 };
      const listing = await core.change((change) => putOnMarketplace(change, one));
      if (listing) listings.push(listing);
    }
  }
  const income = (await core.host('GET', '/income_items'))?.data.income_items[0];
  const method = (await core.host('GET', '/income_methods'))?.data.income_methods[0];

  const host = async (verb: string, path: string, body?: object) => {
    const answer = await core.host(verb, path, body);
    if (!answer) return void trace.add('host', `${verb} ${path} was not answered`);
    const { error_code, data } = answer;
    trace.add('host', `${verb} ${path} ${error_code}`);
    if (error_code === 500) throw new Error(`${verb} ${path} was answered 500`);
    return error_code === 200 ? data : undefined;
  };

  async function remember(reservation_code: string): Promise<void> {
    const answer = await core.host('GET', `/reservations?reservation_code=${reservation_code}`);
    for (const { stay_code } of answer?.data.reservations ?? []) stays.push({ stay_code, reservation_code });
  }

  const loud: Record<string, () => Promise<unknown>> = {
    async bookDirect() {
      const made = await host('POST', '/reservations', {
        property_id: pick(properties),
        ...dates(),
        guest_name: `Guest ${dice.between(1, 1e6)}`,
        rate_amount: amount(),
        commission_amount: 0,
        received_amount: dice.percent(50) ? 0 : amount(),
      });
      if (made) await remember(made.reservation_code);
    },
    async move() {
      const stay = pick(stays);
      if (stay) await host('PATCH', `/reservations/${stay.stay_code}`, dates());
    },
    async reprice() {
      const stay = pick(stays);
      const body = { rate_amount: amount(), guest_name: `Guest ${dice.between(1, 1e6)}` };
      if (stay) await host('PATCH', `/reservations/${stay.stay_code}`, body);
    },
    async checkIn() {
      const stay = pick(stays);
      const body = { lock_code: String(dice.between(1_000, 9_999)), deposit: dice.between(0, 100) };
      if (stay) await host('PATCH', `/reservations/${stay.stay_code}/check_in_details`, body);
    },
    async cancelDirect() {
      const stay = pick(stays);
      if (stay) await host('DELETE', `/reservations/${stay.reservation_code}`);
    },
    async postEntry() {
      const stay = dice.percent(70) ? pick(stays) : undefined;
      const link = stay
        ? { reservation_code: stay.reservation_code }
        : { property_id: pick(properties), currency: 'EUR' };
      const body = { direction: 'income', amount: amount(), item_id: income.id, payment_method_id: method.id, ...link };
      const data = await host('POST', '/transactions', body);
      if (data) entries.push(data.transaction_id);
    },
    async editEntry() {
      const id = pick(entries);
      if (id !== undefined) await host('PATCH', `/transactions/${id}`, { amount: amount() });
    },
    async deleteEntry() {
      const [id] = entries.splice(dice.between(0, Math.max(0, entries.length - 1)), 1);
      if (id !== undefined) await host('DELETE', `/transactions/${id}`);
    },
    async bookChannel() {
      const listing = pick(listings);
      if (!listing) return;
      const { channel_type, listing_id } = listing;
      const channel_id = `CH${(named += 1)}`;
      const room = () => ({ listing_id, ...dates(1), number_of_guests: dice.between(1, 4), overbook: true });
      const booked = await channel('book', (change) =>
        book(change, {
          kind: dice.pick(['instant', 'unpaid', 'request']),
          channel_type,
          channel_id,
          rooms: dice.percent(25) ? [room(), room()] : [room()],
          guest: { name: `Guest ${dice.between(1, 1e6)}` },
          message: 'Hello',
        }),
      );
      if (!booked) return;
      const { reservation_code } = booked;
      channelReservations.push({ reservation_code, channel_type, channel_id, conversation: channel_id });
    },
    async alterChannel() {
      const one = pick(channelReservations);
      if (one) await channel('alter', (change) => alter(change, nameOf(one), { room: 0, ...dates(1) }));
    },
    async payChannel() {
      const one = pick(channelReservations);
      if (one) await channel('pay', (change) => pay(change, nameOf(one), dice.percent(50) ? { amount: amount() } : {}));
    },
    async cancelChannel() {
      const one = pick(channelReservations);
      if (one && dice.percent(50)) await channel('cancel', (change) => cancel(change, nameOf(one)));
    },
    async write() {
      const one = pick(channelReservations);
      if (!one) return;
      const { channel_type, conversation } = one;
      const said = { from: dice.pick(['guest', 'guest', 'host'] as const), content: `Words ${dice.between(1, 1e6)}` };
      await channel('write', (change) => writeInConversation(change, { channel_type, conversation }, said));
    },
  };
  const silent: Record<string, () => Promise<unknown>> = {
    async deposit() {
      const one = pick(channelReservations);
      const step = {
        room: 0,
        event: dice.pick(['required', 'paid', 'refunded'] as const),
        amount: dice.between(1, 4) * 50,
      };
      if (one) await channel('deposit', (change) => moveDeposit(change, nameOf(one), step));
    },
    async details() {
      const one = pick(channelReservations);
      const shown = { cancellation_policy_category: dice.pick(['moderate', 'strict']) };
      if (one) await channel('details', (change) => showDetails(change, nameOf(one), shown));
    },
    async prices() {
      const listing = pick(listings);
      if (!listing) return;
      const date = addDays(today(), dice.between(0, 60));
      const prices = [{ start_date: date, end_date: addDays(date, dice.between(0, 9)), price: dice.between(50, 300) }];
      await host('POST', '/listings/prices', { ...listing, prices });
    },
    async tag() {
      await host('POST', '/reservation_tags', { name: `tag ${(named += 1)}`, color: '#112233' });
    },
    async task() {
      await host('POST', '/tasks', { title: `task ${(named += 1)}`, property_id: pick(properties) });
    },
    async reviewed() {
      const one = pick(channelReservations);
      if (one) await channel('review', (change) => review(change, nameOf(one), { score: 5, content: 'Good' }));
    },
  };

  async function channel<T>(what: string, work: Parameters<typeof core.change<T>>[0]): Promise<T | undefined> {
    try {
      const result = await core.change(work);
      trace.add('channel', core.isUp ? what : `${what} in doubt`);
      return result;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      trace.add('channel refused', `${what} ${error.code}`);
      return undefined;
    }
  }

  const kinds = Object.values({ ...loud, ...(options.silent && silent) });
  // There is little to change before there is something.
  const makers = [loud['bookDirect'], loud['bookChannel'], loud['postEntry']];
  return {
    async step() {
      for (const known of [stays, channelReservations, entries]) known.splice(0, known.length - remembered);
      await (dice.percent(35) ? pick(makers) : pick(kinds))?.();
    },
  };
}

function nameOf({ reservation_code }: { reservation_code: string }) {
  return { reservation_code };
}
