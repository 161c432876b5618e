import assert from 'node:assert/strict';
import { it } from 'node:test';
import { review } from '../../src/core/sandbox/write.ts';
import { openHouse } from './support/house.ts';
import { recipe } from './support/recipes.ts';

/** The first at which the review is known, and more than there are to the end of its task. */
const [FIRST_POINT, LAST_POINT] = [15, 60];
const ENDED = ['sent', 'unknown'];

it('a process that ends at any step of a task for a review leaves none or one, and finds it again', async () => {
  const house = await openHouse({ rules: recipe('low-score') });
  const ends = new Set<string>();
  try {
    for (let point = FIRST_POINT; point <= LAST_POINT; point += 1) {
      const { reservation_code, channel_id } = await house.book({ inDays: -4 - 3 * point, nights: 2 });
      await house.pass(20_000);
      const named = { channel_type: house.listing.channel_type, channel_id };
      await house.change((change) => review(change, named, { score: 2, content: 'Cold.' }));
      const state = async () =>
        (await house.plans()).find((one) => one.rule === 'low-score' && one.stay_code === reservation_code)?.state ??
        '';
      house.crashIn = point;
      await house.until(async () => ENDED.includes(await state()), 'an end');
      const isOver = house.crashIn > 0;
      house.crashIn = 0;
      const { tasks } = (await house.host('GET', '/tasks?limit=100')).data;
      const made = tasks.filter((one: any) => one.stay_code === reservation_code);
      assert.equal(made.length, (await state()) === 'sent' ? 1 : 0, `point ${point}: ${await state()}`);
      ends.add(await state());
      if (isOver) break;
    }
    assert.deepEqual([...ends].toSorted(), ENDED, 'between the record and the call only a person can tell');
    assert.ok(
      (await house.log()).some(({ what }) => what === 'found'),
      'after the call it is found',
    );
  } finally {
    await house.close();
  }
});
