import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { integrationFiles } from '../../integrations/generator/files.ts';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';

const ROOT = packageRoot();
/** Folders in which every file is made. */
const GENERATED = ['integrations/sdk/typescript/src/generated', 'integrations/sdk/python/src/stayd_sdk/generated'];

describe('what is made of the contract for other programs', () => {
  const files = integrationFiles();

  for (const [file, text] of files) {
    it(`${file} is what \`npm run integrations\` makes now`, () => {
      assert.ok(readFileSync(join(ROOT, file), 'utf8') === text, `${file}: run npm run integrations`);
    });
  }

  it('nothing is left of what is no longer made', () => {
    const found = GENERATED.flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => name !== '__pycache__')
        .map((name) => `${folder}/${name}`),
    );
    assert.deepEqual(
      found.filter((file) => !files.has(file)),
      [],
    );
  });
});
