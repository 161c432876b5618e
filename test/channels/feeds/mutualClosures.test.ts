import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { FeedRow } from '../../../src/channels/feeds/rows.ts';
import { addDays, type PlainDate } from '../../../src/kernel/dates.ts';
import { FeedWorld, ics, type Marketplace, startMarketplace } from './support/feedWorld.ts';

/** Marketplaces by what the words of their closed nights tell: surely no sale, and perhaps one. */
const WORDS = { airbnb: 'Airbnb (Not available)', booking_com: 'CLOSED - Not available' } as const;
type Source = keyof typeof WORDS;

const NIGHTS = 5;
/** Reads and fetches after which every side has heard of everything. */
const ROUNDS = 6;

/** A marketplace that closes nights by itself, and those that it has learned from us; its calendar does not tell them apart. */
class Place {
  readonly own = new Set<PlainDate>();
  learned = new Set<PlainDate>();
  readonly source: Source;
  readonly #market: Marketplace;
  readonly #world: FeedWorld;
  readonly #feed: FeedRow;

  constructor(parts: { source: Source; market: Marketplace; world: FeedWorld; feed: FeedRow }) {
    ({ source: this.source, market: this.#market, world: this.#world, feed: this.#feed } = parts);
  }

  /** We read its calendar. */
  async isRead(minutes = 40): Promise<void> {
    const closed = [...new Set([...this.own, ...this.learned])].toSorted();
    const events = closed.map((night) => ({
      uid: `${night}@${this.source}`,
      start: night,
      end: addDays(night, 1),
      summary: WORDS[this.source],
    }));
    this.#market.says(ics(events));
    assert.equal(await this.#world.read(this.#feed, minutes), 'good');
  }

  /** It reads ours. */
  async reads(): Promise<void> {
    this.learned = new Set();
    const text = await this.#world.fetched(this.#feed);
    for (const [, from, to] of text.matchAll(/DTSTART[^:]*:(\d{8})\r\nDTEND[^:]*:(\d{8})/g))
      for (let night = dateOf(from); night < dateOf(to); night = addDays(night, 1)) this.learned.add(night);
  }
}

function dateOf(text = ''): PlainDate {
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` as PlainDate;
}

const steps = fc.array(
  fc.record({
    place: fc.nat({ max: 2 }),
    what: fc.constantFrom('closes', 'opens', 'isRead', 'reads' as const),
    night: fc.nat({ max: NIGHTS - 1 }),
  }),
  { maxLength: 25 },
);
const sources = fc.array(fc.constantFrom<Source>('airbnb', 'booking_com'), { minLength: 2, maxLength: 3 });

describe('nights that several marketplaces close by themselves', () => {
  let markets: Marketplace[];
  before(async () => {
    markets = await Promise.all([startMarketplace(), startMarketplace(), startMarketplace()]);
  });
  after(() => Promise.all(markets.map((market) => market.close())));

  async function open(chosen: readonly Source[]): Promise<{ world: FeedWorld; places: Place[] }> {
    const world = await FeedWorld.start(markets);
    const places: Place[] = [];
    for (const [index, source] of chosen.entries()) {
      const market = markets[index] as Marketplace;
      // A calendar that was never seen with an event is not taken for one that was emptied.
      market.says(ics([]));
      const feed = await world.add({ name: `${source} ${index}`, source, url: market.url });
      places.push(new Place({ source, market, world, feed }));
    }
    return { world, places };
  }
  async function settle(places: readonly Place[]): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const place of places) await place.reads();
      // An emptied calendar is believed after three reads within two hours.
      for (let read = 0; read < 4; read += 1) for (const place of places) await place.isRead();
    }
  }

  it('stay closed while one of them closes them, and are free when none does any more', async () => {
    await fc.assert(
      fc.asyncProperty(sources, steps, async (chosen, happenings) => {
        const { world, places } = await open(chosen);
        try {
          const nightAt = (index: number) => addDays(first, index);
          const first = world.day(40);
          for (const { place: index, what, night } of happenings) {
            const place = places[index % places.length] as Place;
            if (what === 'closes') place.own.add(nightAt(night));
            else if (what === 'opens') place.own.delete(nightAt(night));
            else await place[what]();
          }
          await settle(places);
          const own = [...new Set(places.flatMap((place) => [...place.own]))].toSorted();
          assert.deepEqual(await world.closed(), own);
          for (const place of places) place.own.clear();
          await settle(places);
          assert.deepEqual(await world.closed(), []);
        } finally {
          await world.close();
        }
      }),
      { numRuns: 12 },
    );
  });

  it('are free, too, where all of them closed them on the same day, and open them on the same day', async () => {
    for (const chosen of [
      ['airbnb', 'booking_com'],
      ['booking_com', 'airbnb'],
      ['airbnb', 'airbnb'],
      ['booking_com', 'booking_com', 'airbnb'],
    ] as const) {
      const { world, places } = await open(chosen);
      try {
        const night = world.day(360);
        for (const place of places) place.own.add(night);
        for (const place of places) await place.isRead();
        await settle(places);
        assert.deepEqual(await world.closed(), [night], chosen.join());
        for (const place of places) place.own.delete(night);
        await settle(places);
        assert.deepEqual(await world.closed(), [], chosen.join());
      } finally {
        await world.close();
      }
    }
  });
});
