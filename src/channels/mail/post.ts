import { type ChannelPost, type PostAdapter, type Posted, UnknownOutcome } from '../../core/channels/adapter.ts';
import type { Core } from '../../core/context.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { oneLine } from '../../kernel/oneLine.ts';
import type { TargetPolicy } from '../../outbound/policy.ts';
import {
  type Letter,
  type LetterOutcome,
  type LetterServer,
  type MailServer,
  sendLetter,
} from '../../outbound/sendMail.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import { messageKey } from './read/plain.ts';
import type { MailboxRow, MailThreadRow } from './rows.ts';
import { openPassword } from './secrets.ts';
import { addLog, mailboxById, picturesOf, threadNamed, writeMailbox, writeThread } from './table.ts';
import { messageIdOf, replyAddress } from './threads.ts';

const LONGEST_LINE = 200;
const KEPT_REFERENCES = 12;
/** What programs put before the subject of an answer. */
const ANSWERING = /^(?:re|aw|antw|sv|rv|ref|rif|odp)\s{0,3}(?:\[\d{1,3}\])?\s{0,3}:/iu;

/** What sends mail. */
export interface PostMeans {
  readonly core: Pick<Core, 'store' | 'clock' | 'sealer'>;
  readonly policy: TargetPolicy;
  /** The server of the installation, for mailboxes without one; null: none is set. */
  readonly server: Omit<MailServer, 'from'> | null;
  /** Serves conversations of the channel that are not by mail. */
  readonly otherwise: PostAdapter;
}

type Message = Extract<ChannelPost, { kind: 'message' }>;

/** Returns what sends messages of conversations by mail to their guests. Each is sent at most once. */
export function mailPosts(means: PostMeans): PostAdapter {
  return {
    async post(post, accountId) {
      const thread = 'thread' in post ? await threadOfPost(means, post.thread, accountId) : undefined;
      if (!thread) return means.otherwise.post(post, accountId);
      if (post.kind !== 'message') throw new Error('mail carries messages alone, no offers');
      return sendMessage(means, thread, post);
    },
  };
}

function threadOfPost({ core }: PostMeans, thread: string, account_id: AccountId): Promise<MailThreadRow | undefined> {
  return threadNamed(core.store.db, { account_id, thread });
}

async function sendMessage(means: PostMeans, thread: MailThreadRow, post: Message): Promise<Posted> {
  const { db } = means.core.store;
  if (thread.address === '') throw new Error('the guest was erased');
  const mailbox = await mailboxById(db, { account_id: thread.account_id, id: thread.mailbox_id });
  if (!mailbox) throw new Error('the mailbox of this conversation was removed');
  if (mailbox.state === 'paused') throw new Error(`the mailbox ${mailbox.address} is paused`);
  const server = serverOf(means, mailbox);
  if (!server) throw new Error('nothing sends mail: give the mailbox a server, or set mail.smtp');
  const letter = await letterOf(means, { mailbox, thread, post });
  const outcome = await sendLetter(server, letter);
  await note(means, { mailbox, thread, post, letter, outcome });
  if (outcome === 'sent') return { channel_message_id: `mail ${messageKey(letter.messageId)}` };
  throw outcome.isUnknown ? new UnknownOutcome(outcome.problem) : new Error(outcome.problem);
}

/** Returns the server that sends for a mailbox; null if none does. */
export function serverOf(
  { core, policy, server }: Omit<PostMeans, 'otherwise'>,
  mailbox: MailboxRow,
): LetterServer | null {
  const { id, smtp_host: host, smtp_port: port, smtp_security: security, smtp_user: user, smtp_password } = mailbox;
  if (host === null) return server;
  const password = smtp_password === null ? '' : openPassword(core as Core, 'smtp', id, smtp_password);
  return { judgedBy: policy, host, port: port ?? 587, security: security ?? 'starttls', user, password };
}

interface Sending {
  readonly mailbox: MailboxRow;
  readonly thread: MailThreadRow;
  readonly post: Message;
}

async function letterOf({ core }: PostMeans, { mailbox, thread, post }: Sending): Promise<Letter> {
  const pictures = await picturesOf(core.store.db, thread.account_id, post.attachments);
  return {
    messageId: messageIdOf(mailbox, thread, post.message_id),
    from: { name: line(mailbox.name), address: mailbox.address },
    to: { name: line(thread.name), address: thread.address },
    replyTo: replyAddress(mailbox, thread),
    subject: subjectOf(thread, mailbox),
    text: post.content,
    inReplyTo: thread.last_message_id,
    references: JSON.parse(thread.reference_ids) as string[],
    isAutomatic: post.automatic === true,
    attachments: pictures.map(({ content_type, base64 }, index) => ({
      name: `picture-${index + 1}.${content_type === 'image/png' ? 'png' : 'jpg'}`,
      contentType: content_type,
      bytes: Buffer.from(base64, 'base64'),
    })),
  };
}

function subjectOf({ subject, last_message_id }: MailThreadRow, { name }: MailboxRow): string {
  const own = line(subject === '' ? name : subject);
  return last_message_id === null || ANSWERING.test(own) ? own : `Re: ${own}`;
}

function line(text: string): string {
  return oneLine(text, LONGEST_LINE);
}

async function note(
  { core }: PostMeans,
  { mailbox, thread, post, letter, outcome }: Sending & { letter: Letter; outcome: LetterOutcome },
): Promise<void> {
  const noted_at = instantOf(core.clock.now());
  const { account_id } = thread;
  const isSent = outcome === 'sent';
  await core.store.transaction(async (trx) => {
    await addLog(trx, {
      account_id,
      id: await nextIds(trx, 'mail_log'),
      mailbox_id: mailbox.id,
      direction: 'out',
      kind: isSent ? 'sent' : outcome.isUnknown ? 'unknown' : 'failed',
      message_key: messageKey(letter.messageId),
      uid_validity: null,
      uid: null,
      size: letter.text.length,
      thread: thread.thread,
      message_id: post.message_id,
      address: thread.address,
      subject: letter.subject,
      checks: null,
      says: isSent ? null : outcome.problem,
      about_message_id: null,
      needs_a_look: isSent ? 0 : 1,
      noted_at,
    });
    // After a refusal the next message can still go; the log says which one did not.
    await writeMailbox(
      trx,
      mailbox,
      isSent ? { sent_at: noted_at, send_problem: null } : { send_failed_at: noted_at, send_problem: outcome.problem },
    );
    if (!isSent) return;
    const references = [...letter.references, letter.messageId].slice(-KEPT_REFERENCES);
    await writeThread(trx, thread, { reference_ids: JSON.stringify(references) });
  });
}
