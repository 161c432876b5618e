import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/** The monitor counts from one of its own timers to the next, so that one must have run on either side of the work. */
const MARGIN_MS = 5;
const TRIES = 5;

/**
 * The longest time that nothing else could be done while some work went on, in milliseconds. The machine may be busy with
 * other things, so it is the least of some tries, and what a turn of the loop took of the processor where that is less;
 * it stops at the first that is below `enough`.
 */
export async function loopDelayOf(enough: number, work: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let tried = 0; tried < TRIES && least >= enough; tried += 1) {
    const monitor = monitorEventLoopDelay({ resolution: 1 });
    const turns = watchTurns();
    monitor.enable();
    await wait(MARGIN_MS);
    await work();
    await wait(MARGIN_MS);
    monitor.disable();
    least = Math.min(least, monitor.max / 1e6, turns.stop());
  }
  return least;
}

/** Follows each turn of the loop, and how much of the processor this process has had in it. */
function watchTurns(): { stop(): number } {
  let longest = 0;
  let before = process.cpuUsage();
  let next: NodeJS.Immediate | undefined;
  const follow = () => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1e3);
    before = process.cpuUsage();
    next = setImmediate(follow);
  };
  next = setImmediate(follow);
  return {
    stop() {
      clearImmediate(next);
      return longest;
    },
  };
}
