import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** In ms. */
export interface Delay {
  p99: number;
  max: number;
}

/** Node's histogram holds the time from sample to sample, so an idle loop shows the period itself. */
const SAMPLE_MS = 10;

/** What a process does that has nothing else to do: its delay is that of the machine. */
const IDLE = `
const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: ${SAMPLE_MS} });
delay.enable();
process.stdin.resume().on('end', () => {
  console.log(JSON.stringify([delay.percentile(99), delay.max]));
  process.exit();
});`;

/** Watches the loop of this process, and that of an idle one beside it. */
export function watchLoop(): { end(): Promise<{ own: Delay; idle: Delay }> } {
  const beside = spawn(process.execPath, ['-e', IDLE], { stdio: ['pipe', 'pipe', 'inherit'] });
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  return {
    async end() {
      delay.disable();
      const own = delayOf(delay.percentile(99), delay.max);
      beside.stdin.end();
      const [said] = await Promise.all([text(beside.stdout), once(beside, 'exit')]);
      const [p99, max] = JSON.parse(said) as [number, number];
      return { own, idle: delayOf(p99, max) };
    },
  };
}

function delayOf(p99: number, max: number): Delay {
  const since = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - SAMPLE_MS);
  return { p99: since(p99), max: since(max) };
}
