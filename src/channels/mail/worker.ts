import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';
import { dueMailboxes, nextRead } from './claims.ts';
import { openForDirect } from './openForDirect.ts';
import { failRead, type MailMeans, readMailbox } from './poll.ts';
import type { MailboxRow } from './rows.ts';

/** Milliseconds between two looks for mailboxes that are due. */
const LOOK_MS = 15_000;
/** Mailboxes that are read at the same time. */
const AT_ONCE = 3;

interface MailWork extends MailMeans {
  readonly log: Logger;
}

/** Returns the worker that reads mailboxes when they are due. */
export function mailWorker(work: MailWork): Worker {
  const { core, log } = work;
  const { clock, store } = core;
  return new Worker({
    clock,
    log,
    name: 'reading mailboxes',
    everyMs: LOOK_MS,
    async round(signal) {
      const isMore = await openForDirect(core);
      const due = await dueMailboxes(store.db, clock.now(), AT_ONCE);
      await Promise.all(due.map((mailbox) => readDue(work, mailbox, signal)));
      if (signal.aborted) return undefined;
      if (isMore) return 0;
      const next = due.length === 0 ? await nextRead(store.db, clock.now()) : clock.now();
      return next === undefined ? LOOK_MS : Math.min(LOOK_MS, Math.max(due.length > 0 ? 0 : 1, next - clock.now()));
    },
  });
}

async function readDue(work: MailWork, mailbox: MailboxRow, signal: AbortSignal): Promise<void> {
  const { core, log } = work;
  try {
    const outcome = await readMailbox(work, mailbox, signal);
    if (outcome.read === 'failed')
      log.warn({ mailbox: mailbox.id, problem: outcome.problem }, 'a mailbox was not read');
  } catch (error) {
    log.error({ mailbox: mailbox.id, err: error, problem: messageOf(error) }, 'mail could not be taken in');
    await failRead(core, mailbox, `mail could not be taken in: ${messageOf(error)}`);
  }
}
