import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { MASTHEAD_STYLE } from '../kernel/markup/look.ts';
import type { Assets } from './frame/document.ts';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;
/** In the order in which a page loads them. */
const SCRIPTS = ['htmx.js', 'hx-csp.js'];
const MODULES = ['live.js', 'fragment.js', 'passkey.js', 'copy.js', 'inbox.js', 'calendar.js'];
/**
 * The parts of the one style sheet after that of the masthead, in the order in which they stand there: what is narrow or
 * printed comes last.
 */
const STYLES = [
  'base',
  'frame',
  'forms',
  'today',
  'calendar',
  'book',
  'stay',
  'inbox',
  'rules',
  'reports',
  'setup',
  'work',
  'narrow',
  'print',
];
const HASH_LENGTH = 16;

/**
 * Serves the style sheet and the scripts from memory. Their addresses contain a digest of their bytes, so browsers keep
 * them for good.
 * @param folder the built files
 */
export function serveAssets(app: FastifyInstance, folder: string): Assets {
  const serve = (name: string, bytes = readFileSync(join(folder, name))): string => {
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);
    const address = `/console/assets/${digest}/${name}`;
    const type = name.endsWith('.css') ? TYPES.css : TYPES.js;
    app.get(address, (_request, reply) =>
      reply.header('content-type', type).header('cache-control', 'public, max-age=31536000, immutable').send(bytes),
    );
    return address;
  };
  const parts = STYLES.map((name) => readFileSync(join(folder, 'style', `${name}.css`)));
  const style = Buffer.concat([Buffer.from(MASTHEAD_STYLE), ...parts]);
  const all = (names: readonly string[]) => names.map((name) => serve(name));
  return { style: serve('style.css', style), scripts: all(SCRIPTS), modules: all(MODULES) };
}
