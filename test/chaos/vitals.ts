import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The most memory that a process has had resident so far, in MB. */
export function peakMb(pid: number | undefined): number {
  return field(pid, 'VmHWM') / 1_024;
}

/** The memory that a process has resident now, in MB. */
export function residentMb(pid: number | undefined): number {
  return field(pid, 'VmRSS') / 1_024;
}

/** How much a process has open: files and pipes, and apart from them sockets, which come and go with its work. */
export function openFiles(pid: number | undefined): { files: number; sockets: number } {
  const folder = `/proc/${pid}/fd`;
  const named = readdirSync(folder).map((fd) => targetOf(join(folder, fd)));
  const sockets = named.filter((name) => name.startsWith('socket:')).length;
  return { files: named.length - sockets, sockets };
}

/** What was open a moment ago may be closed by now. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
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
