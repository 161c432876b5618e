import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parts of the one style sheet, in the order in which they stand there: what is narrow or printed comes last. */
const STYLES = ['base', 'frame', 'forms', 'docs', 'narrow', 'print'];
/** Runs before the page is shown, so that nothing moves. */
const FIRST = 'language.js';
const MODULES = ['copy.js', 'search.js', 'try.js'];
const HASH_LENGTH = 16;

/** What the pages need beside their text. */
export interface PageFiles {
  readonly style: string;
  /** The address of the style sheet, which contains a digest of its bytes. */
  readonly styleAddress: string;
  readonly first: string;
  readonly modules: readonly string[];
  readonly policy: string;
}

/**
 * Reads the style and the scripts. The scripts stand in each page, allowed by their hashes: a page is the same for
 * everybody and may be kept, so a number that is used once would not help.
 * @param folder the built files
 */
export function readPageFiles(folder: string): PageFiles {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const style = STYLES.map((name) => read(join('style', `${name}.css`))).join('');
  const [first = '', ...modules] = [FIRST, ...MODULES].map(read);
  const digest = createHash('sha256').update(style).digest('hex').slice(0, HASH_LENGTH);
  return {
    style,
    styleAddress: `/docs/files/${digest}/docs.css`,
    first,
    modules,
    policy: contentPolicy([first, ...modules]),
  };
}

/** Returns the content policy: these scripts, the style and the answers of this service, and no text becomes markup. */
function contentPolicy(scripts: readonly string[]): string {
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src ${hashes.join(' ')}`,
    "style-src 'self'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
