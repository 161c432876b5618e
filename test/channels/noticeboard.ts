import type {
  ChannelAdapter,
  ChannelDay,
  ChannelListing,
  ChannelPost,
  RequestToBook,
  Settings,
} from '../../src/core/channels/adapter.ts';
import { restrictions } from '../../src/contract/listings.ts';
import { datesFromTo, type PlainDate } from '../../src/kernel/dates.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import type { ChannelUnderTest } from './contract.ts';

interface Card {
  days: Map<PlainDate, ChannelDay>;
  settings: Settings;
}

/** A channel in memory, made from the description of the port alone. */
export class Noticeboard {
  readonly posts: ChannelPost[] = [];
  readonly #cards = new Map<number, Card>();
  readonly #answers = new Map<string, string>();
  #next: 'warning' | 'failed' | undefined;

  constructor(listings: readonly ChannelListing[]) {
    for (const { id } of listings) this.#cards.set(id, { days: new Map(), settings: { note: 'first' } });
  }

  readonly adapter: ChannelAdapter = {
    calendars: {
      readCalendars: async (listings, { start_date, end_date }) =>
        new Map(
          listings.flatMap(({ id }) => {
            const card = this.#cards.get(id);
            return card ? [[id, datesFromTo(start_date, end_date).map((date) => dayOf(card, date))] as const] : [];
          }),
        ),
      push: async (listing, { kind, ranges }) => {
        const card = this.#cards.get(listing.id);
        const outcome = this.#outcome();
        if (!card || outcome === 'failed') return { outcome: 'failed', problem: 'it did not work' };
        for (const { start_date, end_date, ...change } of ranges) {
          for (const date of datesFromTo(start_date, end_date)) {
            const day = dayOf(card, date);
            const more =
              'restrictions' in change ? { restrictions: { ...day.restrictions, ...change.restrictions } } : change;
            card.days.set(date, { ...day, ...more });
          }
        }
        return outcome === 'warning' ? { outcome, problem: `of ${kind}, a part` } : { outcome: 'clean', problem: null };
      },
      readSettings: async (listing) => this.#card(listing).settings,
      writeSettings: async (listing, changes) => {
        const card = this.#card(listing);
        if (this.#outcome() === 'failed') throw new ApiError(502, 'It did not work.');
        card.settings = { ...card.settings, ...changes };
        return card.settings;
      },
    },
    posts: {
      post: async (post) => {
        if (this.#outcome() === 'failed') throw new Error('it did not work');
        this.posts.push(post);
        return { channel_message_id: `N${this.posts.length}` };
      },
    },
    requests: {
      approve: async (request) => this.#answer(request, 'approve'),
      decline: async (request) => this.#answer(request, 'decline'),
    },
  };

  fail(outcome: 'warning' | 'failed' = 'failed'): void {
    this.#next = outcome;
  }

  #outcome() {
    const outcome = this.#next;
    this.#next = undefined;
    return outcome;
  }

  #card({ id }: ChannelListing): Card {
    const card = this.#cards.get(id);
    if (!card) throw new ApiError(502, 'It is not there.');
    return card;
  }

  #answer({ channel_id }: RequestToBook, answer: string): void {
    if (this.#outcome() === 'failed') throw new ApiError(504, 'It did not answer.');
    const known = this.#answers.get(channel_id) ?? answer;
    if (known !== answer) throw new ApiError(400, 'It has another answer.');
    this.#answers.set(channel_id, answer);
  }
}

function dayOf({ days }: Card, date: PlainDate): ChannelDay {
  return days.get(date) ?? { date, price: null, inventory: 1, restrictions: restrictions.parse({}) };
}

/** Opens a noticeboard for the test of its adapter. */
export async function openNoticeboard(): Promise<ChannelUnderTest> {
  const listing = (id: number): ChannelListing => ({
    account_id: 'A' as ChannelListing['account_id'],
    id,
    listing_id: `N${id}`,
    channel_type: 'noticeboard',
    channel_account_id: 1,
    currency: 'EUR',
  });
  const listings = [listing(1), listing(2)] as const;
  const board = new Noticeboard(listings);
  let asked = 0;
  return {
    adapter: board.adapter,
    calendars: {
      listings,
      unknown: listing(3),
      setting: ['note', 'second'],
      steer: async (_, outcome) => board.fail(outcome),
    },
    posts: { arrived: () => board.posts, refuse: () => board.fail() },
    requests: {
      ask: async () => {
        asked += 1;
        return { account_id: listings[0].account_id, channel_type: 'noticeboard', channel_id: `R${asked}` };
      },
      refuse: async () => board.fail(),
    },
    close: async () => {},
  };
}
