import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from './packageRoot.ts';

/**
 * Returns the file that a worker thread starts with: that of the build, also if stayd runs from its sources, as in the
 * tests, because a thread cannot load TypeScript.
 * @param source the file below `src/` without its ending, which must end in `Worker`: the build has these as files
 */
export function threadFile(source: `${string}Worker`): URL {
  return pathToFileURL(join(packageRoot(), 'dist', 'src', `${source}.js`));
}
