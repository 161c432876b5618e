import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Stands for what compiles: copies sources, notes each call, refuses text that says so, waits while told to. */
const COPYING = `import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
/** @returns whether it was refused */
export async function copySources(out) {
  appendFileSync('builds.log', process.pid + '\\n');
  while (existsSync('hold')) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const folder of ['src', 'test'].filter((name) => existsSync(name))) {
    mkdirSync(join(out, folder), { recursive: true });
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8');
      if (text.includes('refuse')) {
        console.log(name + ': refused');
        return true;
      }
      writeFileSync(join(out, folder, name.replace('.ts', '.js')), text);
    }
  }
  return false;
}
`;

const COMPILER = `#!/usr/bin/env node
import { copySources } from './copying.mjs';
process.exitCode = (await copySources(process.argv[process.argv.indexOf('--outDir') + 1])) ? 1 : 0;
`;

/** Each text of a source is also a chunk, named by what it holds; what imports what stands in a file, if it is there. */
const BUNDLER = `import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copySources } from '../compiler/copying.mjs';
export async function build({ outdir }) {
  if (await copySources(outdir)) throw new Error('refused');
  mkdirSync(join(outdir, 'chunks'));
  for (const name of readdirSync(join(outdir, 'src'))) {
    const text = readFileSync(join(outdir, 'src', name), 'utf8');
    writeFileSync(join(outdir, 'chunks', createHash('sha256').update(text).digest('hex') + '.js'), text);
  }
  return { metafile: { inputs: existsSync('imports.json') ? JSON.parse(readFileSync('imports.json', 'utf8')) : {} } };
}
`;

const MAIN = `export async function main(argv) { process.stdout.write(argv.join(' ')); }\n`;

const PACKAGE = {
  name: 'fake',
  version: '1.0.0',
  type: 'module',
  engines: { node: '>=20.19' },
  devDependencies: { typescript: 'file:compiler', esbuild: 'file:bundler' },
};

const LOCK = {
  name: 'fake',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: {
    '': { name: 'fake', version: '1.0.0', devDependencies: PACKAGE.devDependencies },
    compiler: { name: 'typescript', version: '1.0.0', dev: true, bin: { tsc: 'tsc.mjs' } },
    'node_modules/typescript': { resolved: 'compiler', link: true },
    bundler: { name: 'esbuild', version: '1.0.0', dev: true },
    'node_modules/esbuild': { resolved: 'bundler', link: true },
  },
};

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A small project with the real scripts, whose only dependencies are a compiler and a bundler that lie beside it. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'stayd-project-'));
  env: NodeJS.ProcessEnv = { ...process.env, npm_config_offline: 'true' };

  constructor(template?: Project) {
    if (template) {
      cpSync(template.folder, this.folder, { recursive: true, verbatimSymlinks: true });
      return;
    }
    cpSync(join(ROOT, 'scripts'), join(this.folder, 'scripts'), { recursive: true });
    cpSync(join(ROOT, 'stayd'), join(this.folder, 'stayd'));
    this.write('package.json', JSON.stringify(PACKAGE));
    this.write('package-lock.json', JSON.stringify(LOCK));
    this.write(
      'compiler/package.json',
      JSON.stringify({ name: 'typescript', version: '1.0.0', bin: { tsc: 'tsc.mjs' } }),
    );
    this.write('compiler/tsc.mjs', COMPILER);
    this.write('compiler/copying.mjs', COPYING);
    this.write('bundler/package.json', JSON.stringify({ name: 'esbuild', version: '1.0.0', main: 'main.mjs' }));
    this.write('bundler/main.mjs', BUNDLER);
    this.write('tsconfig.json', '{}');
    this.write('src/main.ts', MAIN);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** The process of each build there was. */
  builds(): number[] {
    return this.read('builds.log').trim().split('\n').map(Number);
  }

  /** Leaves on the PATH these programs alone. */
  havingOnly(...programs: string[]): void {
    const folder = this.path('path');
    mkdirSync(folder);
    for (const program of programs) symlinkSync(whereIs(program), join(folder, program));
    this.env = { ...this.env, PATH: folder };
  }

  start(program = 'scripts/launch.mjs', args: string[] = ['--build-only'], cwd = this.folder): ChildProcess {
    return spawn(process.execPath, [this.path(program), ...args], {
      cwd,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  run(program?: string, args?: string[], cwd?: string): Promise<Ended> {
    return ended(this.start(program, args, cwd));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function ended(child: ChildProcess): Promise<Ended> {
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (text.stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (text.stderr += String(chunk)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...text })));
}

function whereIs(program: string): string {
  if (program === 'node') return process.execPath;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    try {
      readFileSync(join(folder, program));
      return join(folder, program);
    } catch {
      continue;
    }
  }
  throw new Error(`${program} is needed by this test`);
}
