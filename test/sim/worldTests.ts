import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { DialectName } from './dialects.ts';
import { ENUMERATED } from './regimes.ts';
import { reportOf, SOMETIMES, runWorlds } from './runWorlds.ts';

/** Worlds in one test. */
const PORTION = 4;

/** No test may take minutes, however busy the machine is. The crash points of one run belong together. */
function portionsOf(name: string, seeds: number): { from: number; count: number }[] {
  if (name === ENUMERATED.name) return [{ from: 1, count: seeds }];
  const portions = Array.from({ length: Math.ceil(seeds / PORTION) }, (_, index) => 1 + index * PORTION);
  return portions.map((from) => ({ from, count: Math.min(PORTION, seeds - from + 1) }));
}

/** Tests that so many worlds of a regime come out right, and that each of its faults happened in one of them. */
export function worldsComeOutRight(name: string, seeds: number, dialect: DialectName = 'described'): void {
  const met = new Set<string>();
  for (const { from, count } of portionsOf(name, seeds)) {
    it(`${name}, ${dialect}: the mirror comes out right, ${count} times from ${from} on`, async () => {
      const { failed, counts } = await runWorlds(name, { from, seeds: count, dialect });
      for (const kind of counts.keys()) met.add(kind);
      assert.equal(reportOf(failed, dialect), '');
    });
  }
  // Few worlds of a second dialect may miss one; the faults are the same.
  if (dialect !== 'described') return;
  it(`${name}: each fault has happened at least once`, () => {
    assert.deepEqual(
      (SOMETIMES[name] ?? []).filter((kind) => !met.has(kind)),
      [],
    );
  });
}
