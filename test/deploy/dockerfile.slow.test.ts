import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { freePort } from '../support/port.ts';
import { until } from '../support/service.ts';
import { copyModules, onDisk } from './support/onDisk.ts';

const ROOT = packageRoot();

interface Stage {
  name: string;
  image: string;
  steps: { instruction: string; value: string }[];
}

function stagesOf(dockerfile: string): Stage[] {
  const stages: Stage[] = [];
  const lines = dockerfile.replaceAll(/\\\n/g, ' ').split('\n');
  for (const line of lines.filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, instruction = '', value = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [, image = '', name = ''] = /^(\S+)(?: AS (\S+))?$/.exec(value) ?? [];
      stages.push({ name, image, steps: [] });
    } else stages.at(-1)?.steps.push({ instruction, value });
  }
  return stages;
}

/** What an engine would send: what .dockerignore lets through. */
function contextOf(folder: string): void {
  const kept = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  for (const name of kept) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
}

/** The steps of the Dockerfile, done in folders in the place of images. The network is not asked: see `install`. */
describe('the steps of the Dockerfile', () => {
  const dir = onDisk('image');
  const [context, data] = [join(dir, 'context'), join(dir, 'data')];
  const [build, last] = stagesOf(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  const environment: Record<string, string> = {};
  let entry: string[] = [];
  let service: ChildProcess | undefined;
  const app = (stage: string) => join(dir, stage, 'app');

  before(() => {
    mkdirSync(context);
    contextOf(context);
    for (const stage of [build, last]) if (stage) carryOut(stage);
  });
  after(() => {
    service?.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });

  function carryOut({ name, steps }: Stage): void {
    const place = app(name || 'last');
    mkdirSync(place, { recursive: true });
    for (const { instruction, value } of steps) {
      const words = value.split(/\s+/);
      if (instruction === 'COPY') copy(words, place);
      else if (instruction === 'ENV') environment[value.split('=')[0] ?? ''] = value.split('=')[1] ?? '';
      else if (instruction === 'RUN' && name !== '') run(value, place);
      else if (instruction === 'ENTRYPOINT') entry = JSON.parse(value);
      else if (instruction === 'CMD') entry = [...entry, ...JSON.parse(value)];
    }
  }

  function copy(words: string[], place: string): void {
    const from = words[0]?.startsWith('--from=') ? join(dir, words.shift()?.slice(7) ?? '') : context;
    const target = words.pop() ?? '';
    const isFolder = words.length > 1 || target.endsWith('/');
    for (const word of words) {
      const source = join(from, word);
      assert.ok(existsSync(source), `COPY ${word}: the context has it`);
      cpSync(source, isFolder ? join(place, target, basename(word)) : join(place, target), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
  }

  function run(command: string, place: string): void {
    if (command.includes('--install-only')) install(place);
    execFileSync('sh', ['-c', command], {
      cwd: place,
      stdio: 'pipe',
      env: { ...process.env, npm_config_offline: 'true' },
    });
  }

  /** The dependencies of this checkout, which `npm ci` has brought already: the step finds that they fit. */
  function install(place: string): void {
    copyModules(place);
  }

  it('copy all that the service needs, and nothing that it is made from', () => {
    const files = readdirSync(app('last')).toSorted();
    assert.deepEqual(files, ['config', 'dist', 'docs', 'node_modules', 'package.json', 'scripts', 'stayd']);
    const modules = readdirSync(join(app('last'), 'node_modules'));
    for (const name of ['typescript', 'playwright-core', 'oxlint']) assert.ok(!modules.includes(name), name);
    assert.ok(modules.includes('fastify'));
  });

  it('run as nobody in particular, with nothing to write to but the data, and are well', async () => {
    const user = last?.steps.find(({ instruction }) => instruction === 'USER')?.value;
    assert.equal(user, 'node');
    mkdirSync(data);
    const port = await freePort();
    const env = {
      ...environment,
      PATH: process.env['PATH'],
      STAYD_DATA_DIR: data,
      STAYD_PORT: String(port),
      HOME: '/nonexistent',
    };
    execFileSync('chmod', ['-R', 'a-w,a+rX', app('last')]);
    execFileSync('chmod', ['a+rx', dir, join(dir, 'last')]);
    execFileSync('chown', ['-R', '1000:1000', data]);
    const asNode = ['--reuid=1000', '--regid=1000', '--clear-groups', '--no-new-privs', '--inh-caps=-all'];
    let said = '';
    service = spawn('setpriv', [...asNode, ...entry], { cwd: app('last'), env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [service.stdout, service.stderr]) stream?.on('data', (more) => (said += String(more)));
    await until(
      () => /is ready on/.test(said),
      () => said,
      60_000,
    );
    const health = (last?.steps ?? []).find(({ instruction }) => instruction === 'HEALTHCHECK')?.value ?? '';
    const check = JSON.parse(/CMD (\[.*\])/.exec(health)?.[1] ?? '[]') as string[];
    const healthy = (...more: string[]) => {
      const [command = '', ...args] = [...check, ...more];
      try {
        execFileSync(command, args, { cwd: app('last'), env, stdio: 'pipe' });
        return true;
      } catch {
        return false;
      }
    };
    assert.equal(healthy(), true);
    assert.equal(healthy('--ready'), true);
    const made = execFileSync(
      'setpriv',
      [...asNode, './stayd', 'token', 'create', '--name', 'first', '--scope', 'read'],
      {
        cwd: app('last'),
        env,
        encoding: 'utf8',
      },
    );
    assert.match(made, /^stayd_pat_\S+\n$/);
    const ended = new Promise((resolve) => service?.once('exit', resolve));
    service.kill('SIGTERM');
    assert.equal(await ended, 0);
    assert.equal(healthy(), false, 'a check that cannot fail is none');
    writeFileSync(join(dir, 'over'), '');
  });
});
