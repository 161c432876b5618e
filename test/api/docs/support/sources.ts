import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** The style and the scripts as they are built. */
export const BUILT = join(ROOT, 'dist', 'docs');
export const GUIDES = join(ROOT, 'docs');
