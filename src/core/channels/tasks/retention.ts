import { turn } from '../../../kernel/clock.ts';
import { type Instant, instantOf } from '../../../kernel/dates.ts';
import type { Logger } from '../../../kernel/log.ts';
import { Worker } from '../../../kernel/worker.ts';
import type { Core } from '../../context.ts';
import { deleteTasks, nextAccount, tasksAfter } from './table.ts';

/** Tasks read, and at most deleted, in one transaction. */
const BATCH = 200;
/** Milliseconds between two searches for old tasks. */
const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface RetentionOptions {
  core: Core;
  log: Logger;
  /** Days for which a finished task is retained. */
  days: number;
}

/** Deletes tasks that ended longer ago than the retention. An open task remains however old it is. */
export function taskRetention({ core, log, days }: RetentionOptions): Worker {
  return new Worker({
    clock: core.clock,
    log,
    name: 'deleting old work on calendars',
    everyMs: EVERY_MS,
    async round(signal) {
      const before = instantOf(core.clock.now() - days * DAY_MS);
      for (let account = await nextAccount(core.store.db, ''); account !== undefined && !signal.aborted;) {
        for (let after: number | undefined = 0; after !== undefined && !signal.aborted; await turn()) {
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

/** Deletes one batch. @returns the task after which the next batch begins; undefined when no older task remains */
function pruneBatch({ store }: Core, { accountId, after, before }: Range): Promise<number | undefined> {
  return store.transaction(async (trx) => {
    const tasks = await tasksAfter(trx, { accountId, after, limit: BATCH });
    const ended = tasks.filter(({ finished_at: at }) => at !== null && at < before).map((task) => task.id);
    if (ended.length > 0) await deleteTasks(trx, { accountId, ids: ended });
    const last = tasks.at(-1);
    // Ids grow with time: every task after one that is too recent is too recent as well.
    return tasks.length === BATCH && last && last.created_at < before ? last.id : undefined;
  });
}
