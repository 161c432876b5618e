import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { chunksMade, ROOT } from '../prepare.mjs';

/** What an installed stayd consists of, beside its dependencies. */
const SHIPPED = [
  'stayd',
  'dist',
  'config',
  'docs',
  'deploy',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...['launch', 'prepare', 'processes', 'lock', 'healthcheck'].map((name) => join('scripts', `${name}.mjs`)),
];
/** For those who work on it. */
const LEFT_OUT = [/\.map$/, /^dist[/\\]\.(?:stamp|chunks)$/, /^docs[/\\](?:decisions|flows)(?:[/\\]|$)/];
const DESCRIBED = ['name', 'version', 'description', 'license', 'type', 'bin', 'engines', 'dependencies'];

/**
 * Lays out the npm package in a folder: the program as it was built, and a lock that gives whoever installs it the very
 * dependencies that were tested.
 * @param {string} folder
 */
export function layOutPackage(folder) {
  const made = new Set(chunksMade());
  for (const name of SHIPPED) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (file) => !isLeftOut(file.slice(ROOT.length), made),
    });
  }
  const described = jsonOf('package.json');
  const packaged = Object.fromEntries(DESCRIBED.map((key) => [key, described[key]]));
  write(join(folder, 'package.json'), packaged);
  write(join(folder, 'npm-shrinkwrap.json'), withoutDevelopment(jsonOf('package-lock.json'), packaged));
}

/** A build may hold chunks of the one before, for a service that runs. */
function isLeftOut(name, made) {
  if (LEFT_OUT.some((pattern) => pattern.test(name))) return true;
  return /^dist[/\\]chunks[/\\]/.test(name) && !made.has(basename(name));
}

function withoutDevelopment(lock, { name, version, license, bin, engines, dependencies }) {
  const kept = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
  const root = { name, version, license, bin, engines, dependencies };
  return { ...lock, packages: { '': root, ...Object.fromEntries(kept) } };
}

function jsonOf(name) {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
}

function write(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
