import { join } from 'node:path';
import type { DocsSources } from '../api/docs/site.ts';
import { packageRoot } from '../kernel/program/packageRoot.ts';

/** Returns where the reference of v3 finds its built files and its guides. */
export function docsSources(): DocsSources {
  const root = packageRoot();
  return { files: join(root, 'dist', 'docs'), guides: join(root, 'docs') };
}
