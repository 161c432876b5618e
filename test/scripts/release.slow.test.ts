import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { copyModules, onDisk } from '../deploy/support/onDisk.ts';
import { freePort } from '../support/port.ts';
import { run, startProcess } from '../service/support/process.ts';

const ROOT = packageRoot();
const FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'Dockerfile',
  '.dockerignore',
  '.npmrc',
  '.gitignore',
];
const TEXTS = ['stayd', 'README.md', 'CHANGELOG.md', 'SECURITY.md'];
const FOLDERS = ['scripts', 'src', 'migrations', 'config', 'docs', 'deploy'];

describe('a release', () => {
  const dir = onDisk('release');
  const [project, home] = [join(dir, 'project'), join(dir, 'home')];
  before(() => {
    mkdirSync(project);
    mkdirSync(home);
    for (const name of [...FILES, ...TEXTS, ...FOLDERS, 'dist']) {
      cpSync(join(ROOT, name), join(project, name), { recursive: true, preserveTimestamps: true });
    }
    copyModules(project);
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@rooms.example');
    git('add', '--all');
    git('commit', '--quiet', '--message=First');
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  function git(...args: string[]): string {
    return execFileSync('git', args, { cwd: project, encoding: 'utf8' });
  }
  function release(...args: string[]) {
    return spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: project, encoding: 'utf8' });
  }
  /** What npm does, without the network: the package, and of this checkout's dependencies those that its lock names. */
  function install(archive: string, modules: string): void {
    const own = join(modules, 'stayd');
    mkdirSync(own, { recursive: true });
    execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', own]);
    mkdirSync(join(modules, '.bin'));
    symlinkSync(join('..', 'stayd', 'stayd'), join(modules, '.bin', 'stayd'));
    const { packages } = JSON.parse(readFileSync(join(own, 'npm-shrinkwrap.json'), 'utf8'));
    for (const [path, { optional }] of Object.entries<{ optional?: boolean }>(packages)) {
      const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
      const from = join(ROOT, path);
      if (name === undefined || (optional && !existsSync(from))) continue;
      cpSync(from, join(modules, name), { recursive: true });
    }
  }
  const version = () => JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version as string;

  it('is made of what is committed, the same bytes each time, with checksums that fit', () => {
    const [first, second] = [join(dir, 'first'), join(dir, 'second')];
    for (const out of [first, second]) {
      const { status, stderr } = release('--out', out);
      assert.equal(status, 0, stderr);
    }
    const name = `stayd-${version()}`;
    assert.deepEqual(
      readdirSync(first).toSorted(),
      ['SHA256SUMS', `${name}-container.tar.gz`, `${name}.notes.md`, `${name}.sbom.json`, `${name}.tgz`].toSorted(),
    );
    assert.equal(readFileSync(join(first, 'SHA256SUMS'), 'utf8'), readFileSync(join(second, 'SHA256SUMS'), 'utf8'));
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: first, stdio: 'pipe' });
    const bill = JSON.parse(readFileSync(join(first, `${name}.sbom.json`), 'utf8'));
    assert.equal(bill.bomFormat, 'CycloneDX');
    const components = bill.components.map((one: { name: string }) => one.name);
    assert.ok(components.includes('fastify') && !components.includes('typescript'));
    const context = execFileSync('tar', ['-tzf', join(first, `${name}-container.tar.gz`)], { encoding: 'utf8' });
    for (const file of ['Dockerfile', 'scripts/launch.mjs', 'src/main.ts', 'package-lock.json', '.dockerignore']) {
      assert.ok(context.includes(`${name}/${file}\n`), file);
    }
  });

  it('has a package that starts in an empty folder, without building', async () => {
    const folder = join(dir, 'empty');
    mkdirSync(folder);
    const modules = join(folder, 'node_modules');
    install(join(dir, 'first', `stayd-${version()}.tgz`), modules);
    const installed = join(modules, 'stayd');
    assert.deepEqual(
      readdirSync(installed).filter((name) =>
        ['src', 'test', 'bench', 'node_modules', 'package-lock.json'].includes(name),
      ),
      [],
    );
    assert.equal(readdirSync(modules).includes('typescript'), false);
    const program = [process.execPath, join(modules, '.bin', 'stayd')];
    const data = join(folder, 'data');
    const service = await startProcess(data, { STAYD_PORT: String(await freePort()) }, program);
    assert.equal((await fetch(`${service.url}/docs`)).status, 200, 'pages and guides came along');
    assert.equal((await fetch(`${service.url}/console/sign-in`)).status, 200);
    const made = await run(
      ['token', 'create', '--name', 'first', '--scope', 'read'],
      { STAYD_DATA_DIR: data },
      program,
    );
    assert.match(made.stdout, /^stayd_pat_\S+\n$/, made.stderr);
    assert.equal(await service.kill('SIGTERM'), 0);
    const advised = await run(['verify'], { STAYD_DATA_DIR: join(dir, 'nowhere') }, program);
    assert.equal(advised.stderr.includes('./stayd'), false, advised.stderr);
  });

  it('is refused while something is not committed, and says what', () => {
    writeFileSync(join(project, 'src', 'more.ts'), '');
    const { status, stderr } = release('--out', join(dir, 'third'));
    assert.equal(status, 2);
    assert.match(stderr, /commit or put aside first:\n\?\? src\/more\.ts/);
    rmSync(join(project, 'src', 'more.ts'));
    assert.equal(readdirSync(dir).includes('third'), false);
  });

  it('of a next version writes that down, commits and tags it', () => {
    assert.equal(release('1.1').status, 2);
    assert.equal(git('status', '--porcelain'), '', 'a refused version changes nothing');
    const { status, stderr } = release('9.1.0', '--out', join(dir, 'next'));
    assert.equal(status, 0, stderr);
    assert.equal(version(), '9.1.0');
    assert.equal(JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')).packages[''].version, '9.1.0');
    assert.match(
      readFileSync(join(project, 'CHANGELOG.md'), 'utf8'),
      /## \[Unreleased\]\n\n## \[9\.1\.0\] \d{4}-\d\d-\d\d\n/,
    );
    assert.equal(git('log', '-1', '--format=%s').trim(), 'Release 9.1.0');
    assert.equal(git('tag', '--points-at', 'HEAD').trim(), 'v9.1.0');
    assert.equal(git('status', '--porcelain'), '');
    assert.ok(readdirSync(join(dir, 'next')).includes('stayd-9.1.0.tgz'));
    const again = release('9.2.0', '--out', join(dir, 'again'));
    assert.equal(again.status, 2);
    assert.match(again.stderr, /nothing stands under "## \[Unreleased\]"/);
  });
});
