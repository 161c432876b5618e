import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^'\n]+)'(?=\s*[;,)])/g;

/** What these files import that is neither of Node nor of the folder of the upstream. */
function strangers(folder: string, own: RegExp, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const imported = [...text.matchAll(IMPORT)].map((match) => match[1] ?? '');
    return imported.filter((one) => !one.startsWith('node:') && !own.test(one)).map((one) => `${name}: ${one}`);
  });
}

describe('the foreign service', () => {
  it('shares no code with what reads it', () => {
    const folder = join(HERE, 'upstream');
    assert.deepEqual(strangers(folder, /^\.\/[\w]+\.ts$/, readdirSync(folder)), []);
  });

  it('is compared by code that shares none either', () => {
    assert.deepEqual(strangers(HERE, /^\.\/upstream\/[\w]+\.ts$/, ['compare.ts', 'least.ts']), []);
  });
});
