import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decideFeed, type FeedEntry, GONE } from '../../../src/channels/feeds/decide.ts';
import type { FeedEvent } from '../../../src/channels/feeds/readFeed.ts';
import { addDays, instantOf, nightsOf, type PlainDate } from '../../../src/kernel/dates.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const NOTHING_TOLD = { isOurs: () => false, nights: new Set<PlainDate>(), known: new Set<PlainDate>() };

/** What a marketplace has really sold or closed. Two never overlap. */
interface Sold {
  readonly start: number;
  readonly end: number;
  readonly kind: 'coded' | 'nameless' | 'block';
  readonly code: number;
}

/** A change of what is sold, and how the next read shows it. */
const step = fc.record({
  minutes: fc.integer({ min: 5, max: 900 }),
  change: fc.oneof(
    fc.record({
      do: fc.constant('sell' as const),
      at: fc.nat(40),
      nights: fc.integer({ min: 1, max: 6 }),
      kind: fc.constantFrom('coded', 'nameless', 'block' as const),
    }),
    fc.record({ do: fc.constant('cancel' as const), which: fc.nat(10) }),
    fc.record({ do: fc.constant('none' as const) }),
  ),
  newUids: fc.boolean(),
  clips: fc.boolean(),
  isReversed: fc.boolean(),
  /** Leaves one event out, as feeds really do for a moment. */
  hides: fc.option(fc.nat(10), { nil: undefined }),
});

describe('what a feed decides', () => {
  it('whatever it shows, nothing sold is open, nothing alive is cancelled, and what is gone is free in time', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 30, maxLength: 60 }), (steps) => {
        const world = new Marketplace();
        for (const one of steps) world.play(one);
      }),
      { numRuns: 400, includeErrorInReport: true },
    );
  });
});

class Marketplace {
  #now = START;
  #sold: Sold[] = [];
  #code = 0;
  #uids = 0;
  #entries: readonly FeedEntry[] = [];
  #next = 1;
  /** When each night was last sold, and how many good reads have not shown it since. */
  readonly #last = new Map<PlainDate, { at: number; reads: number }>();

  play({
    minutes,
    change,
    newUids,
    clips,
    isReversed,
    hides,
  }: typeof step extends fc.Arbitrary<infer T> ? T : never): void {
    this.#now += minutes * 60_000;
    const day = Math.floor((this.#now - START) / DAY_MS);
    this.#sold = this.#sold.filter((one) => one.end > day);
    if (change.do === 'cancel')
      this.#sold = this.#sold.filter((one, index) => index !== change.which || one.start <= day);
    if (change.do === 'sell') {
      const made = {
        start: day + 1 + change.at,
        end: day + 1 + change.at + change.nights,
        kind: change.kind,
        code: (this.#code += 1),
      } as Sold;
      if (!this.#sold.some((one) => one.start < made.end && made.start < one.end)) this.#sold.push(made);
    }
    if (newUids) this.#uids += 1;
    // An event that has begun, or that is new, is always shown; the program cannot know of it otherwise.
    const known = new Set(this.#entries.map(({ start }) => start));
    const shown = this.#sold.filter(
      (one, index) => index !== hides || one.start <= day || !known.has(dateOf(one.start)),
    );
    const events = shown.map((one) => this.#eventOf(one, clips ? day : undefined));
    this.#read(isReversed ? events.toReversed() : events, day);
  }

  #eventOf({ start, end, kind, code }: Sold, clippedTo: number | undefined): FeedEvent {
    const from = clippedTo !== undefined && start < clippedTo ? clippedTo : start;
    return {
      uid: `${code}-${this.#uids}`,
      start: dateOf(from),
      end: dateOf(end),
      kind: kind === 'block' ? 'block' : 'reservation',
      reference: kind === 'coded' ? `HM${code}` : null,
      guest: null,
      phoneLast4: null,
    };
  }

  #read(events: readonly FeedEvent[], day: number): void {
    const today = dateOf(day);
    const before = this.#entries;
    const decision = decideFeed({
      entries: before,
      events,
      unreadable: new Set(),
      told: NOTHING_TOLD,
      today,
      now: instantOf(this.#now),
      until: dateOf(day + 900),
      nextEntry: this.#next,
    });
    this.#entries = decision.entries;
    this.#next = decision.nextEntry;
    const closed = new Set(decision.closed);
    for (const entry of decision.entries) {
      if (entry.booked) for (const night of nightsOf(entry.start, entry.end)) closed.add(night);
    }
    for (const event of events) {
      const ahead = nightsOf(event.start, event.end).filter((night) => night >= today);
      for (const night of ahead) assert.ok(closed.has(night), `${night} is sold and open`);
    }
    for (const { entry } of decision.steps.filter((one) => one.do === 'cancel')) {
      const alive = this.#sold.find((one) => entry.reference !== null && entry.reference === `HM${one.code}`);
      assert.ok(!alive || entry.missingReads >= GONE.reads, `${entry.reference} is alive and was cancelled`);
      assert.ok(entry.start > today, 'nobody in the house is cancelled');
    }
    this.#gone(closed, events, day);
  }

  /** A night that nobody has sold for long enough, and that several reads have not shown, must be free. */
  #gone(closed: ReadonlySet<PlainDate>, events: readonly FeedEvent[], day: number): void {
    const shown = new Set(events.flatMap((event) => nightsOf(event.start, event.end)));
    for (const night of shown) this.#last.set(night, { at: this.#now, reads: 0 });
    for (const [night, last] of this.#last) {
      if (shown.has(night)) continue;
      last.reads += 1;
      const isLong = this.#now - last.at >= 26 * 3_600_000 && last.reads >= 6;
      const isOfGuestInHouse = this.#entries.some((entry) => entry.booked && entry.start <= dateOf(day));
      if (isLong && !isOfGuestInHouse) assert.ok(!closed.has(night), `${night} is free and closed`);
    }
  }
}

function dateOf(day: number): PlainDate {
  return addDays('2026-11-20', day);
}
