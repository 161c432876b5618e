import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  arrowsOf,
  drawMermaid,
  drawTable,
  finalStates,
  IllegalTransition,
  machine,
  mayGo,
  next,
  sourcesOf,
  triggersOf,
} from '../../src/kernel/transitions.ts';

const door = machine({
  name: 'door',
  is: 'A door.',
  before: 'not built',
  states: { open: 'One can pass.', shut: 'One can not.', gone: 'A wall.' },
  final: ['gone'],
  rows: [
    { from: null, trigger: 'build', to: 'open' },
    { from: 'open', trigger: 'close', to: 'shut' },
    { from: 'shut', trigger: 'open', to: 'open' },
    { from: ['open', 'shut'], trigger: 'brick_up', to: 'gone', note: 'For good.' },
    { from: 'gone', trigger: 'tear_down', to: null },
  ],
});

describe('a declared machine', () => {
  it('tells where a trigger leads, as a literal type', () => {
    const shut: 'shut' = next(door, 'open', 'close');
    const gone: null = next(door, 'gone', 'tear_down');
    assert.deepEqual([shut, gone], ['shut', null]);
    // @ts-expect-error no such trigger
    assert.throws(() => next(door, 'open', 'paint'), IllegalTransition);
    // @ts-expect-error no such state
    assert.throws(() => next(door, 'ajar', 'close'), IllegalTransition);
  });

  it('cannot be declared with a row to a state that it does not have', () => {
    // @ts-expect-error `b` is no state
    machine({ ...door, states: { a: '' }, final: [], rows: [{ from: null, trigger: 'go', to: 'b' }] });
  });

  it('names itself, the state and the trigger where that is illegal', () => {
    assert.throws(() => next(door, 'gone', 'close'), /^IllegalTransition: the door is gone: it cannot close$/);
    assert.throws(() => next(door, null, 'close'), /the door is not built: it cannot close/);
  });

  it('lists sources, triggers and final states in the order of the table', () => {
    assert.deepEqual(sourcesOf(door, 'brick_up'), ['open', 'shut']);
    assert.deepEqual(sourcesOf(door, 'build'), []);
    assert.deepEqual(triggersOf(door), ['build', 'close', 'open', 'brick_up', 'tear_down']);
    assert.deepEqual(finalStates(door), ['gone']);
  });

  it('is drawn', () => {
    assert.equal(
      drawMermaid(door),
      [
        'stateDiagram-v2',
        '  [*] --> open: build',
        '  open --> shut: close',
        '  shut --> open: open',
        '  open --> gone: brick_up',
        '  shut --> gone: brick_up',
        '  gone --> [*]: tear_down',
      ].join('\n'),
    );
    const lines = drawTable(door).split('\n');
    assert.ok(lines.includes('| `gone` | A wall. Final. |'));
    assert.ok(lines.includes('| `open`, `shut` | `brick_up` | `gone` | For good. |'));
    assert.ok(lines.includes('| – | `build` | `open` | |'));
  });
});

describe('any machine', () => {
  const states = ['a', 'b', 'c', 'd'] as const;
  const state = fc.constantFrom(...states);
  const row = fc.record({
    from: fc.oneof(state, fc.constant(null), fc.uniqueArray(state, { minLength: 1 })),
    trigger: fc.constantFrom('x', 'y', 'z'),
    to: fc.option(state),
  });
  const anyMachine = fc
    .array(row, { minLength: 1, maxLength: 8 })
    .map((rows) =>
      machine({ name: 'thing', is: '', before: 'not there', states: { a: '', b: '', c: '', d: '' }, final: [], rows }),
    );

  it('goes along its first row for a state and a trigger, or throws; what it tells agrees', () => {
    fc.assert(
      fc.property(anyMachine, fc.option(state), fc.constantFrom('x', 'y', 'z'), (one, from, trigger) => {
        const arrow = arrowsOf(one).find((row) => row.from === from && row.trigger === trigger);
        assert.equal(mayGo(one, from, trigger), arrow !== undefined);
        if (from !== null) assert.equal(sourcesOf(one, trigger).includes(from), arrow !== undefined);
        if (arrow) assert.equal(next(one, from, trigger), arrow.to);
        else assert.throws(() => next(one, from, trigger), IllegalTransition);
      }),
    );
  });

  it('has no final state that a walk along its rows leaves for another', () => {
    fc.assert(
      fc.property(anyMachine, fc.array(fc.constantFrom('x', 'y', 'z')), (one, triggers) => {
        let at: (typeof states)[number] | null = null;
        for (const trigger of triggers) {
          if (!mayGo(one, at, trigger)) continue;
          const to: (typeof states)[number] | null = next(one, at, trigger);
          if (at !== null && finalStates(one).includes(at)) assert.ok(to === null || to === at);
          at = to;
        }
      }),
    );
  });
});
