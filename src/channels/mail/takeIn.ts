import { receiveGuestMessage } from '../../core/conversations/receive.ts';
import { keepPicture } from '../../core/conversations/attachments.ts';
import type { Change } from '../../core/context.ts';
import { flag } from '../../core/database.ts';
import { instantOf } from '../../kernel/dates.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { ReadMail } from './read/readMail.ts';
import { messageKey } from './read/plain.ts';
import type { MailboxRow, MailKind, MailLogRow } from './rows.ts';
import { addLog, countFrom, loggedByKey, loggedOnce, mailboxesOf, writeLog, writeThread } from './table.ts';
import { threadOf } from './threads.ts';

const HOUR_MS = 3_600_000;
/** Mails of one sender in an hour that become messages. More are a robot that does not say so, or an attack. */
export const MOST_FROM_ONE = 20;
/** A mail may be dated so long before it arrived; beyond, or in the future, its arrival counts. */
const LONGEST_WAY_MS = 7 * 24 * HOUR_MS;
/** Message-IDs of a conversation that are remembered for the heads of answers. */
const KEPT_REFERENCES = 12;

/** A mail of the folder, taken apart. */
export interface Arrival {
  readonly uidValidity: string;
  readonly uid: number;
  readonly size: number;
  /** Milliseconds since the epoch; null: the server does not say. */
  readonly arrived: number | null;
  /** What it holds, or why nobody can say. `key` recognises it. */
  readonly content: ReadMail | { readonly key: string; readonly problem: string };
  /** True if only the beginning of it was read, since it is too large. */
  readonly isCut: boolean;
}

/** What a mail was taken for. */
export interface TakenIn {
  readonly kind: MailKind;
  readonly conversationId?: string;
}

/** How a mail is taken in. */
interface Taking {
  /** True if a person wants it in, whatever its sender has sent. */
  readonly isAskedFor?: boolean;
  /** True if it is so old that the log cannot tell whether it was taken in before. */
  readonly isBeforeLog?: boolean;
}

/**
 * Takes one mail in, once: a mail of a guest becomes a message of its conversation; all others only stand in the log, so
 * that nothing answers them. Called within the transaction that moves the mailbox's cursor past it.
 */
export async function takeIn(
  change: Change,
  mailbox: MailboxRow,
  arrival: Arrival,
  { isAskedFor = false, isBeforeLog = false }: Taking,
): Promise<TakenIn> {
  const { content } = arrival;
  const key = { account_id: change.account.account_id, mailbox_id: mailbox.id, direction: 'in' } as const;
  const earlier = await loggedOnce(change.trx, { ...key, message_key: content.key });
  const log = logging(change, { key, arrival, again: isAskedFor ? earlier : undefined });
  if (earlier && !isAskedFor) {
    const { uid, uidValidity } = arrival;
    if (earlier.uid_validity === uidValidity && earlier.uid === uid) return { kind: earlier.kind };
    if (earlier.uid_validity !== uidValidity) {
      // The same mail under another number: the server numbers its mails otherwise now.
      await writeLog(change.trx, earlier, { uid_validity: uidValidity, uid });
      return { kind: 'duplicate' };
    }
    const says = `the same Message-ID as number ${earlier.uid}`;
    return log.note('duplicate', { says, message_key: `${uidValidity}/${uid}` });
  }
  if ('problem' in content) return log.note('unreadable', { says: content.problem, needs_a_look: 1 });
  const { from, robot } = content;
  if (robot?.kind === 'bounce') return noteBounce(change, content, log);
  if (robot) return log.note(robot.kind, { says: robot.says });
  if (from === undefined)
    return log.note('unreadable', { says: 'it has no sender that can be answered', needs_a_look: 1 });
  const own = await mailboxesOf(change.trx, change.account.account_id);
  if (own.some(({ address }) => address === from.address)) {
    return log.note('own', { says: 'sent in the name of a mailbox of ours' });
  }
  if (isBeforeLog) {
    return log.note('held', {
      says: 'it arrived before the log of mails begins, so it may have been taken in then',
      needs_a_look: 1,
    });
  }
  const since = instantOf(change.now - HOUR_MS);
  if (!isAskedFor && (await countFrom(change.trx, mailbox, { address: from.address, since })) >= MOST_FROM_ONE) {
    return log.note('held', { says: `more than ${MOST_FROM_ONE} mails of this sender in an hour`, needs_a_look: 1 });
  }
  return receive(change, mailbox, arrival, { ...content, from }, log);
}

type GuestMail = ReadMail & { from: NonNullable<ReadMail['from']> };

async function receive(
  change: Change,
  mailbox: MailboxRow,
  arrival: Arrival,
  mail: GuestMail,
  log: Log,
): Promise<TakenIn> {
  const { account_id } = change.account;
  const { thread, conversationId } = await threadOf(change, mailbox, mail);
  const attachments = [];
  for (const picture of mail.pictures) {
    attachments.push(await keepPicture(change, { account_id, conversation_id: conversationId }, picture));
  }
  const message_id = await receiveGuestMessage(change, {
    conversation_id: conversationId,
    channel_message_id: `mail ${mail.key}`,
    content: textOf(mail, arrival),
    attachments,
    display_type: 'Text',
    sent_at: instantOf(sentAt(mail, arrival, change.now)),
    ...(mail.from.address !== thread.address && { sender_name: nameOf(mail) }),
  });
  const { messageId } = mail;
  if (messageId !== undefined) {
    const references = [...(JSON.parse(thread.reference_ids) as string[]), messageId].slice(-KEPT_REFERENCES);
    await writeThread(change.trx, thread, {
      last_message_id: messageId,
      reference_ids: JSON.stringify(references),
      ...(mail.subject !== '' && { subject: mail.subject }),
    });
  }
  const says = [
    ...(arrival.isCut ? ['larger than what is read; its beginning was taken in'] : []),
    ...(mail.checks?.isDisowned === true ? ['the domain of the sender disowns it'] : []),
  ];
  await log.note('message', { thread: thread.thread, message_id, says: says.length > 0 ? says.join('; ') : null });
  return { kind: 'message', conversationId };
}

/** Somebody other than the guest is named with the address, so that nobody is taken for the guest. */
function nameOf({ from: { name, address } }: GuestMail): string {
  return name === '' ? address : `${name} (${address})`;
}

function textOf({ text, subject, others, pictures }: ReadMail, { isCut, size }: Arrival): string {
  const parts = [
    text === '' && pictures.length === 0 ? subject : text,
    ...(others.length > 0 ? [`[📎 ${others.join(', ')}]`] : []),
    ...(isCut ? [`[📎 ${Math.ceil(size / (1_024 * 1_024))} MB: the whole mail is in the mailbox]`] : []),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function sentAt({ date }: ReadMail, { arrived }: Arrival, now: number): number {
  const latest = Math.min(arrived ?? now, now);
  return date !== undefined && date <= latest && date >= latest - LONGEST_WAY_MS ? date : latest;
}

/** A bounce names the message that did not arrive, and a person sees it. */
async function noteBounce(change: Change, { reported, subject }: ReadMail, log: Log): Promise<TakenIn> {
  const found = await loggedByKey(change.trx, change.account.account_id, reported.map(messageKey));
  const ours = found.find(({ direction }) => direction === 'out');
  return log.note('bounce', {
    thread: ours?.thread ?? null,
    about_message_id: ours?.message_id ?? null,
    says: ours ? 'a message of ours did not arrive' : `a mail server reports: ${subject}`,
    needs_a_look: flag(ours !== undefined),
  });
}

type LogKey = Pick<MailLogRow, 'account_id' | 'mailbox_id' | 'direction'>;

interface Log {
  note(kind: MailKind, more: Partial<MailLogRow>): Promise<TakenIn>;
}

interface Logging {
  readonly key: LogKey;
  readonly arrival: Arrival;
  /** The entry that this mail has already. */
  readonly again: MailLogRow | undefined;
}

function logging(change: Change, { key, arrival, again }: Logging): Log {
  const { content, uid, uidValidity, size } = arrival;
  const isRead = !('problem' in content);
  return {
    async note(kind, more) {
      const row: MailLogRow = {
        ...key,
        id: again?.id ?? (await nextIds(change.trx, 'mail_log')),
        kind,
        message_key: content.key,
        uid_validity: uidValidity,
        uid,
        size,
        thread: null,
        message_id: null,
        address: isRead ? (content.from?.address ?? '') : '',
        subject: isRead ? content.subject : '',
        checks: isRead ? (content.checks?.text ?? null) : null,
        says: null,
        about_message_id: null,
        needs_a_look: 0,
        noted_at: instantOf(change.now),
      };
      await (again ? writeLog(change.trx, again, { ...row, ...more }) : addLog(change.trx, { ...row, ...more }));
      return { kind };
    },
  };
}
