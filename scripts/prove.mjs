import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.mjs';

/** `npm run prove -- --data FOLDER`: the long run at full size; see bench/prove.ts. */
await prepare({ build: true });
const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'bench', 'prove.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => (process.exitCode = code ?? 1));
