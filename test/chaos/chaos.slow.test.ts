import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CourseOptions, lacking, runScenario } from './course.ts';
import { scenarios } from './scenarios.ts';

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
