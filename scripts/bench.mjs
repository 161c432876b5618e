import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.mjs';
import { spawn } from 'node:child_process';

const FOLDER = join(ROOT, 'bench');

/** `npm run bench [-- name… [number]]`: runs the named benches, or all, one after another; each prints its verdicts. */
async function main(args) {
  const all = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ts') && name !== 'prove.ts')
    .map((name) => name.slice(0, -'.ts'.length));
  const names = args.filter((arg) => !/^\d+$/.test(arg));
  const unknown = names.find((name) => !existsSync(join(FOLDER, `${name}.ts`)));
  if (unknown !== undefined) {
    console.error(`there is no bench ${unknown}; there are ${all.join(', ')}`);
    process.exitCode = 2;
    return;
  }
  await prepare({ build: false });
  const size = args.filter((arg) => /^\d+$/.test(arg));
  for (const name of names.length > 0 ? names : all) {
    const code = await run(['--import', 'tsx', join(FOLDER, `${name}.ts`), ...size]);
    // A goal that was missed is no failure; a bench that did not come to its end is one.
    if (code === 0) continue;
    console.error(`bench ${name} did not finish`);
    process.exitCode = 1;
  }
}

function run(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

await main(process.argv.slice(2));
