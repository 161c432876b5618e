import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CPU = '/sys/fs/cgroup/cpu';
const ACCOUNTING = '/sys/fs/cgroup/cpuacct';
const PERIOD_US = 100_000;
const NS_PER_MS = 1_000_000;

/** Returns true if this machine lets us hold processes to a share of a core: control groups of version 1, and root. */
export function canHold(): boolean {
  return existsSync(join(CPU, 'cpu.cfs_quota_us')) && process.getuid?.() === 0;
}

/** Processes with a limit, or an account, in common. */
export interface Group {
  add(pid: number): void;
  /** Milliseconds of CPU that its processes have used in it; also those that have ended. */
  usedMs(): number;
  /** Ends the group; its processes go on without. */
  remove(): void;
}

/** @param cores the share of a core that its processes have together, such as 0.2 */
export function heldTo(cores: number, name: string): Group {
  const group = groupIn(CPU, name);
  writeFileSync(join(CPU, name, 'cpu.cfs_period_us'), String(PERIOD_US));
  writeFileSync(join(CPU, name, 'cpu.cfs_quota_us'), String(Math.round(PERIOD_US * cores)));
  return group;
}

/** A group that counts, and limits nothing. */
export function counted(name: string): Group {
  return groupIn(ACCOUNTING, name);
}

function groupIn(hierarchy: string, name: string): Group {
  const folder = join(hierarchy, name);
  mkdirSync(folder, { recursive: true });
  return {
    add: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    usedMs: () => Number(readFileSync(join(folder, 'cpuacct.usage'), 'utf8')) / NS_PER_MS,
    remove() {
      for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) {
        writeFileSync(join(hierarchy, 'cgroup.procs'), pid);
      }
      rmdirSync(folder);
    },
  };
}

/** Returns the children of a process. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        // It has ended since.
        return false;
      }
    })
    .map(Number);
}
