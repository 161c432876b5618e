import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { provenByTests } from './proven.ts';
import { scenarios } from './scenarios.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the list of faults', () => {
  const NOT_OURS = ['R28', 'R29', 'R30', 'R31'];

  it('has a scenario or a test for each row', () => {
    const covered = new Set([...scenarios.flatMap(({ rows }) => rows), ...Object.keys(provenByTests), ...NOT_OURS]);
    const rows = Array.from({ length: 37 }, (_, index) => `R${index + 1}`);
    assert.deepEqual(
      rows.filter((row) => !covered.has(row)),
      [],
    );
  });

  it('names tests that are there', () => {
    for (const { file, test } of Object.values(provenByTests).flat()) {
      assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(test), `${file}: ${test}`);
    }
  });

  it('names each scenario once', () => {
    const names = scenarios.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
  });
});
