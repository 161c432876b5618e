import type { OpeningChange } from '../../core/channels/adapter.ts';
import type { Change } from '../../core/context.ts';
import type { GuestRow, StayRow } from '../../core/database.ts';
import { linkReservation, receiveConversation } from '../../core/conversations/receive.ts';
import { addDays, dateIn, instantOf } from '../../kernel/dates.ts';
import { oneLine } from '../../kernel/oneLine.ts';
import { messageKey, plainAddress } from './read/plain.ts';
import type { ReadMail } from './read/readMail.ts';
import type { MailboxRow, MailThreadRow } from './rows.ts';
import {
  addThread,
  conversationById,
  conversationOfThread,
  directStaysOf,
  loggedByKey,
  mailboxesOf,
  propertyName,
  threadNamed,
  threadsByToken,
} from './table.ts';

/** The channel of conversations by mail. */
export const MAIL_CHANNEL = 'direct';
/** Letters and digits of a token: 100 bits cannot be guessed. */
const TOKEN_LENGTH = 20;
const TOKEN_SIGNS = 'abcdefghijklmnopqrstuvwxyz234567';
/** What stands before the token in a reply address: name+stayd-TOKEN@… */
const REPLY_PREFIX = 'stayd-';
const TOKEN_IN_ID = /^<[0-9a-z]{1,40}\.([a-z2-7]{20})@[^<>]+>$/i;
const TOKEN_IN_ADDRESS = /\+stayd-([a-z2-7]{20})@/i;
/** Days after check-out for which a mail of the guest belongs to the stay. */
const DAYS_AFTER = 14;
const LONGEST_NAME = 80;
const LONGEST_SUBJECT = 200;

/** The conversation of a mail. */
export interface FoundThread {
  readonly thread: MailThreadRow;
  readonly conversationId: string;
}

/**
 * Finds or opens the conversation of a guest's mail: the one that it answers, by the reply address or by the mails that
 * it names; else that of a direct reservation under the sender's address, unless the domain of the sender disowns the
 * mail; else a new one.
 */
export async function threadOf(
  change: Change,
  mailbox: MailboxRow,
  mail: ReadMail & { from: NonNullable<ReadMail['from']> },
): Promise<FoundThread> {
  const answered = (await byToken(change, mail)) ?? (await byReference(change, mail));
  if (answered) return answered;
  const booked = mail.checks?.isDisowned === true ? undefined : await byReservation(change, mailbox, mail);
  return booked ?? openThread(change, mailbox, { ...partnerOf(mail), subject: mail.subject });
}

/** A stranger may ask to be answered elsewhere; a guest is answered where the reservation says. */
function partnerOf({ from, replyTo }: { from: { name: string; address: string }; replyTo: string | undefined }) {
  return { name: from.name, address: replyTo ?? from.address };
}

async function byToken(change: Change, { recipients, references }: ReadMail): Promise<FoundThread | undefined> {
  const inAddresses = recipients.flatMap((address) => TOKEN_IN_ADDRESS.exec(address)?.[1]?.toLowerCase() ?? []);
  const inIds = references.flatMap((id) => TOKEN_IN_ID.exec(id)?.[1]?.toLowerCase() ?? []);
  // The nearest reference stands last; the address says it best.
  const tokens = [...new Set([...inAddresses, ...inIds.toReversed()])];
  const found = await threadsByToken(change.trx, change.account.account_id, tokens);
  const threads = new Map(found.map((thread) => [thread.token, thread]));
  for (const token of tokens) {
    const thread = await known(change, threads.get(token));
    if (thread) return thread;
  }
  return undefined;
}

async function byReference(change: Change, { references }: ReadMail): Promise<FoundThread | undefined> {
  const { account_id } = change.account;
  const keys = references.map(messageKey).toReversed();
  const logged = await loggedByKey(change.trx, account_id, keys);
  for (const key of keys) {
    const name = logged.find(({ message_key }) => message_key === key)?.thread;
    const thread = name == null ? undefined : await threadNamed(change.trx, { account_id, thread: name });
    const found = await known(change, thread);
    if (found) return found;
  }
  return undefined;
}

/** A conversation whose guest was erased is not continued. */
async function known(change: Change, thread: MailThreadRow | undefined): Promise<FoundThread | undefined> {
  if (!thread || thread.address === '') return undefined;
  const conversation = await conversationOfThread(change.trx, thread);
  return conversation && { thread, conversationId: conversation.conversation_id };
}

async function byReservation(
  change: Change,
  mailbox: MailboxRow,
  { from, subject }: { from: { name: string; address: string }; subject: string },
): Promise<FoundThread | undefined> {
  const { trx, account } = change;
  const from_ = addDays(dateIn(account.time_zone, change.now), -DAYS_AFTER);
  const stays = await directStaysOf(trx, account.account_id, { address: from.address, from: from_ });
  const today = addDays(from_, DAYS_AFTER);
  // The stay that goes on or comes next; else the one that has ended last.
  const stay = stays.find(({ check_out_date }) => check_out_date >= today) ?? stays.at(-1);
  if (!stay) return undefined;
  const partner = { name: stay.name ?? from.name, address: from.address, subject };
  if (stay.conversation_id === null) {
    const opened = await openThread(change, mailbox, partner);
    await linkReservation(change, opened.conversationId, stay.reservation_code);
    change.emit({ event: 'reservation_updated', ...namesOf(stay) });
    return opened;
  }
  const conversation = await conversationById(trx, account.account_id, stay.conversation_id);
  if (conversation?.channel_type !== MAIL_CHANNEL) return undefined;
  const key = { account_id: account.account_id, thread: conversation.channel_thread_id };
  const thread =
    (await threadNamed(trx, key)) ?? (await makeThread(change, mailbox, { ...partner, thread: key.thread }));
  return { thread, conversationId: conversation.conversation_id };
}

function namesOf({
  reservation_code,
  stay_code,
  property_id,
}: Pick<StayRow, 'reservation_code' | 'stay_code' | 'property_id'>) {
  return { reservation_code, stay_code, property_id };
}

interface Partner {
  readonly name: string;
  readonly address: string;
  readonly subject: string;
}

async function openThread(change: Change, mailbox: MailboxRow, partner: Partner): Promise<FoundThread> {
  const thread = await makeThread(change, mailbox, { ...partner, thread: newName(change.core) });
  const conversationId = await receiveConversation(change, {
    channel_type: MAIL_CHANNEL,
    channel_thread_id: thread.thread,
    guest: { name: partner.name === '' ? partner.address : partner.name, email: partner.address },
  });
  return { thread, conversationId };
}

async function makeThread(
  change: OpeningChange,
  mailbox: MailboxRow,
  { thread, name, address, subject }: Partner & { thread: string },
): Promise<MailThreadRow> {
  const row: MailThreadRow = {
    account_id: change.account.account_id,
    thread,
    mailbox_id: mailbox.id,
    token: newToken(change.core),
    address,
    name,
    subject,
    last_message_id: null,
    reference_ids: '[]',
    created_at: instantOf(change.now),
  };
  await addThread(change.trx, row);
  return row;
}

/**
 * Prepares a conversation by mail with the booker of a direct stay. @returns its name on the channel; undefined without
 * an address or an active mailbox
 */
export async function openForStay(change: OpeningChange, stay: StayRow, booker: GuestRow): Promise<string | undefined> {
  const { trx, account } = change;
  const address = plainAddress(booker.email ?? undefined);
  const [mailbox] = (await mailboxesOf(trx, account.account_id)).filter(({ state }) => state === 'active');
  if (address === undefined || !mailbox || stay.channel_type !== MAIL_CHANNEL) return undefined;
  const property = await propertyName(trx, account.account_id, stay.property_id);
  const dates = `${stay.check_in_date} – ${stay.check_out_date}`;
  const { thread } = await makeThread(change, mailbox, {
    thread: newName(change.core),
    name: oneLine(booker.name ?? '', LONGEST_NAME),
    address,
    subject: oneLine(property === undefined ? dates : `${property}, ${dates}`, LONGEST_SUBJECT),
  });
  return thread;
}

/** Returns the reply address of a conversation; that of the mailbox where it cannot carry a token. */
export function replyAddress({ address, plus_addresses }: MailboxRow, { token }: MailThreadRow): string {
  const at = address.lastIndexOf('@');
  return plus_addresses === 1 ? `${address.slice(0, at)}+${REPLY_PREFIX}${token}${address.slice(at)}` : address;
}

/** Returns the Message-ID of a message of ours; it leads answers to the conversation. */
export function messageIdOf({ address }: MailboxRow, { token }: MailThreadRow, messageId: string): string {
  return `<${messageId.toLowerCase()}.${token}@${address.slice(address.lastIndexOf('@') + 1)}>`;
}

function newName({ ids }: OpeningChange['core']): string {
  return `mail ${ids()}`;
}

function newToken({ random }: OpeningChange['core']): string {
  return [...random.bytes(TOKEN_LENGTH)].map((byte) => TOKEN_SIGNS[byte % TOKEN_SIGNS.length]).join('');
}
