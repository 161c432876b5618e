import { failedReads, type FeedTrouble, feedTroubles, STALE_HOURS } from '../../channels/feeds/health.ts';
import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readRows } from '../../store/queries/readRows.ts';
import { locationOf } from '../stores/stores.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** Kinds of trouble that only time brings while the service does not run. */
const OF_A_STOP: ReadonlySet<FeedTrouble['kind']> = new Set(['unread', 'unfetched']);

const SOON = `it is read again by itself; after ${STALE_HOURS} hours without a good read it is an alarm`;

/** Checks that calendar feeds are read, and that channels fetch ours. */
export async function lookAtFeeds(config: Config, clock: Clock, isRunning: boolean): Promise<Finding[]> {
  const core = locationOf(config, 'core');
  const troubles = await readRows(core, (db) => feedTroubles(db, clock.now()));
  if (troubles.length === 0) {
    const failed = await readRows(core, failedReads);
    if (failed.length > 0) return failed.map((says) => note('calendar feeds', says, SOON));
    return [ok('calendar feeds', 'each is read, and each channel fetches ours')];
  }
  return troubles.map(({ kind, says, remedy }) =>
    isRunning || !OF_A_STOP.has(kind) ? problem('calendar feeds', says, remedy) : note('calendar feeds', says, remedy),
  );
}
