import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { guessMapping } from '../../src/imports/guess/guessMapping.ts';
import { mappingSchema } from '../../src/imports/mapping.ts';
import { openReservations } from '../../src/imports/readReservations.ts';
import { readMapping } from '../../src/imports/readMapping.ts';
import { openRows } from '../../src/imports/reading/openRows.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { all, fileOf } from './support/files.ts';

const orders = ['utf-16le', 'utf-16be'] as const;
type Order = (typeof orders)[number];

function encoded(text: string, order: Order): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'utf-16le' ? bytes : bytes.swap16();
}

const BOM = '\ufeff';

async function cellsOf(content: Buffer, encoding?: string): Promise<(readonly string[])[]> {
  const format = mappingSchema.shape.format.parse(encoding === undefined ? {} : { encoding });
  const { rows } = await openRows(fileOf(content), format);
  return (await all(rows)).map((row) => ('kind' in row ? [String(row.problems[0]?.reason)] : row.cells));
}

const text = `Guest name,Check-in,Check-out,Total
"Müller; Änne",2026-01-01,2026-01-03,55.10
東京 😀,2026-02-01,2026-02-03,60.00
`;

describe('text in UTF-16', () => {
  for (const order of orders) {
    it(`is known by its mark, whatever the mapping says: ${order}`, async () => {
      for (const encoding of [undefined, 'utf-8', 'latin1', 'utf-16le', 'utf-16be']) {
        const rows = await cellsOf(encoded(BOM + text, order), encoding);
        assert.deepEqual(
          rows.map(([name]) => name),
          ['Müller; Änne', '東京 😀'],
          encoding,
        );
      }
    });

    it(`is known by its mark when gzipped: ${order}`, async () => {
      assert.equal((await cellsOf(gzipSync(encoded(BOM + text, order)))).length, 2);
    });

    it(`without a mark is read by the mapping: ${order}`, async () => {
      assert.equal((await cellsOf(encoded(text, order), order)).length, 2);
      assert.equal((await cellsOf(gzipSync(encoded(text, order)), order)).length, 2);
    });

    it(`is guessed with and without a mark, and the proposal carries it: ${order}`, async () => {
      for (const content of [encoded(BOM + text, order), encoded(text, order), gzipSync(encoded(text, order))]) {
        const path = fileOf(content);
        const mapping = readMapping(await guessMapping(path), 'guess.yaml');
        assert.equal(mapping.format.encoding, order);
        const outcomes = await all((await openReservations(path, mapping)).outcomes);
        const names = outcomes.map((outcome) => (outcome.kind === 'booking' ? outcome.guestName : outcome.problems));
        assert.deepEqual(names, ['Müller; Änne', '東京 😀']);
      }
    });

    it(`without a mark and without a setting is refused by name: ${order}`, async () => {
      for (const encoding of ['utf-8', 'latin1']) {
        await assert.rejects(cellsOf(encoded(text, order), encoding), (error) => {
          assert.ok(error instanceof OperatorError);
          assert.match(error.message, /line 1: null bytes, as text in UTF-16 has them/);
          assert.match(error.hint ?? '', /format\.encoding .* utf-16le or utf-16be/);
          return true;
        });
      }
    });
  }

  it('that ends in half a character is refused', async () => {
    const cut = encoded(BOM + text, 'utf-16le').subarray(0, -1);
    await assert.rejects(cellsOf(cut), /cannot be read on from about line 3/);
  });

  it('gives every cell back as it was written', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).map((each) => each.replaceAll(/[\0\r]/g, '').trim());
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 });
    const quoted = (each: string) => `"${each.replaceAll('"', '""')}"`;
    const property = fc.asyncProperty(
      table,
      fc.constantFrom(...orders),
      fc.boolean(),
      async (rows, order, isMarked) => {
        const lines = rows.map((row, index) => `${index},${row.map(quoted).join(',')}\r\n`);
        const content = encoded(`${isMarked ? BOM : ''}n,a,b\r\n${lines.join('')}`, order);
        const read = await cellsOf(content, order);
        assert.deepEqual(
          read,
          rows.map((row, index) => [String(index), ...row]),
        );
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });
});

describe('text in UTF-8 with a mark', () => {
  it('is read as such by a mapping for latin1', async () => {
    assert.deepEqual(await cellsOf(Buffer.from(`${BOM}a,b\nÄ,2\n`), 'latin1'), [['Ä', '2']]);
  });
});
