import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Project } from './project.ts';

const FILE = 'test/here.test.ts';
const BUILT = 'dist.test/test/here.test.js';
/** Not written out, because this file is compiled in the same way. */
const OWN_URL = ['import', 'meta', 'url'].join('.');
/** Says what is run in place of {@link FILE}. */
const SAY = `import { buildTests } from './buildTests.mjs';\nconsole.log((await buildTests())('${FILE}'));\n`;

describe('tests are compiled', () => {
  const project = new Project();
  after(() => project.remove());
  before(async () => {
    project.write(FILE, `console.log(${OWN_URL});\n`);
    project.write('scripts/say.mjs', SAY);
    await project.run('scripts/launch.mjs', ['--install-only']);
  });

  const chosen = async () => (await project.run('scripts/say.mjs', [])).stdout.trim();

  it('and find what lies beside their sources', async () => {
    assert.equal(await chosen(), BUILT);
    assert.equal((await project.run(BUILT, [])).stdout.trim(), pathToFileURL(project.path(FILE)).href);
  });

  it('once, and again when one of them has changed', async () => {
    assert.equal(await chosen(), BUILT);
    assert.equal(project.builds().length, 1);
    project.write(FILE, `console.log('changed');\n`);
    assert.equal(await chosen(), BUILT);
    assert.equal(project.builds().length, 2);
    assert.match(project.read(BUILT), /changed/);
  });

  it('and run from their sources when that fails, never from what was before', async () => {
    project.write(FILE, 'refuse');
    assert.equal(await chosen(), FILE);
    assert.ok(!existsSync(project.path(BUILT)));
  });
});
