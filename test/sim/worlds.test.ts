import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, it } from 'node:test';
import { reportOf, SOMETIMES, sweep } from './sweep.ts';
import { REGIMES } from './regimes.ts';
import { makeTemplates } from './templates.ts';
import { runWorld } from './world.ts';

/** Worlds of each regime; many more by `npm run sim`. */
const WORLDS = { R1: 20, R2: 20, R3: 8, R4: 16 };
/** Seeds that failed once. */
const REGRESSIONS: Readonly<Record<string, readonly number[]>> = { R2: [45, 50], R3: [17] };

describe('worlds in which everything that can go wrong does', () => {
  for (const [name, seeds] of Object.entries(WORLDS)) {
    it(`${name}: the mirror comes out right, ${seeds} times`, async () => {
      const { failed, counts } = await sweep(name, { from: 1, seeds });
      assert.equal(reportOf(failed), '');
      const never = (SOMETIMES[name] ?? []).filter((kind) => !counts.has(kind));
      assert.deepEqual(never, [], 'each fault has happened at least once');
    });
  }

  it('seeds that failed once do not fail again', async () => {
    for (const [name, seeds] of Object.entries(REGRESSIONS)) {
      for (const from of seeds) assert.equal(reportOf((await sweep(name, { from, seeds: 1 })).failed), '');
    }
  });

  it('two runs of one seed are the same, line by line', async () => {
    const templates = await makeTemplates();
    const first = await runWorld(7, REGIMES.R1, templates);
    const second = await runWorld(7, REGIMES.R1, templates);
    rmSync(templates.folder, { recursive: true });
    assert.deepEqual(second.trace.lines(), first.trace.lines());
    assert.equal(second.digest, first.digest);
  });
});
