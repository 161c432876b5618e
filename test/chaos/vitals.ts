import { readdirSync, readFileSync } from 'node:fs';

/** The most memory that a process has had resident so far, in MB. */
export function peakMb(pid: number | undefined): number {
  return field(pid, 'VmHWM') / 1_024;
}

/** The memory that a process has resident now, in MB. */
export function residentMb(pid: number | undefined): number {
  return field(pid, 'VmRSS') / 1_024;
}

/** How many files, sockets and pipes a process has open. */
export function openFiles(pid: number | undefined): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function field(pid: number | undefined, name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
}

/** Node's histogram holds the time from sample to sample, so an idle loop shows the period itself. */
const SAMPLE_MS = 10;

/** The longest that the event loop of a service stood still since the last look, in ms. */
export async function longestStall(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const seconds = /stayd_nodejs_eventloop_lag_max_seconds ([\d.e+-]+)/.exec(text)?.[1];
  return Math.max(0, Number(seconds) * 1_000 - SAMPLE_MS);
}
