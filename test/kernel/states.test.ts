import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it, test } from 'node:test';
import {
  arrowsOf,
  finalStates,
  IllegalTransition,
  mayGo,
  next,
  sourcesOf,
  statesOf,
  triggersOf,
} from '../../src/kernel/transitions.ts';
import { declaredMachines, renderStates } from '../support/machines.ts';

const declared = await declaredMachines();

test('docs/states.md is up to date', () => {
  const file = new URL('../../docs/states.md', import.meta.url);
  const text = renderStates(declared);
  if (process.env['UPDATE_DOCS']) writeFileSync(file, text);
  assert.equal(readFileSync(file, 'utf8'), text, 'run this test with UPDATE_DOCS=1 and commit the file');
});

test('every machine has a name of its own', () => {
  const names = declared.map(({ machine }) => machine.name);
  assert.deepEqual([...new Set(names)], names);
});

for (const { machine } of declared) {
  describe(`the table of the ${machine.name}`, () => {
    const arrows = arrowsOf(machine);
    const states = [null, ...statesOf(machine)];

    it('names declared states alone, and one target for each state and trigger', () => {
      for (const { from, to } of arrows) assert.ok(states.includes(from) && states.includes(to), `${from} → ${to}`);
      const pairs = arrows.map(({ from, trigger }) => `${from} ${trigger}`);
      assert.deepEqual([...new Set(pairs)], pairs);
    });

    it('reaches every state', () => {
      const reached = new Set<string | null>([null]);
      for (let before = 0; before < reached.size;) {
        before = reached.size;
        for (const { from, to } of arrows) if (reached.has(from)) reached.add(to);
      }
      assert.deepEqual(
        states.filter((state) => !reached.has(state)),
        [],
      );
    });

    it('leads out of every state that is not final, and out of no final one', () => {
      const finals: (string | null)[] = finalStates(machine);
      for (const { from, to } of arrows)
        if (finals.includes(from)) assert.ok(to === null || to === from, `${from} → ${to}`);
      assert.deepEqual(finals, machine.final);
    });

    it('moves along its rows, and throws for every other state and trigger', () => {
      for (const from of states) {
        for (const trigger of triggersOf(machine)) {
          const row = arrows.find((one) => one.from === from && one.trigger === trigger);
          assert.equal(mayGo(machine, from, trigger), row !== undefined);
          if (from !== null) assert.equal(sourcesOf(machine, trigger).includes(from), row !== undefined);
          if (row) assert.equal(next(machine, from, trigger), row.to);
          else assert.throws(() => next(machine, from, trigger), IllegalTransition);
        }
      }
    });
  });
}
