import { conversationWindows } from '../../contract/limits.ts';
import type { Seen } from '../fingerprint.ts';
import type { FreshConversation, Said } from '../perform/conversation.ts';
import type { Reason } from '../reasons.ts';

/** A message of ours in a conversation, from the send ledger. */
export interface OwnSend {
  plan_id: string;
  message_id: string | null;
  fingerprint: string;
  atMs: number;
  /** Returns true if a message is this text: unchanged, with an addition below it, or cut short. */
  wrote(said: Seen): boolean;
}

/** Milliseconds for which a text that comes back is recognised as ours. */
const ECHO_MS = 7 * 24 * 60 * 60_000;
/** Greatest age of automatic replies that count as the same talk, in milliseconds. */
const TALK_MS = 24 * 60 * 60_000;
/** Share of each of upstream's rate windows that we use at most. */
const PART = 0.5;
/** Milliseconds by which the date of a message may differ from its true time. */
const SKEW_MS = 15 * 60_000;

interface Judged {
  stop: 'skipped' | 'awaiting_approval';
  reason: Reason;
}

interface Reply {
  message_id: string;
  /** The time at which we learned of the message, by our clock. */
  knownMs: number;
  cancelIfReplied: boolean;
  maxTurns: number;
  nowMs: number;
  /** True if another installation acts on the account too. */
  hasCompany: boolean;
}

/**
 * Returns the reason against an automatic answer to a guest's message, or undefined.
 * @param own our messages in this conversation, regardless of whom they answer
 */
export function judgeReply(
  conversation: FreshConversation,
  own: readonly OwnSend[],
  wanted: Reply,
): Judged | undefined {
  const at = conversation.messages.findIndex(({ message_id }) => message_id === wanted.message_id);
  const message = conversation.messages[at];
  if (!message) return { stop: 'skipped', reason: 'message_gone' };
  if (!message.isGuest) return { stop: 'skipped', reason: 'not_from_guest' };
  if (isEcho(message, own)) return { stop: 'skipped', reason: 'echo' };
  const newer = conversation.messages.slice(0, at);
  if (
    wanted.cancelIfReplied &&
    newer.some((one) => !one.isGuest && !isOlderThanItLooks(one, conversation, own, wanted))
  )
    return { stop: 'skipped', reason: 'answered' };
  if (turnsInRow(conversation, own, wanted) >= wanted.maxTurns)
    return { stop: 'awaiting_approval', reason: 'too_many_turns' };
  return undefined;
}

/** Returns true for a text of ours that comes back as a guest's. */
function isEcho(message: Said, own: readonly OwnSend[]): boolean {
  return own.some(
    (send) => message.atMs >= send.atMs - SKEW_MS && message.atMs - send.atMs <= ECHO_MS && send.wrote(message),
  );
}

/**
 * Returns true for a message of ours from before the guest's, although it has a later date. Such a message is no
 * answer. Each send explains one message. A further one with the same text counts as an answer, and so does any message
 * if another installation may have sent it.
 */
function isOlderThanItLooks(
  message: Said,
  { messages }: Pick<FreshConversation, 'messages'>,
  own: readonly OwnSend[],
  { knownMs, hasCompany }: Reply,
): boolean {
  if (hasCompany) return false;
  const before = own.filter((send) => send.atMs < knownMs && send.wrote(message));
  const alike = messages.filter((one) => !one.isGuest && before.some((send) => send.wrote(one)));
  return before.length > 0 && alike.length <= before.length;
}

/**
 * Counts the automatic replies since a person of the host last wrote. If another installation acts on the account, its
 * texts look like a person's; then every recent message of the host counts.
 */
function turnsInRow(
  { messages }: Pick<FreshConversation, 'messages'>,
  own: readonly OwnSend[],
  { nowMs, hasCompany }: { nowMs: number; hasCompany: boolean },
): number {
  if (hasCompany) return messages.filter((one) => !one.isGuest && one.atMs > nowMs - TALK_MS).length;
  const person = messages.find((one) => !one.isGuest && !one.isAutomatic && !isOurs(one, own));
  const since = Math.max(nowMs - TALK_MS, person?.atMs ?? 0);
  return own.filter(({ message_id, atMs }) => message_id !== null && atMs > since).length;
}

function isOurs(message: Said, own: readonly OwnSend[]): boolean {
  return own.some((send) => send.wrote(message));
}

/** Returns the time at which a conversation has room for one more message, at the earliest now. */
export function roomAt(sentMs: readonly number[], nowMs: number): number {
  let at = nowMs;
  for (const { seconds, max } of conversationWindows) {
    const most = Math.max(1, Math.floor(max * PART));
    const length = seconds * 1_000;
    // The beginnings of upstream's windows are unknown. A limit on every span of that length is safe.
    const within = sentMs.filter((one) => one > nowMs - length).toSorted((a, b) => a - b);
    const oldest = within[within.length - most];
    if (oldest !== undefined) at = Math.max(at, oldest + length);
  }
  return at;
}

/**
 * Returns true if the host has sent this text since a moment.
 * @param isText recognises the text
 */
export function isSaid({ messages }: FreshConversation, isText: (said: Said) => boolean, sinceMs: number): boolean {
  return messages.some((one) => !one.isGuest && one.atMs >= sinceMs && isText(one));
}

/**
 * Returns the message of a send without a known outcome, or undefined if it does not exist. A message that belongs to
 * another send of the same text does not count.
 */
export function foundIn({ messages }: FreshConversation, send: OwnSend, others: readonly OwnSend[]): Said | undefined {
  const matches = messages.filter((one) => !one.isGuest && one.atMs >= send.atMs - SKEW_MS && send.wrote(one));
  const taken = others.filter(
    ({ fingerprint, atMs }) => fingerprint === send.fingerprint && atMs >= send.atMs - 2 * SKEW_MS,
  ).length;
  return matches.length > taken ? matches[0] : undefined;
}
