import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ended, Project } from './project.ts';

const INSTALLING = 'stayd: installing dependencies (first run takes about a minute)\n';
const BUILDING = 'stayd: building\n';

const projects: Project[] = [];
after(() => projects.forEach((project) => project.remove()));

/** A project that was prepared already; copies of it are cheap. */
const prepared = new Project();
projects.push(prepared);
let firstRun: Awaited<ReturnType<Project['run']>>;
before(async () => {
  // Which would leave out the compiler, if nothing was done about it.
  prepared.env = { ...prepared.env, NODE_ENV: 'production' };
  firstRun = await prepared.run();
});

function project(template?: Project): Project {
  const made = new Project(template);
  projects.push(made);
  return made;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5);
}

function leftovers({ folder }: Project): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('dist.'));
}

describe('what is stale', { concurrency: 3 }, () => {
  it('installs and builds on the first run, and says so on stderr alone', () => {
    assert.deepEqual(firstRun, { code: 0, stdout: '', stderr: INSTALLING + BUILDING });
    assert.ok(prepared.read('dist/src/main.js').includes('main'));
    assert.deepEqual(leftovers(prepared), []);
  });

  /** After this change of a prepared project it says this. */
  const rows: [change: string, apply: (project: Project) => void, said: string][] = [
    ['nothing', () => {}, ''],
    ['a file written with the same text', (one) => one.write('src/main.ts', one.read('src/main.ts')), ''],
    ['a file that is not compiled', (one) => one.write('src/notes.md', 'x'), ''],
    ['a changed source', (one) => one.write('src/main.ts', 'export const main = 1;'), BUILDING],
    [
      'a changed source of the same length',
      (one) => one.write('src/main.ts', one.read('src/main.ts').replace('main', 'niam')),
      BUILDING,
    ],
    ['a new source', (one) => one.write('src/more.ts', ''), BUILDING],
    ['a new migration', (one) => one.write('migrations/core/0001.ts', ''), BUILDING],
    ['a changed tsconfig.json', (one) => one.write('tsconfig.json', '{"files":[]}'), BUILDING],
    [
      'a changed way to bundle',
      (one) => one.write('scripts/bundle.mjs', `${one.read('scripts/bundle.mjs')}\n`),
      BUILDING,
    ],
    ['a dist without its stamp', (one) => rmSync(one.path('dist/.stamp')), BUILDING],
    [
      'another name in package.json',
      (one) => one.write('package.json', one.read('package.json').replace('1.0.0', '1.0.1')),
      '',
    ],
    ['node_modules without its stamp', (one) => rmSync(one.path('node_modules/.stayd-stamp')), INSTALLING],
    [
      'another package-lock.json',
      (one) => one.write('package-lock.json', `${one.read('package-lock.json')}\n`),
      INSTALLING + BUILDING,
    ],
  ];
  for (const [change, apply, said] of rows) {
    it(`after ${change} ${said === '' ? 'does nothing' : `says ${said.match(/installing|building/g)?.join(', ')} once`}`, async () => {
      const one = project(prepared);
      apply(one);
      assert.deepEqual(await one.run(), { code: 0, stdout: '', stderr: said });
      if (said !== '') assert.deepEqual(await one.run(), { code: 0, stdout: '', stderr: '' });
    });
  }

  it('leaves nothing of the build before', async () => {
    const one = project(prepared);
    one.write('src/old.ts', '');
    await one.run();
    assert.ok(existsSync(one.path('dist/src/old.js')));
    rmSync(one.path('src/old.ts'));
    await one.run();
    assert.ok(!existsSync(one.path('dist/src/old.js')));
  });

  it('keeps for one build more what a service that runs may still import late', async () => {
    const one = project(prepared);
    const chunks = () => readdirSync(one.path('dist/chunks'));
    const first = chunks();
    one.write('src/main.ts', 'export const main = 1;');
    await one.run();
    const second = chunks().filter((name) => !first.includes(name));
    assert.deepEqual(chunks().toSorted(), [...first, ...second].toSorted());
    one.write('src/main.ts', 'export const main = 2;');
    await one.run();
    assert.deepEqual(
      [...first, ...second].map((name) => chunks().includes(name)),
      [...first.map(() => false), ...second.map(() => true)],
    );
  });

  it('takes an image without sources as it is, with neither npm nor git', async () => {
    const one = project(prepared);
    rmSync(one.path('src'), { recursive: true });
    rmSync(one.path('node_modules/typescript'));
    one.havingOnly('node');
    assert.deepEqual(await one.run('stayd', ['start']), { code: 0, stdout: 'start', stderr: '' });
  });
});

describe('what is missing', { concurrency: 3 }, () => {
  it('names npm and git before anything runs', async () => {
    const one = project();
    one.havingOnly('node');
    const { code, stdout, stderr } = await one.run();
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    assert.match(stderr, /^stayd: not found on the PATH: npm, git\n {2}npm: .+\n {2}git: .+\n$/);
    assert.ok(!existsSync(one.path('node_modules')));
  });

  it('names git alone when npm is there', async () => {
    const one = project(prepared);
    one.havingOnly('node', 'npm');
    const { code, stderr } = await one.run();
    assert.equal(code, 2);
    assert.match(stderr, /^stayd: not found on the PATH: git\n {2}git: .+\n$/);
  });

  it('names the Node.js that is needed', async () => {
    const one = project(prepared);
    one.write('package.json', one.read('package.json').replace('20.19', '99.1'));
    const { code, stderr } = await one.run();
    assert.equal(code, 2);
    assert.match(stderr, /^stayd: Node\.js 99\.1 or newer is needed, this is [\d.]+\. .+\n$/);
  });

  it('names what compiles native modules when npm ci fails, and shows what npm said', async () => {
    const one = project(prepared);
    one.write('package.json', one.read('package.json').replace('"typescript"', '"native":"1.0.0","typescript"'));
    one.havingOnly('node', 'npm', 'git');
    const { code, stderr } = await one.run();
    assert.equal(code, 2);
    assert.match(stderr, /npm ci failed:\n(.+\n)+/);
    assert.match(stderr, /not found on the PATH: a C\+\+ compiler, python3, make; needed where no prebuilt/);
    assert.ok(!existsSync(one.path('node_modules/.stayd-stamp')));
  });
});

describe('a build that fails', () => {
  it('says why and leaves the dist before it', async () => {
    const one = project(prepared);
    one.write('src/main.ts', 'refuse');
    const { code, stderr } = await one.run();
    assert.equal(code, 1);
    assert.equal(stderr, `${BUILDING}stayd: the build failed:\nmain.ts: refused\n`);
    assert.equal(one.read('dist/src/main.js'), prepared.read('dist/src/main.js'));
    assert.equal((await one.run()).code, 1, 'and fails again');
  });

  it('names a package in CommonJS that we import late; what packages do is theirs, wherever they lie', async () => {
    const late = (original: string, path: string) => ({ imports: [{ kind: 'dynamic-import', original, path }] });
    const packages = {
      'node_modules/old/main.js': { format: 'cjs', ...late('./more.js', 'node_modules/old/more.js') },
      'node_modules/old/more.js': { format: 'cjs', imports: [] },
      '../linked/node_modules/far/main.js': { format: 'cjs', ...late('old', 'node_modules/old/main.js') },
    };
    const one = project(prepared);
    one.write('src/main.ts', 'export const changed = 2;');
    one.write('imports.json', JSON.stringify({ 'src/main.ts': late('old', 'node_modules/old/main.js'), ...packages }));
    const { code, stderr } = await one.run();
    assert.equal(code, 1);
    const named = 'src/main.ts: old must be imported late through a file of ours, for its names';
    assert.equal(stderr, `${BUILDING}stayd: the build failed:\n${named}\n`);
    one.write('imports.json', JSON.stringify(packages));
    assert.equal((await one.run()).code, 0);
  });
});

describe('several at once', { concurrency: 3 }, () => {
  /** A prepared project with a changed source, whose compiler waits until `hold` is removed. */
  function held(): Project {
    const one = project(prepared);
    one.write('src/main.ts', 'export const changed = 1;');
    one.write('hold', '');
    return one;
  }
  const isBuilding = (one: Project) => one.builds().length > prepared.builds().length;
  const release = (one: Project) => rmSync(one.path('hold'));

  it('build once', async () => {
    const one = held();
    const runs = [one.start(), one.start(), one.start()];
    let waiting = 0;
    for (const run of runs) run.stderr?.on('data', (text) => (waiting += /waiting for process/.test(text) ? 1 : 0));
    const ends = runs.map(ended);
    await until(() => waiting === 2);
    release(one);
    assert.deepEqual(
      (await Promise.all(ends)).map(({ code }) => code),
      [0, 0, 0],
    );
    assert.equal(one.builds().length, prepared.builds().length + 1);
    assert.deepEqual(leftovers(one), []);
  });

  it('go on after one that was killed, once its compiler is gone too', async () => {
    const one = held();
    const killed = one.start();
    await until(() => isBuilding(one));
    killed.kill('SIGKILL');
    await ended(killed);
    const next = one.start();
    const end = ended(next);
    const [said] = await once(next.stderr!, 'data');
    assert.equal(String(said), `stayd: waiting for process ${killed.pid}, which is preparing too\n`);
    release(one);
    assert.equal((await end).code, 0);
    assert.equal(one.read('dist/src/main.js'), 'export const changed = 1;');
    assert.deepEqual(leftovers(one), []);
  });

  it('go on at once after one that died with all it had started', async () => {
    const one = held();
    const killed = one.start();
    await until(() => isBuilding(one));
    killed.kill('SIGKILL');
    process.kill(one.builds().at(-1)!, 'SIGKILL');
    await ended(killed);
    release(one);
    assert.deepEqual(await one.run(), { code: 0, stdout: '', stderr: BUILDING });
    assert.deepEqual(leftovers(one), []);
  });

  it('end their compiler when they are told to end', async () => {
    const one = held();
    const told = one.start();
    const end = ended(told);
    await until(() => isBuilding(one));
    told.kill('SIGTERM');
    assert.equal((await end).code, 128 + 15);
    assert.throws(() => process.kill(one.builds().at(-1)!, 0), { code: 'ESRCH' });
    release(one);
    assert.deepEqual(await one.run(), { code: 0, stdout: '', stderr: BUILDING });
  });
});

describe('the launcher', () => {
  it('hands its arguments to main, from any folder, through a link', async () => {
    const one = project(prepared);
    symlinkSync(one.path('stayd'), one.path('link'));
    assert.deepEqual(await one.run('link', ['token', 'create', '--name', 'x'], '/'), {
      code: 0,
      stdout: 'token create --name x',
      stderr: '',
    });
  });
});
