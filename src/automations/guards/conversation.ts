import { conversationWindows } from '../../contract/limits.ts';
import type { Seen } from '../fingerprint.ts';
import type { FreshConversation, Said } from '../perform/conversation.ts';
import type { Reason } from '../reasons.ts';

/** What we have said in a conversation, as the ledger knows it. */
export interface OwnSend {
  plan_id: string;
  message_id: string | null;
  fingerprint: string;
  atMs: number;
  /** Whether a message is this text: as it left, with something below it, or cut short. */
  wrote(said: Seen): boolean;
}

/** So long a text is known as our own when it comes back. */
const ECHO_MS = 7 * 24 * 60 * 60_000;
/** Automatic replies older than this are not of the same talk. */
const TALK_MS = 24 * 60 * 60_000;
/** Of each window of the other side's limits we use this part at the most. */
const PART = 0.5;
/** So far a message may be dated from the moment at which it was written. */
const SKEW_MS = 15 * 60_000;

export interface Judged {
  stop: 'skipped' | 'awaiting_approval';
  reason: Reason;
}

export interface Reply {
  message_id: string;
  /** When we have learned of the message, by our clock. */
  knownMs: number;
  cancelIfReplied: boolean;
  maxTurns: number;
  nowMs: number;
  /** Another installation acts on the account too. */
  hasCompany: boolean;
}

/**
 * Whether a message of a guest may be answered by itself: undefined when it may.
 * @param own what we have said in this conversation, whoever was answered
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

/** Our own text that comes back as if a guest had written it. */
function isEcho(message: Said, own: readonly OwnSend[]): boolean {
  return own.some(
    (send) => message.atMs >= send.atMs - SKEW_MS && message.atMs - send.atMs <= ECHO_MS && send.wrote(message),
  );
}

/**
 * What we had said before the guest wrote is no answer, though it is dated later. Each send stands for one message; one
 * more of the same text is somebody's answer, and so is any where another installation may have said it.
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
 * Automatic replies since a person of the host's side has last written. Where another installation acts on the account
 * too, nobody can tell its words from a person's: then all that the host's side has said of late counts.
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

/** When a conversation has room for one more message; a moment that is not in the future: now. */
export function roomAt(sentMs: readonly number[], nowMs: number): number {
  let at = nowMs;
  for (const { seconds, max } of conversationWindows) {
    const most = Math.max(1, Math.floor(max * PART));
    const length = seconds * 1_000;
    // Wherever the other side’s windows begin, none holds more than what any span of its length does.
    const within = sentMs.filter((one) => one > nowMs - length).toSorted((a, b) => a - b);
    const oldest = within[within.length - most];
    if (oldest !== undefined) at = Math.max(at, oldest + length);
  }
  return at;
}

/** Whether the host’s side has said this text already, since a moment. @param isText tells it again */
export function isSaid({ messages }: FreshConversation, isText: (said: Said) => boolean, sinceMs: number): boolean {
  return messages.some((one) => !one.isGuest && one.atMs >= sinceMs && isText(one));
}

/**
 * The message that a send without a known outcome has become; undefined when it is not there. One that stands for
 * another send of the same text does not count.
 */
export function foundIn({ messages }: FreshConversation, send: OwnSend, others: readonly OwnSend[]): Said | undefined {
  const matches = messages.filter((one) => !one.isGuest && one.atMs >= send.atMs - SKEW_MS && send.wrote(one));
  const taken = others.filter(
    ({ fingerprint, atMs }) => fingerprint === send.fingerprint && atMs >= send.atMs - 2 * SKEW_MS,
  ).length;
  return matches.length > taken ? matches[0] : undefined;
}
