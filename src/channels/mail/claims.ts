import type { ExpressionBuilder } from 'kysely';
import type { CoreDatabase, CoreDb } from '../../core/database.ts';
import type { MailboxRow } from './rows.ts';

type MailboxKey = Pick<MailboxRow, 'account_id' | 'id'>;

/** Returns mailboxes that are to be read and that nobody reads, the one that waits longest first. */
export function dueMailboxes(db: CoreDb, now: number, limit: number): Promise<MailboxRow[]> {
  return db
    .selectFrom('mailboxes')
    .where('next_read_at', 'is not', null)
    .where('next_read_at', '<=', now)
    .where((where) => isFree(where, now))
    .selectAll()
    .orderBy('next_read_at')
    .limit(limit)
    .execute();
}

/** Returns the moment of the next read of any mailbox that nobody reads at the moment; undefined if there is none. */
export async function nextRead(db: CoreDb, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('mailboxes')
    .where('next_read_at', 'is not', null)
    .where((where) => isFree(where, now))
    .select('next_read_at')
    .orderBy('next_read_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_read_at ?? undefined;
}

function isFree(where: ExpressionBuilder<CoreDatabase, 'mailboxes'>, now: number) {
  return where.or([where('reading_until', 'is', null), where('reading_until', '<=', now)]);
}

/**
 * Claims a mailbox until a moment, so that nobody else reads it meanwhile, in this process or another.
 * @returns false if somebody reads it
 */
export async function claimMailbox(
  db: CoreDb,
  { account_id, id }: MailboxKey,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await db
    .updateTable('mailboxes')
    .set({ reading_until: until })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where((where) => isFree(where, now))
    .execute();
  return numUpdatedRows > 0n;
}

/** Gives a mailbox back, unless the claim has ended and somebody else has it. */
export async function releaseMailbox(db: CoreDb, { account_id, id }: MailboxKey, until: number): Promise<void> {
  await db
    .updateTable('mailboxes')
    .set({ reading_until: null })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('reading_until', '=', until)
    .execute();
}
