import { systemClock } from '../kernel/clock.ts';
import type { CliContext } from './context.ts';

/** Shows the progress of long work: a bar on a terminal, an occasional line in a log. */
export interface ProgressDisplay {
  update(state: { done: number; total: number; text: string }): void;
  end(): void;
}

/** Milliseconds between two lines without a terminal. */
const LINE_EVERY_MS = 5_000;

/** Returns the display for this terminal or log. `quiet` returns one that shows nothing. */
export function progressDisplay(context: CliContext, quiet: boolean): ProgressDisplay {
  if (quiet) return { update() {}, end() {} };
  return context.terminal ? bar() : lines(context);
}

const BAR_CHARACTERS = 30;
/** Clears the line that the cursor is in, and goes to its beginning. */
const CLEAR_LINE = '\u001B[2K\r';

function bar(): ProgressDisplay {
  return {
    update({ done, total, text }) {
      const share = total > 0 ? Math.min(1, done / total) : 0;
      const full = Math.round(share * BAR_CHARACTERS);
      const drawn = '█'.repeat(full) + '░'.repeat(BAR_CHARACTERS - full);
      process.stderr.write(`${CLEAR_LINE}${drawn} ${Math.floor(100 * share)}% ${text}`);
    },
    end() {
      process.stderr.write(CLEAR_LINE);
    },
  };
}

function lines(context: CliContext): ProgressDisplay {
  let last = Number.NEGATIVE_INFINITY;
  return {
    update({ done, total, text }) {
      if (systemClock.monotonic() - last < LINE_EVERY_MS) return;
      last = systemClock.monotonic();
      const share = total > 0 ? `${Math.floor((100 * done) / total)} % ` : '';
      context.err(`${share}${text}`);
    },
    end() {},
  };
}
