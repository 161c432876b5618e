import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Stay } from './upstream/records.ts';
import { type ForeignWorld, openForeign } from './world.ts';

const TINY = { properties: 3, stays: 12, entries: 20, fullConversations: 6, longestConversation: 8 };

async function inWorld(work: (world: ForeignWorld) => Promise<void>, seed = 3): Promise<void> {
  const world = await openForeign({ dialect: 'described', seed, size: TINY });
  try {
    await world.quiet();
    await work(world);
  } finally {
    await world.close();
  }
}

const livingStay = ({ upstream }: ForeignWorld): Stay => {
  const stay = upstream.truth.stays.all().find((one) => one.status === 'accepted' && one.code === one.stayCode);
  assert.ok(stay);
  return stay;
};

/** What the feed has told of the end of rows. */
const deletions = (world: ForeignWorld) => world.rows(`select resource, key from changes where op = 'deleted'`);

describe('an answer without a row that was there', () => {
  for (const answer of ['empty', 'not found'] as const) {
    it(`does not end a living reservation when it is ${answer} once after an event`, () =>
      inWorld(async (world) => {
        const stay = livingStay(world);
        world.upstream.faults.blinks.push({ key: `reservation ${stay.code}`, answer });
        world.business.change(stay, { adults: 9 });
        await world.quiet();
        assert.deepEqual(world.upstream.faults.blinks, []);
        assert.deepEqual(await deletions(world), []);
        assert.deepEqual(await world.differences(), []);
      }));
  }

  it('does not end one whose own list is empty again and again, while another list has it', () =>
    inWorld(async (world) => {
      const stay = livingStay(world);
      const key = `reservation ${stay.code}`;
      for (let n = 0; n < 4; n += 1) world.upstream.faults.blinks.push({ key, answer: 'empty' });
      world.business.change(stay, { adults: 9 });
      await world.pass(120);
      await world.quiet();
      assert.deepEqual(await deletions(world), []);
    }));

  it('does not end a fullConversation that is not found once', () =>
    inWorld(async (world) => {
      const [fullConversation] = world.upstream.truth.fullConversations.all();
      assert.ok(fullConversation);
      world.upstream.faults.blinks.push({ key: `conversation ${fullConversation.id}`, answer: 'not found' });
      world.business.write(fullConversation.id);
      await world.quiet();
      assert.deepEqual(world.upstream.faults.blinks, []);
      assert.deepEqual(await deletions(world), []);
      assert.deepEqual(await world.differences(), []);
    }));

  it('ends a reservation that is gone for good, once two lists have lacked it', () =>
    inWorld(async (world) => {
      const stay = livingStay(world);
      world.upstream.truth.stays.put(String(stay.number), null);
      world.upstream.webhooks.tell({
        event: 'reservation_updated',
        reservation_code: stay.code,
        stay_code: stay.stayCode,
      });
      await world.quiet();
      assert.deepEqual(await deletions(world), [{ resource: 'reservation', key: stay.code }]);
    }));

  it('ends an entry of the ledger at once when its event says so', () =>
    inWorld(async (world) => {
      const [entry] = world.upstream.truth.entries.all();
      assert.ok(entry);
      world.business.remove(entry);
      await world.pass(3);
      assert.deepEqual(await deletions(world), [{ resource: 'transaction', key: String(entry.number) }]);
    }));

  it('ends nothing while the source answers many of them so at once', () =>
    inWorld(async (world) => {
      const stays = world.upstream.truth.stays.all().filter((one) => one.code === one.stayCode);
      for (const stay of stays.slice(0, 12)) {
        world.upstream.truth.stays.put(String(stay.number), null);
        world.upstream.webhooks.tell({
          event: 'reservation_updated',
          reservation_code: stay.code,
          stay_code: stay.stayCode,
        });
      }
      await world.pass(180);
      assert.deepEqual(await deletions(world), []);
      for (const stay of stays.slice(0, 12)) world.upstream.truth.stays.put(String(stay.number), stay);
      await world.quiet();
      assert.deepEqual(await deletions(world), []);
      assert.deepEqual(await world.differences(), []);
    }));
});
