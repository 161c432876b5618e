import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '../../../src/config.ts';
import { commandOf } from '../../support/program.ts';
import { controlSecret, type Reached, until } from '../../support/service.ts';

const LIMIT_MS = 90_000;

/** The program in a process of its own. */
export interface Stayd {
  child: ChildProcess;
  /** What it has printed so far. */
  stdout(): string;
  stderr(): string;
  /** Its exit code once it has ended; null when a signal ended it. */
  ended: Promise<number | null>;
  kill(signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Promise<number | null>;
}

export interface ServiceProcess extends Stayd, Reached {}

const STAYD = commandOf(new URL('./stayd.ts', import.meta.url));

/**
 * Runs the program as a command line does; no variable of our own surroundings reaches it.
 * @param program what its arguments are added to
 */
export function stayd(
  args: readonly string[],
  environment: Environment = {},
  program: readonly string[] = STAYD,
): Stayd {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STAYD_'));
  const [command = '', ...before] = program;
  const child = spawn(command, [...before, ...args], {
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', killed);
    return code as number | null;
  });
  return {
    child,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    ended,
    kill(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** A command run to its end. */
export async function run(args: readonly string[], environment: Environment = {}, program: readonly string[] = STAYD) {
  const one = stayd(args, environment, program);
  const timer = setTimeout(() => one.child.kill('SIGKILL'), LIMIT_MS);
  const code = await one.ended;
  clearTimeout(timer);
  return { code, stdout: one.stdout(), stderr: one.stderr() };
}

/** The service in a process of its own; resolves when it says that it is ready. */
export async function startProcess(
  dataDir: string,
  environment: Environment = {},
  program: readonly string[] = STAYD,
): Promise<ServiceProcess> {
  const one = stayd(['start'], { STAYD_PORT: '0', STAYD_DATA_DIR: dataDir, ...environment }, program);
  let over = false;
  void one.ended.then(() => (over = true));
  let url: string | undefined;
  await until(
    () => {
      url = /is ready on (http\S+)/.exec(one.stdout())?.[1];
      return over || url !== undefined;
    },
    () => `the service to be ready; it said: ${one.stdout()}${one.stderr()}`,
    LIMIT_MS,
  );
  if (url === undefined) throw new Error(`the service ended: ${one.stdout()}${one.stderr()}`);
  const databaseUrl = environment['STAYD_DATABASE_URL'] ?? null;
  return { ...one, url, secret: controlSecret(dataDir), dataDir, databaseUrl };
}
