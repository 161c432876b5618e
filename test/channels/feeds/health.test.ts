import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { feedTroubles } from '../../../src/channels/feeds/health.ts';
import { dueFeeds, nextRead } from '../../../src/channels/feeds/table.ts';
import { changeProperty } from '../../../src/core/properties/change.ts';
import type { FeedRow } from '../../../src/channels/feeds/rows.ts';
import { FeedWorld, ics, type Marketplace, nights, startMarketplace } from './support/feedWorld.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the health of calendar feeds', () => {
  let marketplace: Marketplace;
  let world: FeedWorld;
  let feed: FeedRow;
  before(async () => {
    marketplace = await startMarketplace();
    marketplace.says(ics([]));
  });
  after(() => marketplace.close());
  beforeEach(async () => {
    world = await FeedWorld.start([marketplace]);
    feed = await world.add({ name: 'Elsewhere', url: marketplace.url });
  });
  afterEach(() => world.close());

  const troubles = async () => {
    // What was not read is another matter.
    await world.read(feed, 0);
    const found = await feedTroubles(world.core.core.store.db, world.core.clock.now());
    return found.map(({ kind, says }) => `${kind}: ${says}`);
  };
  async function fetchedEvery(ms: number, times: number): Promise<void> {
    for (let fetch = 0; fetch < times; fetch += 1) {
      await world.fetched(feed);
      await world.core.clock.advance(ms);
    }
  }

  it('says nothing of a channel that has never fetched ours', async () => {
    await world.core.clock.advance(100 * HOUR);
    assert.deepEqual(await troubles(), []);
  });

  it('misses a channel that fetched once after a day, while nobody knows how often it does', async () => {
    await world.fetched(feed);
    await world.core.clock.advance(23 * HOUR);
    assert.deepEqual(await troubles(), []);
    await world.core.clock.advance(2 * HOUR);
    assert.match((await troubles()).join(), /^unfetched: .* since 2026-11-20T12:00:00.000Z, so the channel/);
  });

  it('misses a channel that fetches often after some hours', async () => {
    await fetchedEvery(15 * MINUTE, 20);
    await world.core.clock.advance(5 * HOUR);
    assert.deepEqual(await troubles(), []);
    await world.core.clock.advance(1 * HOUR);
    assert.match((await troubles()).join(), /, usually every 15 minutes, so the channel may sell/);
    await world.fetched(feed);
    assert.deepEqual(await troubles(), []);
  });

  it('is patient with a channel that fetches twice a day', async () => {
    await fetchedEvery(12 * HOUR, 12);
    await world.core.clock.advance(34 * HOUR);
    assert.deepEqual(await troubles(), [], 'four times its pause have not passed');
    await world.core.clock.advance(4 * HOUR);
    assert.match((await troubles()).join(), /usually every 12 hours/);
  });

  it('leaves an inactive property alone: nothing is read or missed, and channels keep what they know', async () => {
    const { core } = world.core;
    const { db } = core.store;
    const taken = [{ uid: 'b@m', start: world.day(20), end: world.day(22) }];
    marketplace.says(ics(taken));
    await world.read(feed);
    const mine = await world.add({ name: 'Phone', audience: 'private' });
    await world.fetched(feed);
    const turn = (status: 'active' | 'inactive') => changeProperty(core, world.who, world.property, { status });
    await turn('inactive');
    await world.core.clock.advance(100 * HOUR);
    assert.deepEqual(await dueFeeds(db, world.core.clock.now(), 10), []);
    assert.equal(await nextRead(db), undefined);
    assert.deepEqual(await feedTroubles(db, world.core.clock.now()), []);
    await assert.rejects(world.fetched(feed), /no calendar/, 'an empty one would open its nights there');
    assert.match(await world.fetched(mine), /BEGIN:VCALENDAR/, 'a person still sees who comes');
    assert.deepEqual(await world.closed(), nights([taken[0]?.start ?? '', taken[0]?.end ?? '']));
    await assert.rejects(world.add({ name: 'Other', url: `${marketplace.url}&2` }), /make it active first/);
    await turn('active');
    const due = await dueFeeds(db, world.core.clock.now(), 10);
    assert.deepEqual(
      due.map(({ id, name }) => [id, name]),
      [[feed.id, 'Elsewhere']],
    );
    assert.match(await world.fetched(feed), /BEGIN:VCALENDAR/);
    marketplace.says(ics([]));
  });

  it('takes fetches within a minute for one', async () => {
    await fetchedEvery(3 * HOUR, 6);
    for (let fetch = 0; fetch < 5; fetch += 1) await world.fetched(feed);
    const { usual_fetch_ms: usual } = await world.row(feed);
    assert.equal(usual, 3 * HOUR);
  });
});
