import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Subscription, subscriptionAt, subscriptionLife } from '../../src/core/accounts/rules.ts';
import { changeSubscription, type SubscriptionChange } from '../../src/core/accounts/subscription.ts';
import { findAccount } from '../../src/core/accounts/table.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import { arrowsOf } from '../../src/kernel/transitions.ts';
import { startCore, type TestCore } from '../support/core.ts';

const DAY = 86_400_000;

/** What an owner can say of an account, and days that pass. Last days are counted from now. */
type Step = { pass: number } | { suspended?: boolean; days?: number | null };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ pass: fc.constantFrom(1, 5, 40) }),
  fc.record(
    { suspended: fc.boolean(), days: fc.option(fc.constantFrom(-3, 0, 1, 10), { nil: null }) },
    { requiredKeys: [] },
  ),
);

describe('an account through changes and time', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.close());

  it('no sequence of them reaches a state or a move outside the table, and the API answers by the state', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { account, token } = await core.addAccount(`account ${(made += 1)}`);
        let shut = false;
        let state: Subscription = 'active';
        for (const one of steps) {
          if ('pass' in one) core.clock.jump(one.pass * DAY);
          else {
            await changeSubscription(core.core, account, wish(one));
            shut = one.suspended ?? shut;
          }
          const row = await findAccount(core.core.store.db, account.account_id);
          assert.ok(row);
          const next = subscriptionAt(row, core.clock.now());
          if (next !== state) assert.ok(isMove(state, next), `${state} → ${next}`);
          assert.equal(next === 'active', !shut && next !== 'expired', 'shut out until it is let in again');
          const answer = await core.request('GET', '/accounts/me', { token });
          assert.deepEqual([answer.error_code, answer.error_msg], ANSWERS[next]);
          state = next;
        }
      }),
      { numRuns: 40 },
    );
  });

  const ANSWERS = {
    active: [200, 'Done.'],
    suspended: [420, 'Account suspended'],
    expired: [420, 'Subscription expired'],
  };

  const wish = ({ suspended, days }: Exclude<Step, { pass: number }>): SubscriptionChange => ({
    suspended,
    ...(days !== undefined && { expires_at: days === null ? null : instantOf(core.clock.now() + days * DAY) }),
  });

  const isMove = (from: Subscription, to: Subscription) =>
    arrowsOf(subscriptionLife).some((row) => row.from === from && row.to === to);

  it('a last day that is over ends it at that moment, a later one brings it back as it was', async () => {
    const { account, token } = await core.addAccount('comes and goes');
    const text = async () => (await core.request('GET', '/accounts/me', { token })).error_msg;
    const change = (wanted: SubscriptionChange) => changeSubscription(core.core, account, wanted);
    const inADay = instantOf(core.clock.now() + DAY);
    await change({ expires_at: inADay, suspended: true });
    assert.equal(await text(), 'Account suspended');
    core.clock.jump(DAY - 1);
    assert.equal(await text(), 'Account suspended');
    core.clock.jump(1);
    assert.equal(await text(), 'Subscription expired', 'what counts first');
    await change({ expires_at: null });
    assert.equal(await text(), 'Account suspended', 'a renewal lets nobody in that was shut out');
    await change({ suspended: false });
    assert.equal(await text(), 'Done.');
  });

  it('one that was ended without a day is not brought back by letting it in, but by a later day', async () => {
    const { account, token } = await core.addAccount('ended');
    const code = async () => (await core.request('GET', '/accounts/me', { token })).error_code;
    await core.core.store.db
      .updateTable('accounts')
      .set({ subscription: 'expired' })
      .where('account_id', '=', account.account_id)
      .execute();
    await changeSubscription(core.core, account, { suspended: false });
    assert.equal(await code(), 420);
    await changeSubscription(core.core, account, { expires_at: instantOf(core.clock.now() + DAY) });
    assert.equal(await code(), 200);
  });

  it('the Basic edition has no API, and Pro has it back', async () => {
    const { account, token } = await core.addAccount('edition');
    const text = async () => (await core.request('GET', '/accounts/me', { token })).error_msg;
    await changeSubscription(core.core, account, { edition: 'basic' });
    assert.equal(await text(), 'Basic edition does not support this feature');
    await changeSubscription(core.core, account, { edition: 'pro', property_quota: 1 });
    assert.equal(await text(), 'Done.');
    await core.call('createProperty', { title: 'The only one' }, token);
    const second = await core.request('POST', '/properties', { token, body: { title: 'Second' } });
    assert.deepEqual([second.error_code, second.error_msg], [420, 'Property quota exhausted']);
  });

  it('two changes at once are both made', async () => {
    const { account } = await core.addAccount('two owners');
    await Promise.all([
      changeSubscription(core.core, account, { suspended: true }),
      changeSubscription(core.core, account, { property_quota: 7 }),
    ]);
    const row = await findAccount(core.core.store.db, account.account_id);
    assert.deepEqual([row?.subscription, row?.property_quota], ['suspended', 7]);
  });
});
