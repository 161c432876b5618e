import { type LimitWindow, conversationWindows } from '../../contract/limits.ts';
import { ApiError, type RateLimit } from '../../kernel/errors.ts';
import { windowName } from '../../kernel/limits/windows.ts';

/** Milliseconds of the longest window of a conversation. Older messages do not count. */
export const LONGEST_CONVERSATION_WINDOW_MS = Math.max(...conversationWindows.map((window) => window.seconds)) * 1_000;

interface FullWindow {
  window: LimitWindow;
  /** Whole seconds until the window begins again; at least 1. */
  retryAfter: number;
}

/**
 * Returns the window that another message into a conversation would exceed; of several the one that begins again last.
 * Windows begin at multiples of their length.
 * @param sent times of the messages so far, in epoch milliseconds
 */
export function fullWindow(
  sent: readonly number[],
  now: number,
  windows: readonly LimitWindow[] = conversationWindows,
): FullWindow | undefined {
  const full = windows
    .map((window) => ({ window, start: startOf(window, now) }))
    .filter(({ window, start }) => sent.filter((at) => at >= start).length >= window.max)
    .map(({ window, start }) => ({
      window,
      retryAfter: Math.max(1, Math.ceil((start + window.seconds * 1_000 - now) / 1_000)),
    }));
  return full.toSorted((a, b) => b.retryAfter - a.retryAfter)[0];
}

function startOf({ seconds }: LimitWindow, now: number): number {
  const length = seconds * 1_000;
  return Math.floor(now / length) * length;
}

/** @throws ApiError 429 when the conversation has used up its messages; the refused one is not counted */
export function limitConversation(sent: readonly number[], now: number): void {
  const full = fullWindow(sent, now);
  if (!full) return;
  const { window, retryAfter } = full;
  const limit: RateLimit = {
    scope: 'endpoint',
    window: windowName(window),
    retryAfter,
    reason: `${window.max} messages per conversation in ${windowName(window)}`,
  };
  throw new ApiError(429, `Too many requests. Try again in ${retryAfter} seconds.`, { limit });
}
