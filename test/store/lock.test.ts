import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OperatorError } from '../../src/kernel/errors.ts';
import { lockDataDir } from '../../src/store/lock.ts';

const parent = mkdtempSync(join(tmpdir(), 'stayd-lock-'));
after(() => rmSync(parent, { recursive: true }));

const taken = (dir: string) => (error: unknown) =>
  error instanceof OperatorError && error.message === `another stayd is running on ${dir}`;
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('the data directory is made for its owner alone, and belongs to one at a time', () => {
  const dir = join(parent, 'deep', 'data');
  const before = process.umask(0);
  const lock = lockDataDir(dir);
  process.umask(before);
  assert.equal(modeOf(dir), '700');
  assert.equal(modeOf(join(dir, 'stayd.lock')), '600');
  assert.throws(() => lockDataDir(dir), taken(dir));
  assert.throws(() => lockDataDir(dir), taken(dir));
  lock.release();
  lock.release();
  chmodSync(dir, 0o755);
  lockDataDir(dir).release();
  assert.equal(modeOf(dir), '700');
});

test('a lock nobody holds on to is not lost to the garbage collector', async () => {
  const dir = join(parent, 'gc');
  const program = `
    import { lockDataDir } from ${JSON.stringify(new URL('../../src/store/lock.ts', import.meta.url).href)};
    lockDataDir(${JSON.stringify(dir)});
    for (let i = 0; i < 3; i += 1) { globalThis.gc(); await new Promise((resolve) => setImmediate(resolve)); }
    try { lockDataDir(${JSON.stringify(dir)}); console.log('lost'); } catch { console.log('held'); }
  `;
  const child = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', '--input-type=module', '-e', program]);
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  assert.equal(output, 'held\n');
});

test('another process is refused at once, and a killed one leaves no lock', async () => {
  const dir = join(parent, 'other');
  const program = `
    import { lockDataDir } from ${JSON.stringify(new URL('../../src/store/lock.ts', import.meta.url).href)};
    lockDataDir(${JSON.stringify(dir)});
    console.log('locked');
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    for await (const chunk of child.stdout) {
      assert.equal(String(chunk), 'locked\n');
      break;
    }
    assert.throws(() => lockDataDir(dir), taken(dir));
  } finally {
    child.kill('SIGKILL');
  }
  await ended;
  lockDataDir(dir).release();
});

test('a directory that cannot be used is for the operator to mend', () => {
  assert.throws(
    () => lockDataDir('/dev/null/data'),
    (error) => error instanceof OperatorError && /cannot use \/dev\/null\/data/.test(error.message),
  );
});
