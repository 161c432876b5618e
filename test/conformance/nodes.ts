import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../support/port.ts';
import { fetchPackages, run } from './packages.ts';

/** Beside the one that runs the tests. Each brings the headers that a native module is compiled with. */
const VERSIONS = ['22.23.3', '24.21.0'];
const LIMIT_MS = 60_000;

type Say = (text: string) => void;

/**
 * The npm package, installed and run by other versions of Node.js than that of the tests: its native module is compiled
 * for each, and whatever the version has removed or deprecates with a warning is an error.
 * @returns what has failed
 */
export async function nodes(say: Say): Promise<string[]> {
  const scripts = new URL('../../scripts/', import.meta.url);
  const { prepare } = await import(new URL('prepare.mjs', scripts).href);
  const { layOutPackage } = await import(new URL('release/package.mjs', scripts).href);
  await prepare({ build: true });
  const folder = mkdtempSync(join(tmpdir(), 'stayd-nodes-'));
  try {
    const staged = join(folder, 'package');
    mkdirSync(staged);
    layOutPackage(staged);
    const packed = await run('npm', ['pack', '--silent', '--ignore-scripts', `--pack-destination=${folder}`], staged);
    if (packed.code !== 0) return [`npm pack: ${packed.output}`];
    const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const failed: string[] = [];
    for (const version of VERSIONS) {
      say(`\nNode.js ${version}`);
      for (const problem of await under(version, join(folder, archive), say))
        failed.push(`Node.js ${version}: ${problem}`);
    }
    return failed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function under(version: string, archive: string, say: Say): Promise<string[]> {
  const wanted = { folder: `node-${version}`, packages: { node: version }, scripts: ['node'] };
  const home = join(await fetchPackages(wanted, say), 'node_modules', 'node');
  const folder = mkdtempSync(join(tmpdir(), 'stayd-node-'));
  const data = join(folder, 'data');
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm|STAYD)_/.test(name))),
    PATH: [join(home, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter),
    npm_config_nodedir: join(home, 'node_modules', `node-${process.platform}-${process.arch}`),
    STAYD_DATA_DIR: data,
    STAYD_PORT: String(await freePort()),
  };
  const failed: string[] = [];
  const check = (what: string, isRight: boolean, seen = '') => {
    say(`${isRight ? 'ok  ' : 'FAIL'}  ${what}${isRight ? '' : `: ${seen}`}`);
    if (!isRight) failed.push(what);
    return isRight;
  };
  const stayd = (...args: string[]) => run('npx', ['--no-install', 'stayd', ...args], folder, { env });
  let service: Running | undefined;
  try {
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    const installed = await run('npm', ['install', '--no-audit', '--no-fund', archive], folder, { env });
    if (!check('the package is installed', installed.code === 0, installed.output)) return failed;
    const strict = { ...env, NODE_OPTIONS: '--throw-deprecation' };
    service = start(folder, strict);
    const url = await service.ready;
    if (!check('the service starts', url !== undefined, service.said())) return failed;
    const token = (await stayd('token', 'create', '--name', 'first', '--scope', 'write')).output.trim();
    const code = await book(`${url}/v3`, token);
    check('a booking is stored', code !== undefined);
    check('the mirror has it', await isMirrored(`${url}/mirror`, token, code), service.said());
    const verified = await stayd('verify');
    check('the mirror equals its source', verified.code === 0, verified.output);
    const saved = await stayd('backup', 'one.tar.gz');
    check('a backup is made while it runs', saved.code === 0, saved.output);
    check('it stops cleanly', (await service.stop()) === 0, service.said());
    const restored = { ...env, STAYD_DATA_DIR: join(folder, 'fresh') };
    const back = await run('npx', ['--no-install', 'stayd', 'restore', 'one.tar.gz'], folder, { env: restored });
    check('the backup is restored', back.code === 0, back.output);
    service = start(folder, strict);
    check('it starts again', (await service.ready) !== undefined, service.said());
    check('it stops again', (await service.stop()) === 0, service.said());
    check('nothing was warned of', !/warning/i.test(service.said()), service.said());
  } finally {
    service?.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
  return failed;
}

interface Running {
  child: ChildProcess;
  /** Its address; undefined if it ended before. */
  ready: Promise<string | undefined>;
  said(): string;
  stop(): Promise<number | null>;
}

function start(folder: string, env: NodeJS.ProcessEnv): Running {
  const child = spawn(join(folder, 'node_modules', '.bin', 'stayd'), ['start'], { cwd: folder, env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (more) => (text += more));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const url = () => /is ready on (http\S+)/.exec(text)?.[1];
  return {
    child,
    said: () => text,
    ready: Promise.race([until(() => url() !== undefined).then(url), ended.then(() => undefined)]),
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

async function book(v3: string, token: string): Promise<string | undefined> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'service-access-token': token };
    const response = await fetch(v3 + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return ((await response.json()) as { data: any }).data;
  };
  const { property_id } = await post('/properties', { name: 'Sea View' });
  const money = { rate_amount: 300, commission_amount: 0, received_amount: 0 };
  const stay = { property_id, check_in_date: '2027-03-01', check_out_date: '2027-03-04', guest_name: 'Ada' };
  return (await post('/reservations', { ...stay, ...money })).reservation_code;
}

async function isMirrored(mirror: string, token: string, code: string | undefined): Promise<boolean> {
  const asked = async () => {
    const response = await fetch(`${mirror}/reservations?reservation_code=${code}`, {
      headers: { 'service-access-token': token },
    });
    return (await response.text()).includes(String(code));
  };
  return await until(asked);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = Date.now() + LIMIT_MS;
  while (Date.now() < end) {
    if (await condition()) return true;
    await wait(50);
  }
  return false;
}
