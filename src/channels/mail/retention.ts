import type { Core } from '../../core/context.ts';
import type { CoreDb } from '../../core/database.ts';
import { turn } from '../../kernel/clock.ts';
import { instantOf, type Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';
import type { OpenFolder } from '../../outbound/readMailbox.ts';
import { inList } from '../../store/queries/inList.ts';
import type { MailboxRow } from './rows.ts';
import { writeMailbox } from './table.ts';

/** Rows changed in one transaction. */
const BATCH = 200;
/** Milliseconds between two searches for old entries. */
const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface LogAge {
  readonly core: Pick<Core, 'store' | 'clock'>;
  /** Days for which the log tells of a mail. */
  readonly days: number;
}

/** Returns the moment before which the log tells nothing any more. */
export function logBegins({ core: { clock }, days }: LogAge): number {
  return clock.now() - days * DAY_MS;
}

/**
 * Shortens the old end of the log of mails. Of mails that we sent nothing is left. Mails that came lose their addresses,
 * subjects and remarks; their digests and numbers remain as long as they lie in the mailbox ({@link pruneLeft}), so that
 * none is taken in twice. What waits for a person stays whole, however old it is.
 */
export function mailRetention({ core, log, days }: LogAge & { readonly log: Logger }): Worker {
  return new Worker({
    clock: core.clock,
    log,
    name: 'deleting old entries of the log of mails',
    everyMs: EVERY_MS,
    async round(signal) {
      const before = instantOf(logBegins({ core, days }));
      for (const step of [deleteSent, emptyReceived]) {
        for (let isMore = true; isMore && !signal.aborted; await turn()) isMore = await step(core, before);
      }
    },
  });
}

/** @returns true if there may be more */
async function deleteSent({ store }: LogAge['core'], before: Instant): Promise<boolean> {
  return store.transaction(async (trx) => {
    const rows = await oldEntries(trx, 'out', before).limit(BATCH).execute();
    for (const [accountId, ids] of idsByAccount(rows)) await deleteEntries(trx, accountId, ids);
    return rows.length === BATCH;
  });
}

async function emptyReceived({ store }: LogAge['core'], before: Instant): Promise<boolean> {
  return store.transaction(async (trx) => {
    const rows = await oldEntries(trx, 'in', before)
      .where((where) =>
        where.or([
          where('address', '!=', ''),
          where('subject', '!=', ''),
          where('checks', 'is not', null),
          where('says', 'is not', null),
        ]),
      )
      .limit(BATCH)
      .execute();
    for (const [accountId, ids] of idsByAccount(rows)) {
      await trx
        .updateTable('mail_log')
        .set({ address: '', subject: '', checks: null, says: null })
        .where('account_id', '=', accountId)
        .where((where) => inList(where.ref('id'), ids))
        .execute();
    }
    return rows.length === BATCH;
  });
}

/**
 * Forgets, once a day, the old mails of a mailbox that no longer lie in its folder. Called while the folder is open and all
 * of it was looked at, since its numbers are compared.
 */
export async function pruneLeft(age: LogAge, row: MailboxRow, folder: OpenFolder): Promise<void> {
  const { store, clock } = age.core;
  const now = clock.now();
  if (row.log_pruned_at !== null && now - row.log_pruned_at < DAY_MS) return;
  const old = await oldEntries(store.db, 'in', instantOf(logBegins(age)))
    .where('account_id', '=', row.account_id)
    .where('mailbox_id', '=', row.id)
    .select(['uid', 'uid_validity'])
    .execute();
  const there = old.length === 0 ? new Set<number>() : new Set(await folder.numbers());
  const left = old.filter(({ uid, uid_validity }) => {
    return uid === null || uid_validity !== folder.uidValidity || !there.has(uid);
  });
  for (let at = 0; at < left.length; at += BATCH) {
    const ids = left.slice(at, at + BATCH).map(({ id }) => id);
    await store.transaction((trx) => deleteEntries(trx, row.account_id, ids));
    await turn();
  }
  await writeMailbox(store.db, row, { log_pruned_at: now });
}

function oldEntries(db: Pick<CoreDb, 'selectFrom'>, direction: 'in' | 'out', before: Instant) {
  return db
    .selectFrom('mail_log')
    .where('direction', '=', direction)
    .where('noted_at', '<', before)
    .where('needs_a_look', '=', 0)
    .select(['account_id', 'id']);
}

async function deleteEntries(db: Pick<CoreDb, 'deleteFrom'>, accountId: AccountId, ids: readonly number[]) {
  await db
    .deleteFrom('mail_log')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('id'), ids))
    .execute();
}

function idsByAccount(rows: readonly { account_id: AccountId; id: number }[]): Map<AccountId, number[]> {
  const found = new Map<AccountId, number[]>();
  for (const { account_id, id } of rows) found.set(account_id, [...(found.get(account_id) ?? []), id]);
  return found;
}
