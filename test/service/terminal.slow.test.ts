import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { terminalLogger } from '../../src/compose/terminal.ts';
import { LogLevels } from '../../src/kernel/log.ts';
import { manualClock } from '../support/clock.ts';
import { freePort } from '../support/port.ts';
import { commandOf } from '../support/program.ts';
import { dataDirectory, startTestService, until } from '../support/service.ts';
import { stayd } from './support/process.ts';

const STAYD = commandOf(new URL('./support/stayd.ts', import.meta.url));
const CTRL_C = '\u0003';
const READY = /^stayd \S+ is ready on http:\/\/127\.0\.0\.1:\d+ \(data in .*\); Ctrl-C stops it/;
const dirs: string[] = [];

function newDirectory(): string {
  const dir = dataDirectory();
  dirs.push(dir);
  return dir;
}

after(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

/** Runs a command on a terminal of its own. */
function onTerminal(args: readonly string[], environment: Record<string, string>) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STAYD_'));
  // Some shells wait for their command and would get the Ctrl-C as well; in its place it gets it alone.
  const line = `exec ${[...STAYD, ...args].map((word) => `'${word}'`).join(' ')}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    shown: () => shown.replaceAll('\r', ''),
    type: (text: string) => child.stdin.write(text),
    async end() {
      child.stdin.write(CTRL_C);
      const code = await ended;
      return code;
    },
    /** Takes the terminal away, without a word to who runs on it. */
    async close() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('start', () => {
  it('on a terminal says where it is, what the secret is for and what comes next, and prints no JSON', async () => {
    const terminal = onTerminal(['start'], { STAYD_PORT: '0', STAYD_DATA_DIR: newDirectory() });
    await until(
      () => /the mirror is up to date/.test(terminal.shown()),
      () => `the first read: ${terminal.shown()}`,
    );
    assert.equal(await terminal.end(), 0);
    const lines = terminal.shown().split('\n');
    assert.match(lines[0] ?? '', READY);
    assert.equal(lines.filter((line) => line.startsWith('{')).length, 0);
    const text = lines.join('\n');
    assert.match(
      text,
      /choose your login and password:\n {2}http:\/\/localhost:\d+\/console\/welcome#[A-Z0-9-]{20,}\n/,
    );
    assert.equal(text.match(/^ {4}\.\/stayd /gm)?.length, 3, 'three commands');
    assert.match(text, /\nthe mirror is up to date: all of local was read in \d+ s\n/);
    assert.match(text, /stopping: finishing what is under way\nstopped\n/);
  });

  it('into a pipe says where it is, and logs JSON', async () => {
    const service = stayd(['start'], { STAYD_PORT: '0', STAYD_DATA_DIR: newDirectory() });
    await until(() => /is ready on/.test(service.stdout()), 'a service');
    assert.equal(await service.kill('SIGINT'), 0);
    const lines = service.stdout().trim().split('\n');
    assert.equal(lines.filter((line) => READY.test(line)).length, 1);
    assert.ok(lines.some((line) => line.startsWith('{"level"')));
    assert.doesNotMatch(service.stdout(), /Next, in a second terminal/);
  });

  it('ends cleanly when its terminal is closed', async () => {
    const dir = newDirectory();
    const terminal = onTerminal(['start'], { STAYD_PORT: '0', STAYD_DATA_DIR: dir });
    await until(() => /is ready on/.test(terminal.shown()), 'a service');
    const { pid } = JSON.parse(readFileSync(join(dir, 'control.json'), 'utf8'));
    await terminal.close();
    await until(() => !existsSync(join(dir, 'control.json')), 'the end of the service');
    await until(() => !isAlive(pid), 'the end of its process');
  });

  it('a hang-up beside a Ctrl-C hurries nobody', async () => {
    const dir = newDirectory();
    const service = stayd(['start'], { STAYD_PORT: '0', STAYD_DATA_DIR: dir });
    await until(() => existsSync(join(dir, 'control.json')), 'a service');
    service.child.kill('SIGINT');
    assert.equal(await service.kill('SIGHUP'), 0);
    assert.match(service.stdout(), /\nstopped\n$/);
    assert.ok(!existsSync(join(dir, 'control.json')));
  });
});

describe('the log at a terminal', () => {
  const lines: string[] = [];
  const clock = manualClock(Date.parse('2026-11-20T12:34:56Z'));
  const loggerOf = (level: string) => {
    lines.splice(0);
    return terminalLogger(new LogLevels(level), clock, (line) => lines.push(line));
  };

  it('tells warnings and errors with what people can use of their fields, and never the others', () => {
    const log = loggerOf('info');
    log.info({ connection: 'local' }, 'read something');
    log.warn({ connection: 'local', problem: 'it is busy', token: 'TOP', secret: 'SECRET' }, 'tried again');
    log.error({ err: new Error('broken') }, 'failed');
    assert.deepEqual(lines, [
      '12:34:56 warning: tried again (connection local, problem it is busy)',
      '12:34:56 ERROR: failed (problem broken)',
    ]);
  });

  it('goes by the level', () => {
    loggerOf('error').warn({}, 'a');
    loggerOf('silent').error({}, 'b');
    assert.deepEqual(lines, []);
    loggerOf('debug').debug({}, 'c');
    assert.deepEqual(lines, ['12:34:56 debug: c']);
  });
});

describe('the check of a container', () => {
  const CHECK = fileURLToPath(new URL('../../scripts/healthcheck.mjs', import.meta.url));

  async function checked(environment: Record<string, string>): Promise<number | null> {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STAYD_'));
    const child = spawn(process.execPath, [CHECK], {
      env: { ...Object.fromEntries(inherited), ...environment },
      stdio: 'ignore',
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  }

  it('finds the service at whatever port it has, by whichever setting', async () => {
    const dataDir = newDirectory();
    const port = await freePort();
    const file = join(dataDir, 'my.yaml');
    writeFileSync(file, `port: ${port}\ndata_dir: ${dataDir}\n`);
    const service = await startTestService({ STAYD_PORT: String(port) }, { dataDir });
    try {
      assert.equal(await checked({ STAYD_CONFIG: file }), 0);
      assert.equal(await checked({ STAYD_DATA_DIR: dataDir }), 0, 'as the service has written down');
      rmSync(join(dataDir, 'control.json'));
      assert.equal(await checked({ STAYD_CONFIG: file }), 0, 'by the port of the configuration');
    } finally {
      await service.stop();
    }
    assert.equal(await checked({ STAYD_CONFIG: file }), 1);
  });
});
