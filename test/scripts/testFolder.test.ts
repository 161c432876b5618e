import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

type Environment = Record<string, string | undefined>;
type WithTestFolder = (environment: Environment, memory?: string) => Environment;

const SCRIPT = new URL('../../scripts/testFolder.mjs', import.meta.url).href;
const { withTestFolder } = (await import(SCRIPT)) as { withTestFolder: WithTestFolder };
const MEMORY = '/dev/shm';

describe('where tests put their files', () => {
  it('is where TMPDIR says, and where the system says when there is no memory for it', () => {
    const chosen = { TMPDIR: '/somewhere', HOME: '/root' };
    assert.equal(withTestFolder(chosen), chosen);
    for (const memory of [join(tmpdir(), 'nowhere'), '/proc']) {
      const given = { HOME: '/root' };
      assert.equal(withTestFolder(given, memory), given);
    }
  });

  it('is in memory where there is room: a folder of the run, gone with it, and with runs that were killed', () => {
    const forgotten = join(MEMORY, `stayd-test-${2 ** 22 + 1}-x`);
    const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
    const hasRoom = bavail * bsize >= 4 * 1_024 ** 3;
    if (hasRoom) mkdirSync(forgotten);
    const program = `import { withTestFolder } from ${JSON.stringify(SCRIPT)};
      import { statSync } from 'node:fs';
      const { TMPDIR } = withTestFolder({});
      console.log(JSON.stringify({ TMPDIR, mode: TMPDIR && statSync(TMPDIR).mode & 0o777 }));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    const { TMPDIR, mode } = JSON.parse(stdout) as { TMPDIR?: string; mode?: number };
    try {
      assert.equal(TMPDIR !== undefined, hasRoom);
      assert.equal(mode, hasRoom ? 0o711 : undefined);
      assert.ok(TMPDIR === undefined || !existsSync(TMPDIR));
      assert.ok(!existsSync(forgotten));
    } finally {
      rmSync(forgotten, { recursive: true, force: true });
    }
  });

  it('takes no folder of a run that goes on', () => {
    if (!existsSync(MEMORY)) return;
    const own = join(MEMORY, `stayd-test-${process.pid}-own`);
    mkdirSync(own);
    try {
      const program = `import { withTestFolder } from ${JSON.stringify(SCRIPT)}; withTestFolder({});`;
      assert.equal(spawnSync(process.execPath, ['--input-type=module', '-e', program]).status, 0);
      assert.ok(statSync(own).isDirectory());
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });
});
