import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, ROOT } from './prepare.mjs';
import { spawn } from 'node:child_process';

const FOLDER = join(ROOT, 'bench');

/**
 * `npm run bench [-- name… [number] [--option value…]]`: runs the named benches, or all, one after another; each prints its
 * verdicts.
 */
async function main(given) {
  const from = given.findIndex((arg) => arg.startsWith('--'));
  const [args, options] = from < 0 ? [given, []] : [given.slice(0, from), given.slice(from)];
  const all = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ts') && name !== 'prove.ts' && name !== 'full.ts')
    .map((name) => name.slice(0, -'.ts'.length));
  const names = args.filter((arg) => !/^\d+$/.test(arg));
  const unknown = names.find((name) => !existsSync(join(FOLDER, `${name}.ts`)));
  if (unknown !== undefined) {
    console.error(`there is no bench ${unknown}; there are ${all.join(', ')}`);
    process.exitCode = 2;
    return;
  }
  // The full one measures the built program.
  await prepare({ build: names.includes('full') });
  const size = args.filter((arg) => /^\d+$/.test(arg));
  for (const name of names.length > 0 ? names : all) {
    const code = await run(['--import', 'tsx', join(FOLDER, `${name}.ts`), ...size, ...options]);
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
