import type { Core } from '../../core/context.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';
import type { CalendarReader } from '../../outbound/fetchCalendar.ts';
import { fail, readFeedNow } from './poll.ts';
import type { FeedRow } from './rows.ts';
import { claimFeed, dueFeeds, nextRead } from './table.ts';

/** Milliseconds between two looks for feeds that are due; a new one is read at once, since it wakes the worker. */
const LOOK_MS = 60_000;
/** Feeds that are read at the same time. */
const AT_ONCE = 4;
/** Milliseconds for which a process has a feed to itself; after a crash another one reads it then. */
const CLAIM_MS = 120_000;

interface FeedWork {
  readonly core: Core;
  readonly log: Logger;
  readonly reader: CalendarReader;
}

/** Returns the worker that reads feeds when they are due. */
export function feedWorker(work: FeedWork): Worker {
  const { core, log } = work;
  return new Worker({
    clock: core.clock,
    log,
    name: 'reading calendar feeds',
    everyMs: LOOK_MS,
    async round(signal) {
      const due = await dueFeeds(core.store.db, core.clock.now(), AT_ONCE);
      await Promise.all(due.map((feed) => readClaimed(work, feed)));
      if (signal.aborted || due.length === AT_ONCE) return 0;
      const next = await nextRead(core.store.db);
      return next === undefined ? LOOK_MS : Math.min(LOOK_MS, Math.max(1, next - core.clock.now()));
    },
  });
}

async function readClaimed({ core, log, reader }: FeedWork, feed: FeedRow): Promise<void> {
  const until = core.clock.now() + CLAIM_MS;
  if (!(await claimFeed(core.store.db, feed, until))) return;
  try {
    const outcome = await readFeedNow(core, reader, feed);
    if (outcome.read === 'failed')
      log.warn({ feed: feed.id, problem: outcome.problem }, 'a calendar feed was not read');
  } catch (error) {
    log.error({ feed: feed.id, err: error, problem: messageOf(error) }, 'a calendar feed could not be taken over');
    await fail(core, feed, `it could not be taken over: ${messageOf(error)}`);
  }
}
