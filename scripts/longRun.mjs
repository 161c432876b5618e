import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.mjs';

/** Runs that take longer than tests may, by the name of their npm script. */
const RUNS = {
  prove: { file: join('bench', 'prove.ts'), build: true },
  chaos: { file: join('test', 'chaos', 'main.ts'), build: true },
  sim: { file: join('test', 'sim', 'main.ts'), build: false },
  upgrades: { file: join('test', 'migrations', 'main.ts'), build: true },
  conformance: { file: join('test', 'conformance', 'main.ts'), build: false },
};

const [name, ...args] = process.argv.slice(2);
const { file, build } = RUNS[name];
await prepare({ build });
const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, file), ...args], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => (process.exitCode = code ?? 1));
