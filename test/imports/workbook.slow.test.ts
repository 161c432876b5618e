import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mappingSchema } from '../../src/imports/mapping.ts';
import { openRows } from '../../src/imports/reading/openRows.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { fileOf } from './support/files.ts';
import { sheetOf } from './support/workbook.ts';

const format = mappingSchema.shape.format.parse({});
const MOST_MEGABYTES = 200;

describe('a workbook that is too large', () => {
  it('is refused behind a million rows, and takes no more memory than a small one', async () => {
    const path = fileOf(sheetOf('<row><c><v>1</v></c></row>'.repeat(1_000_002)));
    const before = process.memoryUsage().rss;
    let most = 0;
    let count = 0;
    const file = await openRows(path, format);
    const reading = async () => {
      for await (const _ of file.rows) {
        count += 1;
        if (count % 10_000 === 0) most = Math.max(most, process.memoryUsage().rss - before);
      }
    };
    await assert.rejects(
      reading(),
      (error) =>
        error instanceof OperatorError && /too large to be read: it has more than 1000000 rows/.test(error.message),
    );
    assert.ok(count > 990_000, `${count}`);
    assert.ok(most < MOST_MEGABYTES * 1e6, `${most / 1e6} MB`);
  });
});
