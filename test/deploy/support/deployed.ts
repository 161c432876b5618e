import { join } from 'node:path';
import { packageRoot } from '../../../src/kernel/program/packageRoot.ts';

/** Returns the path of a file of `deploy/`. */
export function deployed(file: string): string {
  return join(packageRoot(), 'deploy', file);
}
