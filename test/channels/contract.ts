import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type {
  CalendarAdapter,
  CalendarUpdate,
  ChannelAdapter,
  ChannelDay,
  ChannelListing,
  ChannelPost,
  Days,
  RequestToBook,
} from '../../src/core/channels/adapter.ts';
import { type Restrictions, restrictions } from '../../src/contract/listings.ts';
import { addDays, datesFromTo, type PlainDate } from '../../src/kernel/dates.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import type { AccountId } from '../../src/kernel/ids.ts';

/** A channel with what a test needs to know of it and to do to it. What a channel lacks is left out. */
export interface ChannelUnderTest {
  adapter: ChannelAdapter;
  calendars?: {
    /** Two listings that the channel knows, of one account. */
    listings: readonly [ChannelListing, ChannelListing];
    /** A listing that it does not know, of the same account. */
    unknown: ChannelListing;
    /** A setting that every listing has, with a value other than its present one. */
    setting: readonly [name: string, value: unknown];
    /** Makes the next change of the listing end like this. */
    steer(listing: ChannelListing, outcome: 'warning' | 'failed'): Promise<void>;
  };
  requests?: {
    /** A request to book that waits on the channel. */
    ask(): Promise<RequestToBook>;
    /** Makes the channel fail at the next answer to a request. */
    refuse(request: RequestToBook): Promise<void>;
  };
  posts?: {
    /** What has reached the channel; left out: its posts cannot be seen. */
    arrived?(): readonly ChannelPost[];
    /** Makes the channel refuse the next post; left out: it never refuses. */
    refuse?(): void;
  };
  close(): Promise<void>;
}

const ACCOUNT = 'account' as AccountId;
const FIRST: PlainDate = '2027-02-20';
const DAYS = 30;
const SPAN: Days = { start_date: FIRST, end_date: addDays(FIRST, DAYS - 1) };

type Part = 'calendars' | 'posts' | 'requests';

/** What every adapter of a channel must do, in the parts that the channel has. */
export function channelContract(name: string, parts: readonly Part[], open: () => Promise<ChannelUnderTest>): void {
  describe(`the adapter of ${name}`, () => {
    let under: ChannelUnderTest;
    before(async () => {
      under = await open();
    });
    after(() => under.close());

    it('has the parts that the channel has', () => {
      assert.deepEqual(Object.keys(under.adapter).toSorted(), parts.toSorted());
    });

    const contracts: Record<Part, () => void> = {
      calendars: () => calendars(clausesOf('calendars', () => under)),
      posts: () => posts(clausesOf('posts', () => under)),
      requests: () => requests(clausesOf('requests', () => under)),
    };
    for (const part of parts) describe(part, contracts[part]);
  });
}

/** A test of one part of an adapter, with what the test may do to the channel. */
type Clause<Name extends Part> = (
  title: string,
  test: (adapter: NonNullable<ChannelAdapter[Name]>, there: NonNullable<ChannelUnderTest[Name]>) => Promise<void>,
) => void;

function clausesOf<Name extends Part>(part: Name, open: () => ChannelUnderTest): Clause<Name> {
  return (title, test) =>
    void it(title, () => {
      const under = open();
      const adapter: ChannelAdapter[Name] = under.adapter[part];
      const there: ChannelUnderTest[Name] = under[part];
      assert.ok(adapter && there);
      return test(adapter, there);
    });
}

function calendars(on: Clause<'calendars'>): void {
  const read = async (adapter: CalendarAdapter, listing: ChannelListing, range = SPAN) =>
    (await adapter.readCalendars([listing], range)).get(listing.id) ?? [];

  on('show each day of a range once, both ends included', async (adapter, { listings }) => {
    const found = await adapter.readCalendars(listings, SPAN);
    assert.deepEqual(new Set(found.keys()), new Set(listings.map(({ id }) => id)));
    for (const days of found.values()) {
      assert.deepEqual(
        days.map(({ date }) => date),
        datesFromTo(SPAN.start_date, SPAN.end_date),
      );
      for (const day of days) {
        assert.ok(day.price === null || Number.isSafeInteger(day.price), 'minor units');
        assert.ok(Number.isSafeInteger(day.inventory) && day.inventory >= 0);
        assert.deepEqual(day.restrictions, restrictions.parse(day.restrictions));
      }
    }
  });

  on('leave out a listing that the channel does not know', async (adapter, { listings, unknown }) => {
    const found = await adapter.readCalendars([unknown, listings[0]], SPAN);
    assert.deepEqual([...found.keys()], [listings[0].id]);
    assert.equal((await adapter.readCalendars([], SPAN)).size, 0);
  });

  on('change what an update names and nothing else, however often it is repeated', async (adapter, { listings }) => {
    const [listing, other] = listings;
    await fc.assert(
      fc.asyncProperty(fc.array(update, { minLength: 1, maxLength: 6 }), fc.boolean(), async (updates, repeats) => {
        const untouched = await read(adapter, other);
        const expected = new Map((await read(adapter, listing)).map((day) => [day.date, day]));
        for (const one of updates) {
          for (let times = repeats ? 2 : 1; times > 0; times -= 1) {
            assert.deepEqual(await adapter.push(listing, one), { outcome: 'clean', problem: null });
          }
          apply(expected, one);
          assert.deepEqual(await read(adapter, listing), [...expected.values()]);
        }
        assert.deepEqual(await read(adapter, other), untouched);
      }),
      { numRuns: 40 },
    );
  });

  on('are as before after a failure, and say why', async (adapter, { listings: [listing], steer }) => {
    const before = await read(adapter, listing);
    await steer(listing, 'failed');
    const { outcome, problem } = await adapter.push(listing, closing);
    assert.equal(outcome, 'failed');
    assert.ok(problem);
    assert.deepEqual(await read(adapter, listing), before);
    assert.equal((await adapter.push(listing, closing)).outcome, 'clean');
  });

  on('say what a warning is about', async (adapter, { listings: [listing], steer }) => {
    await steer(listing, 'warning');
    const { outcome, problem } = await adapter.push(listing, closing);
    assert.equal(outcome, 'warning');
    assert.ok(problem);
  });

  on('refuse a push to a listing that the channel does not know, as an outcome', async (adapter, { unknown }) => {
    const { outcome, problem } = await adapter.push(unknown, closing);
    assert.equal(outcome, 'failed');
    assert.ok(problem);
  });

  on('show settings as they were written, and the others unchanged', async (adapter, { listings, setting }) => {
    const [listing, other] = listings;
    const [name, value] = setting;
    const [before, untouched] = [await adapter.readSettings(listing), await adapter.readSettings(other)];
    assert.notDeepEqual(before[name], value);
    const written = await adapter.writeSettings(listing, { [name]: value });
    assert.deepEqual(written, { ...before, [name]: value });
    assert.deepEqual(await adapter.readSettings(listing), written);
    assert.deepEqual(await adapter.writeSettings(listing, { [name]: value }), written);
    assert.deepEqual(await adapter.readSettings(other), untouched);
  });

  on('change no setting when the channel fails', async (adapter, { listings: [listing], setting, steer, unknown }) => {
    const before = await adapter.readSettings(listing);
    await steer(listing, 'failed');
    const [name] = setting;
    await assert.rejects(adapter.writeSettings(listing, { [name]: 'other' }), isFailure);
    assert.deepEqual(await adapter.readSettings(listing), before);
    await assert.rejects(adapter.readSettings(unknown), isFailure);
    await assert.rejects(adapter.writeSettings(unknown, { [name]: 'other' }), isFailure);
  });
}

function posts(on: Clause<'posts'>): void {
  on('arrive in the form in which they were given, each once', async (adapter, { arrived }) => {
    for (const post of everyPost) {
      const { channel_message_id } = await adapter.post(post, ACCOUNT);
      assert.ok(channel_message_id === undefined || channel_message_id !== '');
    }
    if (arrived) assert.deepEqual(arrived(), everyPost);
  });

  on('are refused by an error with a reason', async (adapter, { refuse }) => {
    if (!refuse) return;
    refuse();
    await assert.rejects(
      adapter.post(everyPost[0], ACCOUNT),
      (error) => error instanceof Error && error.message !== '',
    );
  });
}

function requests(on: Clause<'requests'>): void {
  for (const [answer, other] of [
    ['approve', 'decline'],
    ['decline', 'approve'],
  ] as const) {
    on(`take ${answer} again, and not the other answer afterwards`, async (adapter, { ask }) => {
      const request = await ask();
      await adapter[answer](request);
      await adapter[answer](request);
      await assert.rejects(adapter[other](request), (error) => error instanceof ApiError && error.code === 400);
    });

    on(`wait on when the channel does not take ${answer}`, async (adapter, { ask, refuse }) => {
      const request = await ask();
      await refuse(request);
      await assert.rejects(adapter[answer](request), isFailure);
      await adapter[other](request);
    });
  }
}

const isFailure = (error: unknown) => error instanceof ApiError && (error.code === 502 || error.code === 504);

const closing: CalendarUpdate = { kind: 'inventory', ranges: [{ ...SPAN, inventory: 0 }] };

const days = fc
  .tuple(fc.integer({ min: 0, max: DAYS - 1 }), fc.integer({ min: 0, max: DAYS - 1 }))
  .map(([a, b]) => ({ start_date: addDays(FIRST, Math.min(a, b)), end_date: addDays(FIRST, Math.max(a, b)) }));

const rules: fc.Arbitrary<Partial<Restrictions>> = fc.record(
  {
    closed_on_arrival: fc.boolean(),
    closed_on_departure: fc.boolean(),
    min_stay_on_arrival: fc.option(fc.integer({ min: 1, max: 14 })),
    max_stay_through: fc.option(fc.integer({ min: 14, max: 60 })),
  },
  { requiredKeys: [] },
);

const several = <Value>(value: fc.Arbitrary<Value>) =>
  fc.array(
    fc.tuple(days, value).map(([range, own]) => ({ ...range, ...own })),
    { minLength: 1, maxLength: 4 },
  );

const update: fc.Arbitrary<CalendarUpdate> = fc.oneof(
  several(fc.record({ price: fc.integer({ min: 1, max: 1_000_000 }) })).map(
    (ranges) => ({ kind: 'prices', ranges }) as const,
  ),
  several(fc.record({ inventory: fc.integer({ min: 0, max: 3 }) })).map(
    (ranges) => ({ kind: 'inventory', ranges }) as const,
  ),
  several(fc.record({ restrictions: rules })).map((ranges) => ({ kind: 'restrictions', ranges }) as const),
);

/** Changes days as the description of an update says. */
function apply(calendar: Map<PlainDate, ChannelDay>, { kind, ranges }: CalendarUpdate): void {
  for (const range of ranges) {
    for (const date of datesFromTo(range.start_date, range.end_date)) {
      const day = calendar.get(date);
      assert.ok(day, date);
      if (kind === 'prices' && 'price' in range) calendar.set(date, { ...day, price: range.price });
      if (kind === 'inventory' && 'inventory' in range) calendar.set(date, { ...day, inventory: range.inventory });
      if (kind === 'restrictions' && 'restrictions' in range) {
        calendar.set(date, { ...day, restrictions: { ...day.restrictions, ...range.restrictions } });
      }
    }
  }
}

const everyPost: readonly [ChannelPost, ...ChannelPost[]] = [
  { kind: 'message', thread: 't1', message_id: 'M1', content: 'Grüezi 👋\nBis morgen', attachments: [] },
  {
    kind: 'offer',
    thread: 't1',
    special_offer_id: 'S1',
    offer_type: 'special_offer',
    listing_id: 'L1',
    rate_plan_id: null,
    check_in_date: '2027-03-01',
    check_out_date: '2027-03-04',
    number_of_adults: 2,
    number_of_children: 0,
    number_of_infants: 0,
    number_of_pets: 0,
    price: 30_000,
    currency: 'EUR',
  },
  { kind: 'withdraw_offer', thread: 't1', special_offer_id: 'S1' },
  { kind: 'host_review', reservation: 'HM1', score: 5, ratings: { cleanliness: 5 }, content: 'Thank you' },
  { kind: 'host_reply', reservation: 'HM1', content: 'Come back' },
];
