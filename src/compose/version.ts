import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../kernel/program/packageRoot.ts';

let known: string | undefined;

/** Returns the release from package.json. */
export function version(): string {
  known ??= (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;
  return known;
}
