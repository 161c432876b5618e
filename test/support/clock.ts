import type { Clock, Timer } from '../../src/kernel/clock.ts';
import { turn } from '../../src/kernel/clock.ts';

interface Pending {
  at: number;
  fn: () => void;
}

/** A clock that moves only when a test moves it. Timers fire in the order of their moments. */
export interface ManualClock extends Clock {
  /** Moves time forward, firing what comes due on the way; promises settle between two timers. */
  advance(ms: number): Promise<void>;
  /** The wall clock jumps, as when somebody sets it; timers do not notice. */
  jump(ms: number): void;
  /** Lets the program run, a few milliseconds a turn, until the condition holds. */
  until(condition: () => boolean | Promise<boolean>, what?: string): Promise<void>;
  /** Lets the program run for so many milliseconds of this clock. */
  run(ms: number): Promise<void>;
  /** How many timers wait; for checking that nothing was left behind. */
  readonly waiting: number;
}

const STEP_MS = 2;
const MOST_TURNS = 600_000;

export function manualClock(start = Date.parse('2026-11-20T12:00:00.000Z')): ManualClock {
  let mono = 0;
  let wall = start;
  /** In the order in which they fire. */
  const timers: Pending[] = [];

  function takeDue(end: number): Pending | undefined {
    return timers[0] !== undefined && timers[0].at <= end ? timers.shift() : undefined;
  }

  function add(timer: Pending): void {
    const later = timers.findIndex(({ at }) => at > timer.at);
    timers.splice(later < 0 ? timers.length : later, 0, timer);
  }

  function remove(timer: Pending): void {
    const index = timers.indexOf(timer);
    if (index >= 0) timers.splice(index, 1);
  }

  function moveTo(moment: number): void {
    wall += moment - mono;
    mono = moment;
  }

  function step(ms: number): void {
    const end = mono + ms;
    for (let due = takeDue(end); due; due = takeDue(end)) {
      moveTo(Math.max(mono, due.at));
      due.fn();
    }
    moveTo(end);
  }

  return {
    now: () => wall,
    monotonic: () => mono,
    setTimer(ms, fn): Timer {
      const timer = { at: mono + Math.max(0, ms), fn };
      add(timer);
      return { cancel: () => remove(timer) };
    },
    async advance(ms) {
      const end = mono + ms;
      for (;;) {
        await settle();
        const due = takeDue(end);
        if (!due) break;
        moveTo(Math.max(mono, due.at));
        due.fn();
      }
      moveTo(end);
      await settle();
    },
    jump: (ms) => void (wall += ms),
    async until(condition, what = 'the condition') {
      for (let turns = 0; turns < MOST_TURNS; turns += 1) {
        if (await condition()) return;
        await turn();
        step(STEP_MS);
      }
      throw new Error(`waited in vain for ${what}`);
    },
    async run(ms) {
      const end = mono + ms;
      while (mono < end) {
        await turn();
        step(Math.min(STEP_MS, end - mono));
      }
    },
    get waiting() {
      return timers.length;
    },
  };
}

/** Lets everything that can go on without time passing go on. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await turn();
}
