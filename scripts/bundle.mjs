import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What is started or imported by its name. */
const ENTRIES = ['src/main.ts', 'src/config.ts'];
/** Files that a thread starts with. */
const WORKER = 'Worker.ts';
/** Native, or looked for only to find that it is not there. */
const LEFT_OUT = ['better-sqlite3', 'pg-native'];
/** What packages written for CommonJS take for granted; by names that no module has. */
const FOR_COMMONJS = [
  `import { createRequire as $createRequire } from 'node:module';`,
  `import { dirname as $dirname } from 'node:path';`,
  `import { fileURLToPath as $fileURLToPath } from 'node:url';`,
  'const require = $createRequire(import.meta.url);',
  'const __filename = $fileURLToPath(import.meta.url), __dirname = $dirname(__filename);',
];

/**
 * Joins the sources and the packages they need into a few files, because to find, open and compile 3,400 of them is most
 * of a start. What is imported late stays in files of its own. Types are not looked at: `npm run check` does that.
 * Takes the folder to write to; its layout is that of the sources, with what they share in `chunks`.
 */
const [outdir] = process.argv.slice(2);
const workers = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith(WORKER))
  .map((name) => join('src', name));

// It says itself what is wrong.
const built = await build({
  absWorkingDir: ROOT,
  entryPoints: [...ENTRIES, ...workers],
  outdir,
  outbase: ROOT,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: LEFT_OUT,
  sourcemap: true,
  sourcesContent: false,
  banner: { js: FOR_COMMONJS.join('\n') },
  metafile: true,
  logLevel: 'warning',
  color: false,
}).catch(() => undefined);

const nameless = Object.entries(built?.metafile.inputs ?? {}).flatMap(([file, { imports }]) =>
  isOfPackage(file) ? [] : imports.filter(isNameless).map(({ original }) => `${file}: ${original}`),
);
for (const one of nameless) console.log(`${one} must be imported late through a file of ours, for its names`);
if (built === undefined || nameless.length > 0) process.exitCode = 1;

/** Packages may lie elsewhere, by a link. */
function isOfPackage(file) {
  return file.split('/').includes('node_modules');
}

/** A package in CommonJS that is imported late has a default alone. */
function isNameless({ kind, path }) {
  return kind === 'dynamic-import' && built?.metafile.inputs[path]?.format === 'cjs';
}
