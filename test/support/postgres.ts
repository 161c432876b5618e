import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { execFile, spawn } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './port.ts';
import { BUILT, isCompiled } from './program.ts';
import { migrateBoth } from './templates.ts';

const DEBIAN_HOME = '/usr/lib/postgresql';
const OWNER = 'postgres';
/** The database that others are copied from. */
const MIGRATED = 'stayd_migrated';
const START_LIMIT_MS = 20_000;
const START_POLL_MS = 50;
const run = promisify(execFile);

export interface TestPostgres {
  /** Its maintenance database; for tests that want one of their own there is `freshDatabase`. */
  readonly url: string;
  /** Makes a database as a first start leaves it before it writes anything, and returns its url. */
  freshDatabase(): Promise<string>;
  /** Makes an empty database, and returns its url. */
  emptyDatabase(): Promise<string>;
  /** Runs SQL as the superuser on the maintenance database. */
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>;
  /** Ends the server at once, as a crash does; its files stay. */
  crash(): Promise<void>;
  /** Starts it again after a crash. */
  start(): Promise<void>;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

/** The directory of the newest PostgreSQL's programs, or undefined when none is installed. */
export function findPostgres(): string | undefined {
  if (!existsSync(DEBIAN_HOME)) return undefined;
  return readdirSync(DEBIAN_HOME)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_HOME, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/**
 * `describe` for tests that need a server. Where none is installed one line says what was not run; in CI that
 * is a failure.
 */
export function describeOnPostgres(name: string, body: () => void): void {
  if (findPostgres() !== undefined) {
    describe(name, body);
    return;
  }
  console.log(`no PostgreSQL in ${DEBIAN_HOME}: "${name}" was not run`);
  test(`${name}: may be left out on this machine`, () => {
    assert.equal(process.env['CI'], undefined, `CI needs PostgreSQL, and there is none in ${DEBIAN_HOME}`);
  });
}

/** A private server for this test process; stop it in `after()`. Takes about a second. */
export async function startPostgres(): Promise<TestPostgres> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error(`these tests need PostgreSQL, and there is none in ${DEBIAN_HOME}`);
  return await startServer(bin);
}

async function startServer(bin: string): Promise<TestPostgres> {
  const dir = await makeOwnedDirectory();
  await putCluster(bin, join(dir, 'data'));
  return await controlled(bin, dir);
}

async function controlled(bin: string, dir: string): Promise<TestPostgres> {
  const data = join(dir, 'data');
  const { url, stop } = await serve(bin, dir);
  const control = async (...args: string[]) => {
    const [ctl = '', ...before] = asOwner(join(bin, 'pg_ctl'));
    await run(ctl, [...before, '-D', data, '-s', ...args], { cwd: '/' });
  };
  return {
    ...connectTo(url, stop),
    crash: () => control('-m', 'immediate', 'stop'),
    // -l keeps its output from our pipes, which would never end; the first log belongs to whoever started the guard.
    start: () => control('-l', join(dir, 'log.again'), '-w', 'start'),
  };
}

/** A private server that follows another one; stop it first. */
export async function startReplica({ url }: TestPostgres): Promise<TestPostgres> {
  const bin = findPostgres() ?? '';
  const dir = await makeOwnedDirectory();
  const { hostname, port, username } = new URL(url);
  const [command = '', ...before] = asOwner(join(bin, 'pg_basebackup'));
  const from = ['-h', hostname, '-p', port, '-U', username];
  await run(command, [...before, ...from, '-D', join(dir, 'data'), '-R', '-c', 'fast'], { cwd: '/' });
  return await controlled(bin, dir);
}

/** Starts a server on the cluster of a directory, on a port of its own. */
async function serve(bin: string, dir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: dir,
    fsync: 'off',
    deadlock_timeout: '100ms',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(dir, 'data', 'postgresql.conf'), lines.join(''));
  const stop = startGuarded(bin, dir);
  const url = `postgres://${OWNER}@127.0.0.1:${port}/postgres`;
  await answering(url, join(dir, 'log'));
  return { url, stop };
}

/** Compiled tests share one with a migrated database, as with databases that are files: it is made once and copied. */
async function putCluster(bin: string, data: string): Promise<void> {
  const template = join(BUILT, `postgres-${basename(dirname(bin))}`);
  if (!isCompiled) return initialize(bin, data);
  if (!existsSync(template)) await makeTemplate(bin, template);
  await run('cp', ['-a', template, data]);
}

async function initialize(bin: string, data: string): Promise<void> {
  const [command = '', ...args] = asOwner(join(bin, 'initdb'));
  await run(command, [...args, '-D', data, '-U', OWNER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'], {
    cwd: '/',
  });
}

async function makeTemplate(bin: string, template: string): Promise<void> {
  const dir = await makeOwnedDirectory();
  const data = join(dir, 'data');
  await initialize(bin, data);
  const untouched = readFileSync(join(data, 'postgresql.conf'));
  const { url, stop } = await serve(bin, dir);
  const growing = `${template}.${process.pid}`;
  const { query, stop: disconnect } = connectTo(url, async () => {});
  await makeMigrated(url, query);
  await disconnect();
  const [control = '', ...before] = asOwner(join(bin, 'pg_ctl'));
  await run(control, [...before, '-D', data, '-s', '-m', 'fast', 'stop'], { cwd: '/' });
  writeFileSync(join(data, 'postgresql.conf'), untouched);
  await run('cp', ['-a', data, growing]);
  await stop();
  try {
    renameSync(growing, template);
  } catch {
    // Another process was first.
    rmSync(growing, { recursive: true });
  }
}

async function makeMigrated(url: string, query: TestPostgres['query']): Promise<void> {
  await query(`create database ${MIGRATED}`);
  await migrateBoth(new URL(MIGRATED, url).href);
}

/** Resolves when the server takes connections. */
async function answering(url: string, log: string): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error(`no answer from PostgreSQL: ${readFileSync(log, 'utf8')}`, { cause: error });
      await wait(START_POLL_MS);
    }
  }
}

function connectTo(url: string, stop: () => Promise<void>): Omit<TestPostgres, 'crash' | 'start'> {
  const admin = new pg.Pool({ connectionString: url, max: 1 });
  admin.on('error', () => {});
  let databases = 0;
  let migrated: Promise<void> | undefined;
  const query: TestPostgres['query'] = (text, values) => admin.query(text, values);
  const make = async (template: string) => {
    databases += 1;
    const name = `test_${databases}`;
    await query(`create database ${name} template ${template}`);
    return new URL(name, url).href;
  };
  const madeOnce = async () => {
    const { rows } = await query('select from pg_database where datname = $1', [MIGRATED]);
    if (rows.length === 0) await makeMigrated(url, query);
  };
  return {
    url,
    query,
    async freshDatabase() {
      await (migrated ??= madeOnce());
      return make(MIGRATED);
    },
    emptyDatabase: () => make('template1'),
    async stop() {
      await admin.end();
      await stop();
    },
  };
}

/** The command, run as the user `postgres` when we are root: the server refuses to be. */
function asOwner(...command: string[]): string[] {
  return process.getuid?.() === 0 ? ['runuser', '-u', OWNER, '--', ...command] : command;
}

async function makeOwnedDirectory(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-pg-'));
  if (process.getuid?.() === 0) {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, OWNER])).stdout)),
    );
    if (uid === undefined || gid === undefined) throw new Error(`there is no user ${OWNER}`);
    chownSync(dir, uid, gid);
  }
  return dir;
}

const GUARDED_SERVER = `
  dir=$1 bin=$2; shift 2
  "$@" "$bin/postgres" -D "$dir/data" > "$dir/log" 2>&1 &
  cat > /dev/null
  "$@" "$bin/pg_ctl" -D "$dir/data" -s -m immediate stop 2> /dev/null
  wait
  rm -rf "$dir"
`;

/**
 * Runs the server until told to stop, or until this process has ended in any way, killed ones included: its
 * shell waits for the end of a pipe that only we hold.
 */
function startGuarded(bin: string, dir: string): () => Promise<void> {
  const guard = spawn('sh', ['-c', GUARDED_SERVER, 'sh', dir, bin, ...asOwner()], {
    stdio: ['pipe', 'ignore', 'inherit'],
    // A group of its own, so that Ctrl-C in the terminal does not kill it before it has tidied up.
    detached: true,
    cwd: '/',
  });
  guard.unref();
  return () =>
    new Promise((resolve) => {
      guard.once('exit', () => resolve());
      guard.ref();
      guard.stdin.end();
    });
}
