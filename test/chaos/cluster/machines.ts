import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import type { Course } from '../scenario.ts';

/** A machine of its own for the network: a namespace with one cable to the others. */
export interface Machine {
  name: string;
  address: string;
  /** What a command begins with that runs on it. */
  under: readonly string[];
  /** Starts a program on it; what it says is added to the file. */
  start(command: readonly string[], log: string): void;
  /** Pulls the cable. What is on its way is lost, and nobody is told. */
  cut(): void;
  /** Puts the cable back in. */
  join(): void;
  /** Ends all its programs at once. */
  kill(): void;
}

export interface Network {
  /** Where this process is reached from the machines. */
  address: string;
  add(name: string): Machine;
}

/** A switch that machines are attached to; all of it is gone when the course ends. Needs root. */
export function layNetwork(course: Course): Network {
  const id = randomInt(256).toString(16).padStart(2, '0');
  const bridge = `stayd${id}`;
  const subnet = `10.203.${Number.parseInt(id, 16)}`;
  ip('link', 'add', bridge, 'type', 'bridge');
  course.atEnd(() => ip('link', 'del', bridge));
  ip('addr', 'add', `${subnet}.1/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  let last = 10;
  return {
    address: `${subnet}.1`,
    add(name) {
      last += 1;
      return addMachine(course, {
        name,
        bridge,
        space: `${bridge}-${name}`,
        cable: `v${id}-${last}`,
        address: `${subnet}.${last}`,
      });
    },
  };
}

interface Place {
  name: string;
  bridge: string;
  space: string;
  /** Our end of its cable. */
  cable: string;
  address: string;
}

function addMachine(course: Course, { name, bridge, space, cable, address }: Place): Machine {
  const within = (...args: string[]) => ip('-n', space, ...args);
  ip('netns', 'add', space);
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
  ip('link', 'set', cable, 'master', bridge, 'up');
  within('addr', 'add', `${address}/24`, 'dev', 'eth0');
  within('link', 'set', 'eth0', 'up');
  within('link', 'set', 'lo', 'up');
  const under = ['ip', 'netns', 'exec', space] as const;
  const machine: Machine = {
    name,
    address,
    under,
    start(command, log) {
      const [ip_, ...args] = under;
      const child = spawn(ip_, [...args, ...command], { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' });
      const file = createWriteStream(log, { flags: 'a' });
      child.stdout.pipe(file, { end: false });
      child.stderr.pipe(file, { end: false });
    },
    cut: () => ip('link', 'set', cable, 'down'),
    join: () => ip('link', 'set', cable, 'up'),
    kill() {
      // What is started while the list is read is in the next one.
      for (let pids = pidsOf(space); pids.length > 0; pids = pidsOf(space)) for (const pid of pids) end(pid);
    },
  };
  course.atEnd(() => ip('netns', 'del', space));
  course.atEnd(() => machine.kill());
  return machine;
}

function pidsOf(space: string): number[] {
  const words = execFileSync('ip', ['netns', 'pids', space], { encoding: 'utf8' }).split('\n').filter(Boolean);
  return words.map(Number).filter((pid) => !isGone(pid));
}

/** Ended, though its parent has not asked for it yet. */
function isGone(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] });
}
