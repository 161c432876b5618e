import { turn } from '../../../kernel/clock.ts';
import { type Instant, instantOf } from '../../../kernel/dates.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Core } from '../../context.ts';
import { Repeating } from '../../repeating.ts';
import { deleteTasks, nextAccount, tasksAfter } from './table.ts';

/** Tasks looked at, and at most deleted, in one transaction. */
const BATCH = 200;
/** How often the table is gone through for what has grown old. */
const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface RetentionOptions {
  core: Core;
  log: Logger;
  /** How long a task is kept after its end. */
  days: number;
}

/** Deletes tasks that ended longer ago than they are kept. One that is still to be done stays however old it is. */
export function taskRetention({ core, log, days }: RetentionOptions): Repeating {
  return new Repeating({
    clock: core.clock,
    log,
    name: 'deleting old work on calendars',
    everyMs: EVERY_MS,
    async round(isStopped) {
      const before = instantOf(core.clock.now() - days * DAY_MS);
      for (let account = await nextAccount(core.store.db, ''); account !== undefined && !isStopped();) {
        for (let after: number | undefined = 0; after !== undefined && !isStopped(); await turn()) {
          after = await pruneBatch(core, { accountId: account, after, before });
        }
        account = await nextAccount(core.store.db, account);
      }
    },
  });
}

interface Range {
  accountId: string;
  after: number;
  before: Instant;
}

/** @returns the task behind which the next batch begins; undefined when none is old enough any more */
function pruneBatch({ store }: Core, { accountId, after, before }: Range): Promise<number | undefined> {
  return store.transaction(async (trx) => {
    const tasks = await tasksAfter(trx, { accountId, after, limit: BATCH });
    const ended = tasks.filter(({ finished_at: at }) => at !== null && at < before).map((task) => task.id);
    if (ended.length > 0) await deleteTasks(trx, { accountId, ids: ended });
    const last = tasks.at(-1);
    // Ids grow with time: behind a task that was made too lately, all were.
    return tasks.length === BATCH && last && last.created_at < before ? last.id : undefined;
  });
}
