import { fileURLToPath } from 'node:url';
import type { Environment } from '../../src/config.ts';
import { run, type ServiceProcess, startProcess, type Stayd, stayd } from '../service/support/process.ts';

const BUILT = fileURLToPath(new URL('./built.mjs', import.meta.url));

/** In what surroundings the built program runs. */
export interface How {
  /** What runs it, such as strace with its arguments. */
  under?: readonly string[];
  /** Options of Node. */
  node?: readonly string[];
}

const quiet: Record<string, string> = { STAYD_LOG_LEVEL: 'silent', STAYD_LIMITS: 'off' };

/** The dialect of cores that are started from now on, by the file of its profile; left out: as described. */
export function speak(file: string): void {
  Object.assign(quiet, { STAYD_CORE_DIALECT: file });
}

/** The built program as a command, without its arguments. */
function program({ under = [], node = [] }: How): string[] {
  return [...under, process.execPath, ...node, BUILT];
}

/** The built service in a process of its own, on loopback; resolves when it is ready. */
export function startBuilt(dataDir: string, environment: Environment = {}, how: How = {}): Promise<ServiceProcess> {
  return startProcess(dataDir, { ...quiet, ...environment }, program(how));
}

/** A command of the built program, begun. */
export function beginBuilt(args: readonly string[], environment: Environment, how: How = {}): Stayd {
  return stayd(args, { ...quiet, ...environment }, program(how));
}

/** A command of the built program, run to its end. */
export function runBuilt(args: readonly string[], environment: Environment, how: How = {}) {
  return run(args, { ...quiet, ...environment }, program(how));
}
