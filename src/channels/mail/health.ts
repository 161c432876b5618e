import type { CoreDb } from '../../core/database.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { MailboxRow, MailLogRow } from './rows.ts';
import { activeMailboxes, mailToLookAt } from './table.ts';

/** Without a good read for so long, guests wait for answers and nobody knows. */
const STALE_MS = 30 * 60_000;

/** Something about a mailbox that needs a person. */
export interface MailTrouble {
  readonly accountId: AccountId;
  readonly mailboxId: number;
  readonly kind: 'unread' | 'unsent' | 'bounced' | 'held' | 'unreadable';
  readonly says: string;
  readonly remedy: string;
}

/** Returns what is wrong with the mailboxes of all accounts. */
export async function mailTroubles(db: CoreDb, now: number): Promise<MailTrouble[]> {
  const mailboxes = await activeMailboxes(db);
  const waiting = mailboxes.length === 0 ? [] : await mailToLookAt(db);
  return mailboxes.flatMap((mailbox) => {
    const own = waiting.filter((one) => one.account_id === mailbox.account_id && one.mailbox_id === mailbox.id);
    return troublesOf(mailbox, own, now);
  });
}

/** Returns what is wrong with one mailbox. @param waiting its mails that nobody has looked at */
export function troublesOf(mailbox: MailboxRow, waiting: readonly MailLogRow[], now: number): MailTrouble[] {
  const { account_id: accountId, id: mailboxId, address, good_at, created_at, problem } = mailbox;
  const troubles: MailTrouble[] = [];
  if (now - Date.parse(good_at ?? created_at) > STALE_MS) {
    troubles.push({
      accountId,
      mailboxId,
      kind: 'unread',
      says: `the mailbox ${address} was not read since ${good_at ?? 'it was added'}: ${problem ?? 'its turn did not come'}`,
      remedy: 'look if the password still holds and the server answers: ./stayd mail test',
    });
  }
  const of = (...kinds: MailLogRow['kind'][]) => waiting.filter(({ kind }) => kinds.includes(kind));
  const unsent = of('failed', 'unknown');
  if (unsent.length > 0) {
    troubles.push({
      accountId,
      mailboxId,
      kind: 'unsent',
      says: `${unsent.length} mails of ${address} were not sent, or nobody knows: ${unsent.at(-1)?.says ?? ''}`,
      remedy:
        'send them again from the conversation if the guest has not got them, then note in Mail that you have seen it',
    });
  }
  const bounced = of('bounce');
  if (bounced.length > 0) {
    troubles.push({
      accountId,
      mailboxId,
      kind: 'bounced',
      says: `${bounced.length} mails of ${address} did not reach their guests`,
      remedy: 'look in the log of Mail which they are, and reach these guests otherwise',
    });
  }
  const held = of('held');
  if (held.length > 0) {
    troubles.push({
      accountId,
      mailboxId,
      kind: 'held',
      says: `${held.length} mails to ${address} are held back: ${held.at(-1)?.says ?? ''}`,
      remedy: 'look in the log of Mail, and take in those that a person wrote',
    });
  }
  const unreadable = of('unreadable');
  if (unreadable.length > 0) {
    troubles.push({
      accountId,
      mailboxId,
      kind: 'unreadable',
      says: `${unreadable.length} mails to ${address} could not be taken in: ${unreadable.at(-1)?.says ?? ''}`,
      remedy: 'read them in the mailbox itself, then note in Mail that you have seen them',
    });
  }
  return troubles;
}
