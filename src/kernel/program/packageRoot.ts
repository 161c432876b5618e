import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../errors.ts';

/** Returns the folder that contains `config/`, for the sources and for the build. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'config', 'default.yaml'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new OperatorError('config/default.yaml is missing', 'install stayd again');
    folder = parent;
  }
  return folder;
}
