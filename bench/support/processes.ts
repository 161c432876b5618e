import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Linux counts the time of processes in hundredths of a second. */
const MS_PER_TICK = 10;

/** Milliseconds of CPU that a process has used so far, with all its threads. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may hold anything.
  const [, , , , , , , , , , , user = '0', system = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(user) + Number(system)) * MS_PER_TICK;
}

/** Resident memory of a process now, in MB. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
}

/** Bytes that a process has had written to the disk so far. */
export function writtenBytes(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
}

/** Bytes of the databases in a data directory, with their logs. */
export function databaseBytes(dataDir: string): number {
  return readdirSync(dataDir)
    .filter((name) => /^(core|mirror)\.db/.test(name))
    .reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0);
}
