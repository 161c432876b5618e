import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Where `npm test` compiles the tests to. */
const BUILT = join(ROOT, 'dist.test');

/** What runs a program of the tests: compiled where this process is, and from its source where not. */
export function commandOf(source: URL): string[] {
  const file = fileURLToPath(source);
  if (!process.argv[1]?.startsWith(BUILT)) return [process.execPath, '--import', 'tsx', file];
  const built = join(BUILT, relative(ROOT, file)).replace(/\.ts$/, '.js');
  return [process.execPath, '--enable-source-maps', built];
}
