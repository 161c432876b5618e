import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keepingDependencies, prepare, ROOT } from './prepare.mjs';
import { run } from './processes.mjs';
import { layOutPackage } from './release/package.mjs';
import { CannotRelease, nextVersion, notesOf, releasedChangelog } from './release/versions.mjs';

/**
 * Makes what others install, from a clean tree, the same bytes each time: the npm package, the container context with
 * its bill of materials, notes from the change log, and checksums. With a version it first writes that down, commits
 * and tags it.
 *
 *   npm run release                  the version of package.json, as it is committed
 *   npm run release -- minor         the next one: major, minor, patch, or 1.4.0
 *   npm run release -- --out FOLDER  elsewhere than release/VERSION
 */
const WRONG_USE = 2;
const CONTEXT = [
  'Dockerfile',
  '.dockerignore',
  '.npmrc',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'stayd',
];
const CONTEXT_FOLDERS = ['scripts', 'src', 'migrations', 'config', 'docs', 'deploy'];

async function release() {
  const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
  const [wanted, ...more] = positionals;
  if (more.length > 0) throw new CannotRelease(`one version at a time, not ${positionals.join(', ')}`);
  await requireCleanTree();
  if (wanted !== undefined) await writeVersion(nextVersion(packageJson().version, wanted));
  await prepare({ build: true });
  const { version } = packageJson();
  const folder = resolve(values.out ?? join(ROOT, 'release', version));
  mkdirSync(join(folder, '..'), { recursive: true });
  // Beside its place, so that there never is half a release.
  const growing = mkdtempSync(`${folder}.`);
  try {
    await fill(growing, version);
    rmSync(folder, { recursive: true, force: true });
    renameSync(growing, folder);
  } finally {
    rmSync(growing, { recursive: true, force: true });
  }
  for (const name of readdirSync(folder).sort()) console.log(relative(process.cwd(), join(folder, name)));
}

async function requireCleanTree() {
  const changed = (await git('status', '--porcelain')).trimEnd();
  if (changed === '') return;
  throw new CannotRelease(`a release is made of what is committed; commit or put aside first:\n${changed}`);
}

/** Writes the version and its day where they stand, and commits and tags that. */
async function writeVersion(version) {
  const changelog = releasedChangelog(textOf('CHANGELOG.md'), version, (await committedAt()).slice(0, 10));
  const lock = JSON.parse(textOf('package-lock.json'));
  lock.version = version;
  lock.packages[''].version = version;
  write('CHANGELOG.md', changelog);
  keepingDependencies(() => {
    write('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
    write('package.json', `${JSON.stringify({ ...packageJson(), version }, null, 2)}\n`);
  });
  await writeIntegrations();
  await git('commit', '--quiet', '--all', `--message=Release ${version}`);
  await git('tag', '--annotate', `--message=stayd ${version}`, `v${version}`);
}

/** The packages for other programs carry the same version. */
async function writeIntegrations() {
  const generator = join(ROOT, 'integrations', 'generator', 'main.ts');
  if (!existsSync(generator)) return;
  await prepare({ build: false });
  await program(process.execPath, ['--import', 'tsx', generator], ROOT);
}

async function fill(folder, version) {
  const notes = notesOf(textOf('CHANGELOG.md'), version);
  if (notes === '') throw new CannotRelease(`CHANGELOG.md says nothing of ${version}`);
  const staged = mkdtempSync(join(folder, 'package.'));
  layOutPackage(staged);
  await program('npm', ['pack', '--silent', '--ignore-scripts', `--pack-destination=${folder}`], staged);
  rmSync(staged, { recursive: true });
  const context = `stayd-${version}-container.tar.gz`;
  await git(
    'archive',
    `--output=${join(folder, context)}`,
    `--prefix=stayd-${version}/`,
    'HEAD',
    ...CONTEXT,
    ...CONTEXT_FOLDERS,
  );
  writeFileSync(join(folder, `stayd-${version}.sbom.json`), await billOfMaterials());
  writeFileSync(join(folder, `stayd-${version}.notes.md`), `${notes}\n`);
  const sums = readdirSync(folder)
    .sort()
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

/** All packages of the program (CycloneDX); its number and its moment are those of the commit. */
async function billOfMaterials() {
  const made = await program('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'], ROOT);
  const bill = JSON.parse(made);
  bill.metadata.timestamp = await committedAt();
  delete bill.serialNumber;
  const digest = sha256(JSON.stringify(bill));
  const groups = [digest.slice(0, 8), digest.slice(8, 12), `5${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return `${JSON.stringify({ ...bill, serialNumber: `urn:uuid:${groups.join('-')}-${digest.slice(20, 32)}` }, null, 2)}\n`;
}

async function committedAt() {
  return new Date(Number(await git('log', '-1', '--format=%ct')) * 1000).toISOString();
}

function git(...args) {
  return program('git', args, ROOT);
}

async function program(name, args, cwd) {
  const { code, output } = await run(name, args, { cwd });
  if (code !== 0) throw new CannotRelease(`${name} ${args[0]} failed:\n${output.trimEnd()}`);
  return output;
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

function packageJson() {
  return JSON.parse(textOf('package.json'));
}

function textOf(name) {
  return readFileSync(join(ROOT, name), 'utf8');
}

function write(name, text) {
  writeFileSync(join(ROOT, name), text);
}

try {
  await release();
} catch (error) {
  if (!(error instanceof CannotRelease)) throw error;
  console.error(`stayd: ${error.message}`);
  process.exitCode = WRONG_USE;
}
