import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type ServiceProcess, startProcess, stayd } from '../service/support/process.ts';
import { dataDirectory, until } from '../support/service.ts';
import { deployed } from './support/deployed.ts';

/** Receives datagrams as systemd does, and prints each as a line of JSON. */
const LISTEN = `
import json, socket, sys
listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listening.bind(sys.argv[1])
print(json.dumps("listens"), flush=True)
while True:
    print(json.dumps(listening.recv(65536).decode()), flush=True)
`;

interface Listener {
  /** What was said, one word each: `READY=1`. */
  heard(): string[];
  child: ChildProcess;
}

function listen(socket: string): Listener {
  const child = spawn('/usr/bin/python3', ['-c', LISTEN, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more));
  const heard = () =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => (JSON.parse(line) as string).split('\n'))
      .filter((word) => word !== '' && word !== 'BARRIER=1');
  return { heard, child };
}

describe('the service under systemd, whose socket is played', () => {
  const dir = dataDirectory();
  const [socket, settings] = [join(dir, 'notify'), join(dir, 'stayd.yaml')];
  let listener: Listener;
  let service: ServiceProcess;
  const words = (name: string) => listener.heard().filter((word) => word.startsWith(`${name}=`));
  before(async () => {
    mkdirSync(dir, { recursive: true });
    listener = listen(socket);
    await until(() => listener.heard().length > 0, 'the socket');
    writeFileSync(settings, 'log_level: warn\n');
    service = await startProcess(dir, { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '900000' });
  });
  after(() => {
    service.child.kill('SIGKILL');
    listener.child.kill('SIGKILL');
    rmSync(dir, { recursive: true });
  });

  it('asks for time while it starts, then says that it is ready and where', async () => {
    await until(() => words('READY').length === 1, 'READY=1');
    const heard = listener.heard();
    assert.deepEqual(words('STATUS'), [`STATUS=serves on ${service.url}`]);
    assert.ok(heard.indexOf('EXTEND_TIMEOUT_USEC=600000000') < heard.indexOf('READY=1'), heard.join(' '));
    assert.ok(heard.indexOf('EXTEND_TIMEOUT_USEC=600000000') > 0, heard.join(' '));
  });

  it('gives signs of life, again and again', async () => {
    const before = words('WATCHDOG').length;
    await until(() => words('WATCHDOG').length >= before + 3, 'three signs of life');
  });

  it('tells a hang-up with other settings as a reload, and the end as such', async () => {
    writeFileSync(settings, 'log_level: warn\naccount: { property_quota: 7 }\n');
    service.child.kill('SIGHUP');
    await until(() => words('READY').length === 2, 'ready again');
    const heard = listener.heard();
    assert.ok(heard.indexOf('RELOADING=1') < heard.lastIndexOf('READY=1'), heard.join(' '));
    assert.equal(words('STOPPING').length, 0);
    assert.equal(await service.kill('SIGTERM'), 0);
    assert.deepEqual(words('STOPPING'), ['STOPPING=1']);
    assert.ok(listener.heard().indexOf('STOPPING=1') > listener.heard().lastIndexOf('READY=1'));
  });

  it('says so, once, when nobody hears it, and serves all the same', async () => {
    const alone = await startProcess(dir, { NOTIFY_SOCKET: join(dir, 'nobody'), WATCHDOG_USEC: '300000' });
    await until(() => /systemd cannot be notified: /.test(alone.stdout()), 'the warning');
    assert.equal((await fetch(`${alone.url}/healthz`)).status, 200);
    assert.equal(await alone.kill('SIGTERM'), 0);
    assert.equal(alone.stdout().match(/systemd cannot be notified/g)?.length, 1);
  });

  it('a start that fails is never said to be ready', async () => {
    const before = words('READY').length;
    const failed = stayd(['start'], { NOTIFY_SOCKET: socket, STAYD_DATA_DIR: dir, STAYD_PORT: '70000' });
    assert.notEqual(await failed.ended, 0);
    assert.equal(words('READY').length, before);
  });
});

describe('deploy/stayd.service', () => {
  const dir = dataDirectory();
  const unit = join(dir, 'stayd.service');
  before(() => {
    mkdirSync(dir, { recursive: true });
    // systemd-analyze looks for the program, which is not installed here.
    writeFileSync(
      unit,
      readFileSync(deployed('stayd.service'), 'utf8').replace(
        'ExecStart=/usr/bin/stayd',
        `ExecStart=${process.execPath}`,
      ),
    );
  });
  after(() => rmSync(dir, { recursive: true }));

  it('is understood by systemd, without a word', () => {
    assert.equal(execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8', stdio: 'pipe' }), '');
  });

  it('is hardened: systemd rates its exposure at 1.5 or lower', () => {
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=15', unit], {
      encoding: 'utf8',
    });
    assert.match(said, /Overall exposure level for stayd\.service: 1\.[0-5] OK/);
  });
});
