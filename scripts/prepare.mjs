import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locked } from './lock.mjs';
import { run } from './processes.mjs';

/** The folder of the project, with a slash at the end. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const NODE_MODULES = join(ROOT, 'node_modules');
const DEPENDENCIES_STAMP = join(NODE_MODULES, '.stayd-stamp');
const DIST = join(ROOT, 'dist');
/** Where a build grows, and where the one before goes; at the same depth as `dist`, for the source maps. */
const NEW_DIST = join(ROOT, 'dist.new');
const OLD_DIST = join(ROOT, 'dist.old');
const LOCK = join(ROOT, 'dist.lock');
const COMPILED = ['src', 'migrations'];
/** The look that all pages share. */
const STYLE = join('src', 'console', 'browser', 'style');
/**
 * What is built for pages, by its folder in the build: the scripts and the style, and further files, by their names
 * there with where they lie here.
 */
const PAGES = {
  console: {
    scripts: join('src', 'console', 'browser'),
    style: STYLE,
    files: {
      'htmx.js': 'node_modules/htmx.org/dist/htmx.min.js',
      'hx-csp.js': 'node_modules/htmx.org/dist/ext/hx-csp.min.js',
    },
  },
  docs: {
    scripts: join('src', 'api', 'docs', 'browser'),
    style: join('src', 'api', 'docs', 'style'),
    files: Object.fromEntries(
      ['base', 'frame', 'forms'].map((name) => [join('style', `${name}.css`), join(STYLE, `${name}.css`)]),
    ),
  },
};

const BUNDLER = join('scripts', 'bundle.mjs');
/** The names of the chunks that this build has made itself. */
const CHUNKS_MADE = '.chunks';

const WRONG_USE = 2;

/**
 * Makes sure that the dependencies are installed and, if asked, that `dist` is built from the sources as
 * they are now. Does nothing when nothing has changed; any number of processes may call it at once. Says
 * what it does on stderr, so that a command's stdout stays its own. What cannot be done ends the process.
 * @param {{ build: boolean }} what
 */
export async function prepare({ build }) {
  try {
    requireNode();
    if (isPackaged()) return;
    requirePrograms();
    if (dependenciesAreFresh() && (!build || distIsFresh())) return;
    await locked(LOCK, { onWait: (pid) => say(`waiting for process ${pid}, which is preparing too`) }, async (hold) => {
      if (!dependenciesAreFresh()) await installDependencies(hold);
      if (build && !distIsFresh()) await buildDist(hold);
    });
  } catch (error) {
    if (!(error instanceof CannotPrepare)) throw error;
    say(error.message);
    process.exit(error.exitCode);
  }
}

class CannotPrepare extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

function say(line) {
  process.stderr.write(`stayd: ${line}\n`);
}

const BAR = 20;

/**
 * Shows on a terminal that work goes on, how long it has taken, and about how long it takes. The bar never fills
 * before the work is done.
 */
async function watched(what, aboutSeconds, work) {
  if (!process.stderr.isTTY) return await work();
  const begun = performance.now();
  const show = () => {
    const seconds = (performance.now() - begun) / 1000;
    const filled = Math.min(BAR - 1, Math.floor((seconds / aboutSeconds) * BAR));
    const bar = '#'.repeat(filled).padEnd(BAR, '.');
    process.stderr.write(`\rstayd: ${what} [${bar}] ${Math.floor(seconds)} s, takes about ${aboutSeconds} s`);
  };
  show();
  const ticking = setInterval(show, 1000);
  try {
    return await work();
  } finally {
    clearInterval(ticking);
    process.stderr.write(`\r\x1b[2Kstayd: ${what} took ${Math.ceil((performance.now() - begun) / 1000)} s\n`);
  }
}

/** A finished image and an installed package have what they need, and nothing to make it from. */
function isPackaged() {
  return !existsSync(join(ROOT, 'src')) && existsSync(DIST);
}

function requireNode() {
  const wanted = /\d+\.\d+/.exec(packageJson().engines.node)[0];
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new CannotPrepare(
    `Node.js ${wanted} or newer is needed, this is ${process.versions.node}. Install a newer one and try again.`,
    WRONG_USE,
  );
}

const PROGRAMS = {
  npm: 'comes with Node.js; on Debian and Ubuntu also: apt-get install npm',
  git: 'on Debian and Ubuntu: apt-get install git; on macOS: xcode-select --install',
};

/** What compiles a native module for which no prebuilt one can be had. Any one of each list will do. */
const COMPILER = {
  'a C++ compiler': { anyOf: ['c++', 'g++', 'clang++'], packageName: 'g++' },
  python3: { anyOf: ['python3'], packageName: 'python3' },
  make: { anyOf: ['make'], packageName: 'make' },
};

function requirePrograms() {
  const missing = Object.keys(PROGRAMS).filter((name) => !isOnPath(name));
  if (missing.length === 0) return;
  const advice = missing.map((name) => `  ${name}: ${PROGRAMS[name]}`);
  throw new CannotPrepare([`not found on the PATH: ${missing.join(', ')}`, ...advice].join('\n'), WRONG_USE);
}

function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return folder !== '' && statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

function dependenciesAreFresh() {
  return contentOf(DEPENDENCIES_STAMP) === dependenciesStamp();
}

/**
 * Does work that changes nothing that an installation depends on, though its files: what was installed stays in use.
 * @param {() => void} work
 */
export function keepingDependencies(work) {
  const isFresh = dependenciesAreFresh();
  work();
  if (!isFresh) return;
  // A new file: the old one may be shared with another checkout.
  rmSync(DEPENDENCIES_STAMP);
  writeFileSync(DEPENDENCIES_STAMP, dependenciesStamp());
}

/** What an installation depends on: the lock, what package.json asks for, and what native modules fit. */
function dependenciesStamp() {
  const { dependencies, devDependencies, optionalDependencies, overrides, allowScripts } = packageJson();
  const wanted = { dependencies, devDependencies, optionalDependencies, overrides, allowScripts };
  return createHash('sha256')
    .update(contentOf(join(ROOT, 'package-lock.json')) ?? '')
    .update(JSON.stringify([wanted, process.versions.modules, process.platform, process.arch]))
    .digest('hex');
}

/** @param {(pid: number) => void} hold keeps the lock while that process lives */
async function installDependencies(hold) {
  if (!process.stderr.isTTY) say('installing dependencies (first run takes about a minute)');
  const stamp = dependenciesStamp();
  rmSync(DEPENDENCIES_STAMP, { force: true });
  // The compiler is a development dependency, which NODE_ENV=production would leave out.
  const { code, output } = await watched('installing dependencies', 60, () =>
    run('npm', ['ci', '--no-audit', '--no-fund', '--include=dev'], {
      cwd: ROOT,
      onStart: ({ pid }) => hold(pid),
    }),
  );
  if (code !== 0) throw installationFailed(output);
  mkdirSync(NODE_MODULES, { recursive: true });
  writeFileSync(DEPENDENCIES_STAMP, stamp);
}

function installationFailed(output) {
  const missing = Object.keys(COMPILER).filter((name) => !COMPILER[name].anyOf.some(isOnPath));
  const packages = missing.map((name) => COMPILER[name].packageName).join(' ');
  const advice = [
    `not found on the PATH: ${missing.join(', ')}; needed where no prebuilt native module can be had`,
    `  on Debian and Ubuntu: apt-get install ${packages}; on macOS: xcode-select --install`,
  ];
  const lines = [`npm ci failed:`, output.trimEnd(), ...(missing.length > 0 ? advice : [])];
  return new CannotPrepare(lines.join('\n'), missing.length > 0 ? WRONG_USE : 1);
}

const DIST_STAMP = join(DIST, '.stamp');

/**
 * Compares the sources with those that were built. Their sizes and times answer first, since to read all of them takes
 * longer than most commands.
 */
function distIsFresh() {
  const [built, seen] = contentOf(DIST_STAMP)?.split('\n') ?? [];
  if (built === undefined) return false;
  const now = sourcesSeen(COMPILED);
  if (seen === now) return true;
  if (built !== sourceStamp(COMPILED)) return false;
  // Touched, not changed.
  try {
    writeFileSync(`${DIST_STAMP}.${process.pid}`, stampText(built, now));
    renameSync(`${DIST_STAMP}.${process.pid}`, DIST_STAMP);
  } catch {
    // Not ours to write: the next command reads the sources again.
  }
  return true;
}

function stampText(built, seen) {
  return `${built}\n${seen}`;
}

/** What tells, without their contents, that the files of a build are untouched. */
function sourcesSeen(folders) {
  const hash = createHash('sha256');
  for (const file of filesOf(folders)) {
    const { size, mtimeMs } = statSync(join(ROOT, file), { throwIfNoEntry: false }) ?? {};
    hash.update(`${file}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest('hex');
}

function filesOf(folders) {
  return ['tsconfig.json', 'package-lock.json', BUNDLER, ...folders.flatMap(sourcesIn)];
}

/**
 * What a build of these folders depends on: their files, how they are compiled, and by which compiler.
 * @param {string[]} folders
 */
export function sourceStamp(folders) {
  const hash = createHash('sha256');
  for (const file of filesOf(folders)) {
    const content = contentOf(join(ROOT, file)) ?? '';
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function sourcesIn(folder) {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|json|css)$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** Builds beside `dist` and swaps at the end, so that there never is half a `dist`. */
async function buildDist(hold) {
  if (!process.stderr.isTTY) say('building');
  const seen = sourcesSeen(COMPILED);
  const stamp = stampText(sourceStamp(COMPILED), seen);
  for (const left of [NEW_DIST, OLD_DIST]) rmSync(left, { recursive: true, force: true });
  await watched('building', 15, async () => {
    await bundle(hold);
    for (const [name, pages] of Object.entries(PAGES)) {
      if (existsSync(join(ROOT, pages.scripts))) await buildPages(hold, join(NEW_DIST, name), pages);
    }
  });
  keepChunks();
  writeFileSync(join(NEW_DIST, '.stamp'), stamp);
  if (existsSync(DIST)) renameSync(DIST, OLD_DIST);
  renameSync(NEW_DIST, DIST);
  rmSync(OLD_DIST, { recursive: true, force: true });
}

/**
 * A service that runs while a build takes the place of its own still finds what it imports late: the chunks of that
 * build, whose names tell their contents, stay for one more.
 */
function keepChunks() {
  const made = chunksIn(NEW_DIST);
  writeFileSync(join(NEW_DIST, CHUNKS_MADE), made.join('\n'));
  for (const name of chunksMade()) {
    if (!made.includes(name)) copyFileSync(join(DIST, 'chunks', name), join(NEW_DIST, 'chunks', name));
  }
}

/** The chunks of the build as it stands, without those that it keeps of the one before. */
export function chunksMade() {
  return contentOf(join(DIST, CHUNKS_MADE))?.split('\n').filter(Boolean) ?? [];
}

function chunksIn(dist) {
  const folder = join(dist, 'chunks');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.js')) : [];
}

async function buildPages(hold, folder, { scripts, style, files }) {
  await compile(hold, join(scripts, 'tsconfig.json'), folder);
  cpSync(join(ROOT, style), join(folder, 'style'), { recursive: true });
  for (const [name, file] of Object.entries(files)) copyFileSync(join(ROOT, file), join(folder, name));
}

function compile(hold, config, outDir) {
  return build(hold, [join(NODE_MODULES, '.bin', 'tsc'), '-p', config, '--outDir', outDir]);
}

function bundle(hold) {
  return build(hold, [join(ROOT, BUNDLER), NEW_DIST]);
}

async function build(hold, args) {
  const { code, output } = await run(process.execPath, args, { cwd: ROOT, onStart: ({ pid }) => hold(pid) });
  if (code !== 0) throw new CannotPrepare(`the build failed:\n${output.trimEnd()}`);
}

function packageJson() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
}

/** @returns the text of a file, undefined when there is none */
function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}
