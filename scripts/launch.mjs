import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { prepare, ROOT } from './prepare.mjs';

const ENTRY = join(ROOT, 'dist', 'src', 'main.js');

/**
 * Prepares what is not ready, then is the program: `main` of src/main.ts runs in this process with the
 * arguments of the command. `--build-only` stops before that, `--install-only` before the build too.
 * @param {string[]} args
 */
export async function launch(args) {
  await prepare({ build: args[0] !== '--install-only' });
  if (args[0] === '--build-only' || args[0] === '--install-only') return;
  process.argv = [process.execPath, ENTRY, ...args];
  const { main } = await import(pathToFileURL(ENTRY).href);
  await main(args);
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await launch(process.argv.slice(2));
