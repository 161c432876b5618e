import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namingProgram, programName } from '../../src/cli/programName.ts';

describe('what people type to run the program', () => {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-name-'));
  before(() => {
    mkdirSync(join(dir, 'usr', 'bin'), { recursive: true });
    writeFileSync(join(dir, 'usr', 'bin', 'stayd'), '');
  });
  after(() => rmSync(dir, { recursive: true }));

  it('follows from where the program lies', () => {
    assert.equal(programName(join(dir, 'checkout')), './stayd');
    assert.equal(programName('/app'), './stayd', 'a container');
    assert.equal(programName(join(dir, 'rooms', 'node_modules', 'stayd')), 'npx stayd');
    assert.equal(programName(join(dir, 'usr', 'lib', 'node_modules', 'stayd')), 'stayd');
  });

  it('stands in what the program says', () => {
    const said = 'run ./stayd doctor, or "./stayd feeds read"; data in ./stayd-data and ../stayd and ./stayd.yaml';
    assert.equal(namingProgram(said, './stayd'), said);
    assert.equal(
      namingProgram(said, 'npx stayd'),
      'run npx stayd doctor, or "npx stayd feeds read"; data in ./stayd-data and ../stayd and ./stayd.yaml',
    );
  });
});
