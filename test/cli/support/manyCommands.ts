import { main } from '../../../src/main.ts';
import type { Environment } from '../../../src/config.ts';

export interface Command {
  args: readonly string[];
  environment: Environment;
}

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const streams = ['stdout', 'stderr'] as const;

process.on('message', (message) => {
  void runAll(message as Command[]).then((outcomes) => process.send?.(outcomes));
});

/** Each command as if it were alone: its environment, what it prints, its exit code. */
async function runAll(commands: readonly Command[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { args, environment } of commands) outcomes.push(await runOne(args, environment));
  process.exitCode = 0;
  return outcomes;
}

async function runOne(args: readonly string[], environment: Environment): Promise<Outcome> {
  const outcome: Outcome = { code: 0, stdout: '', stderr: '' };
  const own = streams.map((name) => process[name].write.bind(process[name]));
  for (const name of streams) {
    process[name].write = (chunk: string | Uint8Array) => {
      outcome[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    };
  }
  for (const [name, value] of Object.entries(environment)) process.env[name] = value;
  process.exitCode = 0;
  try {
    await main(args);
  } finally {
    outcome.code = Number(process.exitCode ?? 0);
    for (const [index, name] of streams.entries()) process[name].write = own[index] as typeof process.stdout.write;
    for (const name of Object.keys(environment)) delete process.env[name];
    // What a program of one command leaves to the end of its process.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
    for (const name of streams) process[name].removeAllListeners('error');
  }
  return outcome;
}
