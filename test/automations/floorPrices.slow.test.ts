import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadProfile } from '../../src/compose/profiles/profiles.ts';
import type { Profile } from '../../src/contract/dialect/profile.ts';
import { described } from '../../src/contract/dialect/profile.ts';
import { openHouse } from './support/house.ts';

const RULE = `name: gap-nights
state: live
when: every day at 13:10
do:
  price: { nights: gaps, longest_gap: 2, days_ahead: 60, change_percent: -20, floor: 1, ceiling: 400 }
`;
const BY_STEPS = `---
name: all-nights
state: live
when: every day at 13:10
do:
  price: { nights: free, by_lead_days: [{ at_most: 60, change_percent: -20 }], floor: 1, ceiling: 400 }
`;
const MINUTE_MS = 60_000;
const hostex = loadProfile({ profiles: './profiles' }, 'hostex');
/** Its words alone: what is left out does not matter here. */
const itsWords: Profile = { ...hostex, serving: described.serving, absent: described.absent };

/** What a rule has made of the two nights between two stays on a channel. */
async function pricesSet(profile: Profile, channel: string, rules = RULE): Promise<unknown[]> {
  const house = await openHouse({ rules, profile, channel });
  try {
    await house.pass(MINUTE_MS);
    await house.book({ inDays: 4, nights: 2 });
    await house.book({ inDays: 8, nights: 2 });
    await house.pass(14 * MINUTE_MS);
    const plans = await house.plans();
    assert.ok(plans.length > 0, 'a round was planned');
    const rows = await house.daemon.store.db
      .selectFrom('automation_plans')
      .select(['state', 'reason', 'result'])
      .where('result', 'is not', null)
      .execute();
    return rows.flatMap(({ result }) => (JSON.parse(result ?? '{}') as { prices?: unknown[] }).prices ?? []);
  } finally {
    await house.close();
  }
}

describe('a calendar that shows what is left for the host', () => {
  it('is never priced by a rule, whatever the channel is called there', async () => {
    assert.deepEqual(await pricesSet(itsWords, 'regional_marketplace', RULE + BY_STEPS), []);
  });

  it('others are', async () => {
    assert.equal((await pricesSet(itsWords, 'marketplace_c')).length, 2);
  });
});
