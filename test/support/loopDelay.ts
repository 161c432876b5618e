import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { slowness } from './slowness.ts';

/** The monitor counts from one of its own timers to the next, so that one must have run on either side of the work. */
const MARGIN_MS = 5;
const TRIES = 12;

/**
 * The longest time that nothing else could be done while some work went on, in milliseconds of a machine that is fast
 * enough. The machine may be busy with other things, so it is the least of some tries, and what a turn of the loop took of
 * the processor where that is less; it may be slow, so that is measured by what plain work needed in the middle of the tries.
 * It stops at the first that is below `enough`.
 */
export async function loopDelayOf(enough: number, work: () => Promise<unknown>): Promise<number> {
  // The first looks are slow, since nothing is compiled.
  slowness();
  slowness();
  const found: number[] = [];
  let least = Infinity;
  let fair = Infinity;
  for (let tried = 0; tried < TRIES && fair >= enough; tried += 1) {
    const monitor = monitorEventLoopDelay({ resolution: 1 });
    const turns = watchTurns();
    monitor.enable();
    await wait(MARGIN_MS);
    await work();
    await wait(MARGIN_MS);
    monitor.disable();
    least = Math.min(least, monitor.max / 1e6, turns.stop());
    found.push(slowness());
    fair = least / median(found);
  }
  return fair;
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

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] as number;
}
