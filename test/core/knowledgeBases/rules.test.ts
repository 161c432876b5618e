import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { arrowsOf, mayGo, next, triggersOf } from '../../../src/kernel/transitions.ts';
import { processStatuses } from '../../../src/contract/knowledgeBases.ts';
import { chunksOf, joined, entryLife, titleOf } from '../../../src/core/knowledgeBases/rules.ts';

describe('the way of an entry into the search', () => {
  const states = [null, ...processStatuses];
  type State = (typeof states)[number];
  const triggers = triggersOf(entryLife);

  it('no sequence of triggers leaves the table', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...triggers), { maxLength: 30 }), (sequence) => {
        let state: State = null;
        for (const trigger of sequence) {
          const from: State = state;
          if (mayGo(entryLife, from, trigger)) state = next(entryLife, from, trigger);
          else assert.throws(() => next(entryLife, from, trigger), /cannot/);
          assert.ok(states.includes(state));
        }
      }),
    );
  });

  it('moves waiting → processing → done or failed, and from anywhere back to waiting by another text', () => {
    const forward = arrowsOf(entryLife).filter(
      (row) => row.from !== null && !['rewrite', 'abandon'].includes(row.trigger),
    );
    assert.deepEqual(
      forward.map((row) => `${row.from} ${row.to}`),
      ['waiting processing', 'processing done', 'processing failed'],
    );
    for (const status of processStatuses) assert.equal(next(entryLife, status, 'rewrite'), 'waiting');
  });
});

describe('chunksOf', () => {
  const words = fc.array(fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }), { maxLength: 60 });
  const text = words.chain((parts) =>
    fc
      .array(fc.constantFrom(' ', '\n', '\n\n', '. '), { minLength: parts.length, maxLength: parts.length })
      .map((gaps) => parts.map((part, index) => part + (gaps[index] ?? '')).join('')),
  );
  const bare = (value: string) => value.replaceAll(/\s+/g, '');

  it('loses nothing but white space, and no piece is empty or too large', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 60 }), (whole, size) => {
        const chunks = chunksOf(whole, size);
        assert.equal(bare(chunks.join('')), bare(whole));
        for (const chunk of chunks) assert.ok(chunk.trim().length > 0 && chunk.length <= size, JSON.stringify(chunk));
      }),
    );
  });

  it('cuts no character in two', () => {
    for (const chunk of chunksOf('🏠'.repeat(50), 7)) assert.ok(!/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(chunk));
  });

  it('cuts at paragraphs before lines, at sentences before words', () => {
    assert.deepEqual(chunksOf('one two.\n\nthree four', 12), ['one two.', 'three four']);
    assert.deepEqual(chunksOf('one two\nthree four', 12), ['one two', 'three four']);
    assert.deepEqual(chunksOf('Open it. Then close', 12), ['Open it.', 'Then close']);
    assert.deepEqual(chunksOf('alpha beta gamma', 11), ['alpha beta', 'gamma']);
    assert.deepEqual(chunksOf('  short  '), ['short']);
    assert.deepEqual(chunksOf(' \n '), []);
  });
});

describe('titles and texts', () => {
  it('parts read as one text, and the first of them names the entry', () => {
    const parts = [
      { text: 'Behind the door.\nOn the left.', sub_title: '' },
      { text: 'Twice', sub_title: 'Key' },
    ];
    assert.equal(joined(parts), 'Behind the door.\nOn the left.\n\nTwice');
    assert.equal(titleOf(parts), 'Behind the door.');
    assert.equal(titleOf(parts.toReversed()), 'Key');
    assert.equal(titleOf([{ text: 'x'.repeat(150), sub_title: '' }]).length, 100);
  });
});
