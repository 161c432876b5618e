import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CourseOptions, lacking, runScenario } from './course.ts';
import { provenByTests } from './proven.ts';
import { scenarios } from './scenarios.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The most telling scenarios in their short form, beside the kills of test/service. */
const SHORT: Readonly<Record<string, CourseOptions>> = {
  'ingest-kills': { count: 20 },
  'full-writes': { count: 3 },
  'failed-syncs': { count: 1 },
  'lying-upstream': { count: 60, seconds: 2 },
  'postgres-restarts': { count: 2 },
};

describe('faults on real processes, the short form of npm run chaos', () => {
  for (const [name, options] of Object.entries(SHORT)) {
    it(`${name}: nothing promised is broken`, async () => {
      const scenario = scenarios.find((one) => one.name === name);
      assert.ok(scenario, name);
      const lacks = lacking(scenario);
      if (lacks.length > 0) {
        console.log(`${name} was not run: it needs ${lacks.join(', ')}`);
        assert.equal(process.env['CI'], undefined, 'CI has all that the short form needs');
        return;
      }
      const verdicts = await runScenario(scenario, options);
      assert.ok(verdicts.length > 0);
      for (const { figure, isPromise, met } of verdicts) assert.ok(met || !isPromise, figure);
    });
  }
});

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
