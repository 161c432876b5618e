import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type House, openHouse } from './support/house.ts';

const RULES = `
name: see-you-soon
state: live
when: 2 days before check_in at 13:05
do:
  message:
    text: "Hello {{ guest.first_name }}, we expect you on {{ stay.check_in_date }}."
`;

describe('a message two days before arrival', () => {
  let house: House;
  before(async () => {
    house = await openHouse({ rules: RULES });
  });
  after(() => house.close());

  it('is planned when the guest books, goes out at its time where the property is, and once', async () => {
    const { conversation_id } = await house.book();
    await house.until(async () => (await house.plans()).length === 1, 'a plan');
    assert.deepEqual(await house.said(conversation_id), []);
    await house.until(async () => (await house.plans())[0]?.state === 'sent', 'the message');
    const minutes = house.time.elapsed() / 60_000;
    assert.ok(minutes >= 5 && minutes < 5.2, `sent after ${minutes} minutes`);
    assert.deepEqual(await house.said(conversation_id), ['Hello Ada, we expect you on 2026-11-22.']);
    assert.deepEqual(
      (await house.log()).map(({ what }) => what),
      ['new rule', 'planned', 'sent'],
    );
    await house.pass(10 * 60_000);
    assert.equal((await house.said(conversation_id)).length, 1);
  });
});

const CRASHES = `
name: welcome
state: live
when: 1 minute after booking
do:
  message:
    text: "Welcome {{ guest.first_name }}!"
`;
/** More than there are from a plan's time to its end. */
const MOST_POINTS = 40;

describe('a process that ends at any step of a message', () => {
  it('leaves none or one in the conversation, and never two; what is uncertain stands before a person', async () => {
    const house = await openHouse({ rules: CRASHES });
    const seen = new Map<string, number>();
    try {
      for (let point = 1; point <= MOST_POINTS; point += 1) {
        const { conversation_id, reservation_code } = await house.book({
          inDays: 10 + 3 * point,
          guest: `Guest${point} X`,
        });
        const mine = async () => (await house.plans()).find((plan) => plan.stay_code === reservation_code);
        await house.until(async () => (await mine()) !== undefined, 'a plan');
        await house.pass(50_000);
        house.crashIn = point;
        await house.until(async () => ['sent', 'unknown'].includes((await mine())?.state ?? ''), 'an end');
        const isOver = house.crashIn > 0;
        house.crashIn = 0;
        const [state, said] = [(await mine())?.state ?? '', await house.said(conversation_id)];
        assert.ok(said.length <= 1, `point ${point}: said ${said.length} times`);
        assert.equal(said.length, state === 'sent' ? 1 : 0, `point ${point}: ${state}`);
        seen.set(state, (seen.get(state) ?? 0) + 1);
        if (isOver) break;
      }
      const log = await house.log();
      assert.ok((seen.get('unknown') ?? 0) >= 1, 'a crash between the record and the call leads to a person');
      assert.ok(
        log.some(({ what }) => what === 'found'),
        'a crash after the call is found in the conversation',
      );
    } finally {
      await house.close();
    }
  });
});
