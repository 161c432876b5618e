import { instantOf } from '../../kernel/dates.ts';
import type { Change } from '../context.ts';
import type { ListingRow } from '../database.ts';
import type { Settings } from './adapter.ts';
import { changeListing } from './table.ts';
import { queueTasks } from './tasks/queue.ts';

/** The marketplace whose prices and rules are answered from the last read instead of live. */
export const SNAPSHOT_CHANNEL = 'marketplace_b';

/** Stores a channel's present prices and rules. */
export function recordRules(
  change: Change,
  listing: Pick<ListingRow, 'account_id' | 'id'>,
  settings: Settings,
): Promise<void> {
  const rules = { rules: JSON.stringify(settings), rules_read_at: instantOf(change.now) };
  return changeListing(change.trx, listing, rules);
}

/** Queues a new read of these listings' prices and rules, where answers come from the last read. */
export function readRulesAgain(
  change: Change,
  listings: readonly Pick<ListingRow, 'id' | 'channel_type'>[],
): Promise<void> {
  const recorded = listings.filter(({ channel_type }) => channel_type === SNAPSHOT_CHANNEL);
  return queueTasks(
    change,
    recorded.map(({ id }) => ({ subject: 'listing', subject_id: id, work: { kind: 'settings' } })),
  );
}
