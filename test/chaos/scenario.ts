import type { Dice } from '../../src/kernel/seeded.ts';

/** What a scenario has measured of one row of the list of faults. */
export interface Verdict {
  figure: string;
  target: string;
  met: boolean;
  /** Missing it breaks what stayd promises: nothing acknowledged is lost, nothing is spoilt, nothing is done twice. */
  isPromise: boolean;
}

/** How a scenario is to run, and what it may use. */
export interface Course {
  /** So many kills, failures or rows; each scenario has its own measure. */
  count: number | undefined;
  /** So long, where a scenario goes on until it is stopped. */
  seconds: number | undefined;
  dice: Dice;
  /** A new folder, gone at the end. */
  folder(): string;
  /** Done at the end, whatever has happened; the last first. */
  atEnd(step: () => unknown): void;
  /** Tells how far it is. */
  say(line: string): void;
}

/** What a scenario needs of the machine. */
export type Need = 'root' | 'strace' | 'postgres' | 'patroni' | 'haproxy' | 'namespaces';

/** One kind of fault, done to real processes. */
export interface Scenario {
  name: string;
  /** Rows of the list of faults, such as R1. */
  rows: readonly string[];
  /** What is done, for people. */
  what: string;
  needs?: readonly Need[];
  run(course: Course): Promise<Verdict[]>;
}

export function promise(figure: string, target: string, met: boolean): Verdict {
  return { figure, target, met, isPromise: true };
}

export function goal(figure: string, target: string, met: boolean): Verdict {
  return { figure, target, met, isPromise: false };
}
