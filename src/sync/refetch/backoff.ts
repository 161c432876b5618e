import { CallError } from '../../client/callError.ts';
import { waitBefore } from '../../client/retrying.ts';
import type { Random } from '../../kernel/random.ts';
import { DoubtedAbsence } from './doubt.ts';
import { UnreadableAnswer } from './unreadableAnswer.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The time until a missing row is looked for again; after that, attempts are rare. */
const DOUBT_MS = 25_000;
const DOUBT_LONGEST_MS = 15 * MINUTE;
/** After this many failures over this long a time a key is given up, until an event or a person asks again. */
const DEAD_ATTEMPTS = 10;
const DEAD_AFTER_MS = 24 * HOUR;
/** The first wait after an error that repetition does not cure: refused requests have a quota of their own. */
const FIX_FIRST_MS = 15 * MINUTE;
const FIX_LONGEST_MS = 4 * HOUR;

/** The consequence of a failed read for its key; `dead`: the key is given up. */
interface Postponement {
  attempts: number;
  waitMs: number;
  dead: boolean;
}

/** Decides the consequence of a failed read for its key. `failingMs`: the time for which it has been dirty. */
export function postponement(error: unknown, attempts: number, failingMs: number, random: Random): Postponement {
  if (error instanceof CallError && error.client === 'wait') {
    return { attempts, waitMs: waitBefore(1, error.retryAfterMs, random), dead: false };
  }
  const next = attempts + 1;
  if (error instanceof DoubtedAbsence) {
    return { attempts: next, waitMs: Math.min(DOUBT_MS * 2 ** attempts, DOUBT_LONGEST_MS), dead: false };
  }
  const hopeless = error instanceof UnreadableAnswer || (error instanceof CallError && error.client === 'fix');
  const waitMs = hopeless ? fixWait(next, random) : waitBefore(next, undefined, random);
  // An upstream that is down for a day is no fault of a key: only answers about the key itself count.
  const dead = hopeless && next >= DEAD_ATTEMPTS && failingMs >= DEAD_AFTER_MS;
  return { attempts: next, waitMs, dead };
}

function fixWait(attempt: number, random: Random): number {
  return Math.ceil(Math.min(FIX_FIRST_MS * 2 ** (attempt - 1), FIX_LONGEST_MS) * (1 + 0.25 * random.fraction()));
}
