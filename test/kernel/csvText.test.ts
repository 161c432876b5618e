import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvCell, csvLine } from '../../src/kernel/csvText.ts';

test('a text that a spreadsheet would run gets an apostrophe, in full-width form too; other texts stay as they are', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\0', '＝', '＋', '－', '＠']) {
    const [[cell] = []] = parse(csvLine([csvCell(`${start}1+1`), 'x'])) as string[][];
    assert.equal(cell, `'${start}1+1`, JSON.stringify(start));
  }
  for (const text of ['Sea View', '2027-03-05', 'a=b', 'x-y', "'quoted'", '']) assert.equal(csvCell(text), text);
});

test('numbers stay numbers, negative ones too; nothing is nothing', () => {
  assert.equal(csvLine([csvCell(-5), csvCell(0), csvCell(1.25), csvCell(null)]), '-5,0,1.25,\n');
});

test('whatever a text holds, a reader of CSV gets it back, with an apostrophe before it at most', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }), (texts) => {
      const [cells = []] = parse(csvLine(texts.map(csvCell))) as string[][];
      assert.equal(cells.length, texts.length);
      for (const [index, text] of texts.entries()) {
        assert.ok(cells[index] === text || cells[index] === `'${text}`, JSON.stringify(text));
      }
    }),
  );
});
