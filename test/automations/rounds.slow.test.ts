import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CONNECTION } from '../sim/daemon.ts';
import { type House, openHouse } from './support/house.ts';

const MINUTE_MS = 60_000;
const rule = (name: string, conditions: string) => `---
name: ${name}
state: live
when: every day at 13:10
if: ${conditions}
do:
  price: { nights: gaps, longest_gap: 2, days_ahead: 60, change_percent: -10, floor: 1, ceiling: 400 }
`;

describe('conditions of a rule that comes round again', () => {
  let house: House;
  before(async () => {
    house = await openHouse({ rules: '' });
    await house.host('POST', '/tags', { name: 'seaside', property_ids: [house.property_id] });
  });
  after(() => house.close());

  it('are asked of each listing and its property', async () => {
    await house.ends(house.daemon.daemon.reconcile(CONNECTION));
    await house.use(
      [
        rule('here', `{ property: [${house.property_id}] }`),
        rule('elsewhere', `{ property: [${house.property_id + 1}] }`),
        rule('by-tag', '{ property_tag: [seaside] }'),
        rule('by-other-tag', '{ property_tag: [mountain] }'),
        rule('by-channel', '{ channel: marketplace_a }'),
        rule('not-by-channel', '{ not_channel: marketplace_a }'),
        rule('not-by-other-channel', '{ not_channel: marketplace_b }'),
      ].join(''),
    );
    await house.pass(MINUTE_MS);
    await house.book({ inDays: 4, nights: 2 });
    await house.book({ inDays: 8, nights: 2 });
    await house.pass(14 * MINUTE_MS);
    const rows = await house.daemon.store.db
      .selectFrom('automation_plans')
      .select(['rule', 'state', 'reason', 'result'])
      .orderBy('rule')
      .execute();
    const nights = ({ result }: (typeof rows)[number]) =>
      (JSON.parse(result ?? '{}') as { prices?: unknown[] }).prices?.length ?? 0;
    assert.deepEqual(
      rows.map(
        (row) => `${row.rule}: ${row.state}, ${nights(row)} nights${row.reason === null ? '' : `, ${row.reason}`}`,
      ),
      [
        'by-channel: sent, 2 nights',
        'by-other-tag: skipped, 0 nights, nothing_to_do',
        'by-tag: sent, 2 nights',
        'elsewhere: skipped, 0 nights, nothing_to_do',
        'here: sent, 2 nights',
        'not-by-channel: skipped, 0 nights, nothing_to_do',
        'not-by-other-channel: sent, 2 nights',
      ],
    );
  });
});
