import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { guessMapping } from '../../src/imports/guess/guessMapping.ts';
import { mappingSchema } from '../../src/imports/mapping.ts';
import { openRows } from '../../src/imports/reading/openRows.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { all, fileOf } from './support/files.ts';
import { zipOf } from './support/zip.ts';

const format = mappingSchema.shape.format.parse({});
const saveAs = /save it as XLSX or CSV/;
const asText = /export .* as CSV or/;
const unpack = /unpack it/;

/** Files that somebody will try, by content alone: each is named `bookings.csv`. */
const refused: [what: string, content: Buffer | string, named: RegExp, hint: RegExp][] = [
  [
    'an old workbook',
    Buffer.from('d0cf11e0a1b11ae1' + '00'.repeat(600), 'hex'),
    /old XLS form, or one with a password/,
    saveAs,
  ],
  ['an older one', Buffer.from('0908100000060500', 'hex'), /old XLS form/, saveAs],
  [
    'a page with a table',
    '\r\n<html xmlns:x="urn:x"><table><tr><td>Check-in</td></tr></table>',
    /page of HTML/,
    saveAs,
  ],
  ['such a page behind a mark', '\ufeff<!DOCTYPE html><html></html>', /page of HTML/, saveAs],
  ['such a page in UTF-16', Buffer.from('\ufeff<table border=1>', 'utf16le'), /page of HTML/, saveAs],
  ['XML', '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook/>', /XML/, saveAs],
  ['a list of JSON', '[\n  {"check_in": "2026-01-01"}\n]', /JSON/, asText],
  ['an object of JSON', ' { "bookings": [] }', /JSON/, asText],
  ['gzipped JSON', gzipSync('{"bookings": []}'), /JSON/, asText],
  ['a PDF', '%PDF-1.7\n%âãÏÓ\n', /PDF document/, asText],
  ['a picture', Buffer.from('89504e470d0a1a0a0000', 'hex'), /picture/, asText],
  [
    'an archive',
    zipOf({ 'a/bookings.csv': 'x', 'b.txt': 'y' }),
    /zip archive that holds a\/bookings\.csv, b\.txt/,
    unpack,
  ],
  ['an empty archive', zipOf({}), /zip archive that holds nothing/, unpack],
  ['ODS', zipOf({ mimetype: 'application/x', 'content.xml': '<x/>' }), /OpenDocument file \(ODS\)/, saveAs],
  ['Numbers', zipOf({ 'Index/Document.iwa': 'x' }), /Numbers/, /export it from there as CSV or Excel/],
  ['XLSB', zipOf({ '[Content_Types].xml': '<x/>', 'xl/workbook.bin': 'x' }), /XLSB/, saveAs],
  ['a letter', zipOf({ '[Content_Types].xml': '<x/>', 'word/document.xml': '<x/>' }), /Word document/, asText],
  ['a gzipped workbook', gzipSync(zipOf({ 'xl/workbook.xml': '<x/>' })), /gzipped workbook/, unpack],
  ['a 7-Zip archive', Buffer.from('377abcaf271c0004', 'hex'), /7-Zip/, unpack],
  ['a database', 'SQLite format 3\u0000\u0010', /SQLite database/, /CSV/],
];

describe('a file that is neither text nor workbook is named, with what to do', () => {
  for (const [what, content, named, hint] of refused) {
    it(what, async () => {
      const path = fileOf(content);
      const isNamed = (error: unknown) => {
        assert.ok(error instanceof OperatorError, String(error));
        assert.match(error.message, /^\d+-bookings\.csv is .*, which cannot be read$/);
        assert.match(error.message, named);
        assert.match(error.hint ?? '', hint);
        return true;
      };
      await assert.rejects(openRows(path, format), isNamed);
      await assert.rejects(guessMapping(path), isNamed);
    });
  }
});

describe('text in disguise is text', () => {
  const rows = async (content: string, name: string, given: object) => {
    const file = await openRows(fileOf(content, name), mappingSchema.shape.format.parse(given));
    return (await all(file.rows)).map((row) => ('kind' in row ? 'rejected' : row.cells.join('|')));
  };

  it('with tabs, as many programs write what they call XLS', async () => {
    const content = 'Check-in\tCheck-out\tGuest\n2026-01-01\t2026-01-03\tAnna\n';
    assert.deepEqual(await rows(content, 'bookings.xls', { delimiter: 'tab' }), ['2026-01-01|2026-01-03|Anna']);
    assert.match(await guessMapping(fileOf(content, 'bookings.xls')), /delimiter: tab/);
  });

  it('with commas, whatever its name', async () => {
    assert.deepEqual(await rows('a,b\n1,2\n', 'bookings.xlsx', {}), ['1|2']);
  });

  it('with columns that only begin like something else', async () => {
    for (const head of ['PK', 'BZh', '[a]', '{a}', '<5 nights', '"{"']) {
      assert.deepEqual(await rows(`${head},b\n1,2\n`, 'b.csv', {}), ['1|2'], head);
    }
  });
});
