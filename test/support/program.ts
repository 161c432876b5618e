import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where `npm test` compiles the tests to. */
export const BUILT = join(ROOT, 'dist.test');

/** Whether this process runs compiled tests, and not their sources. */
export const isCompiled = process.argv[1]?.startsWith(BUILT) ?? false;

/** What runs a program of the tests: compiled where this process is, and from its source where not. */
export function commandOf(source: URL): string[] {
  const file = fileURLToPath(source);
  if (!isCompiled) return [process.execPath, '--import', 'tsx', file];
  const built = join(BUILT, relative(ROOT, file)).replace(/\.ts$/, '.js');
  return [process.execPath, '--enable-source-maps', built];
}
