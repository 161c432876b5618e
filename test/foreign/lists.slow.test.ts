import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Faults, noFaults } from './upstream/faults.ts';
import { type ForeignWorld, inForeign } from './world.ts';

const SIZE = { properties: 6, stays: 13, entries: 90, fullConversations: 22, longestConversation: 40 };
/** Of a reconciliation whose pages are small, and which looks up what no list shows. */
const MOST_REQUESTS = 420;

const switches: readonly [string, (faults: Faults) => void][] = [
  ['without a total', (faults) => void (faults.total = 'absent')],
  ['whose total is that of the page', (faults) => void (faults.total = 'page')],
  ['whose total is too high', (faults) => void (faults.total = 'too high')],
  ['whose total is too low', (faults) => void (faults.total = 'too low')],
  ['of pages of 30 rows', (faults) => void (faults.pageCap = 30)],
  ['of pages of 20 rows, without a total', (faults) => void Object.assign(faults, { pageCap: 20, total: 'absent' })],
  ['in which rows move to the front', (faults) => void Object.assign(faults, { pageCap: 30, shifting: 30 })],
  ['in an order of chance, on one page each', (faults) => void (faults.order = 'random')],
  [
    'of fullConversations that heed no offset',
    (faults) => void Object.assign(faults, { pageCap: 20, ignoresOffset: 'conversation' }),
  ],
];

/** What no event tells of. */
function changeSilently({ upstream: { truth }, business: { silently }, dice }: ForeignWorld): void {
  const stays = truth.stays.all().filter(({ channel }) => channel === 'A');
  silently.payDeposit(dice.pick(stays));
  silently.tellPolicy(dice.pick(stays));
  silently.price(dice.pick(truth.listings.all()).listing, dice.between(100, 900) * 100);
  silently.finishTask();
}

for (const dialect of ['described', 'hostex'] as const) {
  describe(`lists of a service that speaks ${dialect}`, () => {
    it('are read to their end, in so many requests, whatever they say and however they come', () =>
      inForeign({ dialect, seed: 9, size: SIZE }, async (world) => {
        const { upstream } = world;
        // Each dialect has half of them.
        const own = switches.filter((_, index) => (index % 2 === 0) === (dialect === 'hostex'));
        for (const [what, turn] of own) {
          turn(upstream.faults);
          changeSilently(world);
          world.business.goOn(3);
          upstream.forget();
          await world.reconcile();
          await world.quiet();
          assert.deepEqual(await world.differences(), [], what);
          assert.deepEqual(await world.quarantined(), [], what);
          assert.ok(upstream.count() <= MOST_REQUESTS, `${what}: ${upstream.count()} requests`);
          const { fields: _, ...well } = noFaults();
          Object.assign(upstream.faults, well);
        }
        // Of each kind something was found, and nothing is taken for gone that is there.
        const [deposits] = await world.rows(`select count(*) as n from stays where deposit_paid_minor > 0`);
        const [policies] = await world.rows(
          `select count(*) as n from stays where cancellation_policy_category = 'strict_14'`,
        );
        assert.ok(Number(policies?.['n']) > 0);
        assert.ok(dialect === 'hostex' || Number(deposits?.['n']) > 0);
      }));

    it('that heed no offset at all come to an end, and delete nothing', () =>
      inForeign({ dialect, seed: 9, size: SIZE }, async (world) => {
        const { upstream } = world;
        Object.assign(upstream.faults, { ignoresOffset: true, pageCap: 20 });
        upstream.forget();
        await world.reconcile();
        await world.quiet();
        assert.ok(upstream.count() <= MOST_REQUESTS, `${upstream.count()} requests`);
        Object.assign(upstream.faults, { ignoresOffset: false, pageCap: null });
        assert.deepEqual(await world.rows(`select resource, key from changes where op = 'deleted'`), []);
        assert.deepEqual(await world.differences(), []);
      }));
  });
}
