import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../../src/config.ts';
import type { Command, Outcome } from './manyCommands.ts';

const PROGRAM = fileURLToPath(new URL('./manyCommands.ts', import.meta.url));
const LIMIT_MS = 60_000;

/**
 * Runs the program for each of these arguments in turn, all in one process beside this one: starting Node costs
 * more than any command does.
 */
export async function runMany(list: readonly (readonly string[])[], environment: Environment): Promise<Outcome[]> {
  return runEach(list.map((args) => ({ args, environment })));
}

export async function runEach(commands: readonly Command[]): Promise<Outcome[]> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STAYD_'));
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM], {
    env: Object.fromEntries(inherited),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let outcomes: Outcome[] | undefined;
  child.once('message', (message) => (outcomes = message as Outcome[]));
  child.send(commands);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (!outcomes) throw new Error(`the commands ended with ${code ?? signal} before they had said anything`);
  return outcomes;
}

/** One command. */
export async function runOne(args: readonly string[], environment: Environment): Promise<Outcome> {
  const [outcome] = await runMany([args], environment);
  if (!outcome) throw new Error('nothing was run');
  return outcome;
}
