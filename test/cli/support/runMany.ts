import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import type { Environment } from '../../../src/config.ts';
import { commandOf } from '../../support/program.ts';
import type { Command, Outcome } from './manyCommands.ts';

const [PROGRAM = '', ...ARGUMENTS] = commandOf(new URL('./manyCommands.ts', import.meta.url));
const LIMIT_MS = 60_000;

/** Processes that have carried out what they were given, and wait for more. */
const idle: ChildProcess[] = [];

/**
 * Runs the program for each of these arguments in turn, all in one process beside this one, which the next call uses
 * again: starting Node costs more than any command does.
 */
export async function runMany(list: readonly (readonly string[])[], environment: Environment): Promise<Outcome[]> {
  return runEach(list.map((args) => ({ args, environment })));
}

export async function runEach(commands: readonly Command[]): Promise<Outcome[]> {
  const child = idle.pop() ?? startProcess();
  const outcomes = await outcomesOf(child, commands);
  idle.push(child);
  return outcomes;
}

/** One command. */
export async function runOne(args: readonly string[], environment: Environment): Promise<Outcome> {
  const [outcome] = await runMany([args], environment);
  if (!outcome) throw new Error('nothing was run');
  return outcome;
}

/** No command may leave anything behind that keeps its process from ending. */
after(async () => {
  for (const child of idle.splice(0)) {
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    child.disconnect();
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    clearTimeout(limit);
    assert.equal(code ?? signal, 0, 'a command keeps its process from ending');
  }
});

function startProcess(): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STAYD_'));
  return spawn(PROGRAM, ARGUMENTS, {
    env: Object.fromEntries(inherited),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

function outcomesOf(child: ChildProcess, commands: readonly Command[]): Promise<Outcome[]> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    const ended = (code: number | null, signal: string | null) => {
      clearTimeout(limit);
      reject(new Error(`the commands ended with ${code ?? signal} before they had said anything`));
    };
    child.once('exit', ended);
    child.once('message', (message) => {
      clearTimeout(limit);
      child.off('exit', ended);
      resolve(message as Outcome[]);
    });
    child.send(commands);
  });
}
