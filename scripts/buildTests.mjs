import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { locked } from './lock.mjs';
import { ROOT, sourceStamp } from './prepare.mjs';
import { run } from './processes.mjs';

/** At the depth of `dist`, for the source maps. */
const BUILT = join(ROOT, 'dist.test');
const NEW_BUILT = join(ROOT, 'dist.test.new');
const LOCK = join(ROOT, 'dist.test.lock');
const COMPILED = ['src', 'migrations', 'bench', 'test', 'integrations/generator'];
/** These find what lies beside them by where their sources are. */
const AT_HOME = ['bench', 'test'];

/**
 * Compiles the tests and all that they import, unchecked, because one that compiles each module as it is imported
 * spends more on that than many a test does on its work. Does nothing when nothing has changed.
 * @returns {Promise<(file: string) => string>} the compiled file of a test; the test itself where there is none
 */
export async function buildTests() {
  await locked(LOCK, { onWait: () => {} }, async (hold) => {
    if (!isFresh()) await build(hold);
  });
  return (file) => {
    const built = join('dist.test', file.replace(/\.ts$/, '.js'));
    return existsSync(join(ROOT, built)) ? built : file;
  };
}

function isFresh() {
  const stamp = join(BUILT, '.stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceStamp(COMPILED);
}

async function build(hold) {
  const stamp = sourceStamp(COMPILED);
  for (const left of [NEW_BUILT, BUILT]) rmSync(left, { recursive: true, force: true });
  const how = ['--noCheck', '--noEmit', 'false', '--rewriteRelativeImportExtensions', 'true', '--outDir', NEW_BUILT];
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  const { code } = await run(process.execPath, [tsc, '-p', 'tsconfig.check.json', ...how], {
    cwd: ROOT,
    onStart: ({ pid }) => hold(pid),
  });
  // The check of the types says what is wrong; until then the tests run from their sources.
  if (code !== 0) return;
  mkdirSync(NEW_BUILT, { recursive: true });
  AT_HOME.forEach(nameSources);
  writeFileSync(join(NEW_BUILT, '.stamp'), stamp);
  renameSync(NEW_BUILT, BUILT);
}

function nameSources(folder) {
  if (!existsSync(join(NEW_BUILT, folder))) return;
  for (const name of readdirSync(join(NEW_BUILT, folder), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const file = join(NEW_BUILT, folder, name);
    const text = readFileSync(file, 'utf8');
    if (!text.includes('import.meta.url')) continue;
    const { href } = pathToFileURL(join(ROOT, folder, name.replace(/\.js$/, '.ts')));
    writeFileSync(file, text.replaceAll('import.meta.url', JSON.stringify(href)));
  }
}
