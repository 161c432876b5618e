import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { yamlFaultText, yamlOf } from '../../src/kernel/yamlValue.ts';

describe('the value of a YAML document', () => {
  it('is what it writes down, anchors followed', () => {
    assert.deepEqual(yamlOf('a: &one [1]\nb: *one\n').value, { a: [1], b: [1] });
  });

  for (const [what, text, fault] of [
    ['text that is no YAML', 'a: 1\nb: [', /^line \d: /],
    ['an alias of nothing', 'a: 1\nb: *x\n', /^line 2: there is no &x before it$/],
    ['an alias before its anchor', 'a: *x\nb: &x 1\n', /^line 1: there is no &x before it$/],
    ['a list in itself', 'a: 1\nb: &x [1, [*x]]\n', /^line 2: &x holds itself$/],
    [
      'an anchor that is named too often',
      ['a: &x [1]', ...Array.from({ length: 21 }, (_, at) => `b${at}: *x`)].join('\n'),
      /^line 1: an anchor is named more than 20 times$/,
    ],
  ] as const) {
    it(`is none for ${what}`, () => {
      const { faults = [] } = yamlOf(text);
      assert.match(faults.map(yamlFaultText).join('\n'), fault);
    });
  }

  it('can always be written as JSON, or is none: nothing is thrown', () => {
    const piece = fc.constantFrom(
      '&a ',
      '&b ',
      '*a',
      '*b',
      '[',
      ']',
      '{',
      '}',
      ',',
      ' ',
      '\n',
      'x: ',
      '- ',
      '1',
      '!',
      '"',
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (text) => {
          const { value, faults } = yamlOf(text);
          if (!faults) JSON.stringify(value);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
