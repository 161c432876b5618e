import { SingleBar } from 'cli-progress';
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

function bar(): ProgressDisplay {
  const shown = new SingleBar({
    format: '{bar} {percentage}% {text}',
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  let started = false;
  return {
    update({ done, total, text }) {
      if (!started) shown.start(total, done, { text });
      started = true;
      shown.setTotal(Math.max(total, done));
      shown.update(done, { text });
    },
    end() {
      if (started) shown.stop();
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
