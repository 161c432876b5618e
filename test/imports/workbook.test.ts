import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { mappingSchema } from '../../src/imports/mapping.ts';
import { openRows } from '../../src/imports/reading/openRows.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { loopDelayOf } from '../support/loopDelay.ts';
import { all, fileOf } from './support/files.ts';
import { numberOf, rowOf, sheetOf, textOf, workbookOf } from './support/workbook.ts';
import { zipOf } from './support/zip.ts';

type Format = Parameters<typeof openRows>[1];

const formatOf = (given: object = {}): Format => mappingSchema.shape.format.parse(given);

/** `line:cell|cell` for each row. */
async function read(content: Buffer, given: object = {}): Promise<string[]> {
  const { rows } = await openRows(fileOf(content, 'bookings.xlsx'), formatOf(given));
  return (await all(rows)).map((row) => ('kind' in row ? 'rejected' : `${row.line}:${row.cells.join('|')}`));
}

/** The text that one cell is read as. */
async function readCell(cell: string, given: object = {}, parts: { date1904?: string; texts?: string[] } = {}) {
  const rows = `<row r="1">${textOf('a')}</row><row r="2">${cell}</row>`;
  const [row = '2:'] = await read(workbookOf({ sheets: [{ name: 'S', rows }], ...parts }), given);
  return row.slice(2);
}

describe('a cell of a workbook', () => {
  const cases: [what: string, cell: string, text: string, given?: object][] = [
    ['text in the cell', textOf(' Anna & <Ben> '), ' Anna & <Ben> '],
    [
      'text with formatted runs',
      '<c t="inlineStr"><is><r><t>An</t></r><r><rPr><b/></rPr><t>na</t></r></is></c>',
      'Anna',
    ],
    [
      'text with how it is said',
      '<c t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>',
      '東京',
    ],
    ['text with an escaped line end', textOf('a_x000D_b_x005F_x0041_'), 'a\rb_x0041_'],
    ['text in CDATA and entities', '<c t="inlineStr"><is><t>a<![CDATA[<b>]]>&#233;</t></is></c>', 'a<b>é'],
    ['a whole number', numberOf(12), '12'],
    ['a long whole number', numberOf('491701234567890'), '491701234567890'],
    ['a whole number of more digits than are stored', numberOf('1E+20'), '100000000000000000000'],
    ['a decimal', numberOf('55.1'), '55.1'],
    ['a decimal as it is stored', numberOf('55.100000000000001'), '55.1'],
    ['what a sum leaves behind', numberOf('0.30000000000000004'), '0.3'],
    ['a small number', numberOf('1.5E-7'), '0.00000015'],
    ['a small negative number', numberOf('-1.25E-10'), '-0.000000000125'],
    ['a negative number', numberOf('-12.50'), '-12.5'],
    ['no money', numberOf('-0'), '0'],
    ['money', numberOf('1234.5', 'money'), '1234.5'],
    ['money with a decimal comma', numberOf('1234.5', 'money'), '1234,5', { decimal: 'comma', thousands: 'point' }],
    ['a percentage', numberOf('0.155', 'percent'), '15.5%'],
    ['a percentage as it is stored', numberOf('7.0000000000000007E-2', 'percent'), '7%'],
    ['true', '<c t="b"><v>1</v></c>', 'TRUE'],
    ['false', '<c t="b"><v>0</v></c>', 'FALSE'],
    ['an error', '<c t="e"><v>#REF!</v></c>', '#REF!'],
    ['a formula of numbers', '<c><f>B2*2</f><v>60.61</v></c>', '60.61'],
    ['a formula of texts', '<c t="str"><f>B2&amp;"x"</f><v>Annax</v></c>', 'Annax'],
    ['a formula whose result is an empty text', '<c t="str"><f>""</f><v></v></c>', ''],
    ['a formula whose result was not kept', '<c><f>SUM(B2:B9)</f><v></v></c>', '=SUM(B2:B9)'],
    ['a date', numberOf(46023, 'date'), '2026-01-01'],
    ['a date in a format known by its number', numberOf(46023, 'builtInDate'), '2026-01-01'],
    ['a moment', numberOf('46022.586805555555', 'moment'), '2025-12-31 14:05'],
    ['a moment with seconds', numberOf('46022.586817129632', 'moment'), '2025-12-31 14:05:01'],
    ['a moment that is midnight but for an error of calculation', numberOf('46022.999999999', 'moment'), '2026-01-01'],
    ['the last day before the one that never was', numberOf(59, 'date'), '1900-02-28'],
    ['the first day behind it', numberOf(61, 'date'), '1900-03-01'],
    ['a time of day', numberOf('0.625', 'length'), '15:00'],
    ['a number whose unit looks like a date', numberOf('2.5', 'fake'), '2.5'],
    ['a date in ISO form', '<c t="d"><v>2026-01-01T14:05:00</v></c>', '2026-01-01 14:05'],
    ['a date where the mapping has others', numberOf(46023, 'date'), '01.01.2026', { dates: ['DD.MM.YYYY'] }],
    ['a date with names of months', numberOf(46082, 'date'), '1. märz 2026', { dates: ['D. MMM YYYY'], months: 'de' }],
    ['a date with years of two digits', numberOf(46023, 'date'), '01/01/26', { dates: ['DD/MM/YY'] }],
    [
      'a date of 1999 where one format can write it',
      numberOf(36161, 'date'),
      '1.1.1999',
      { dates: ['D.M.YY', 'D.M.YYYY'] },
    ],
    ['a date where day and month change places', numberOf(46085, 'date'), '2026-04-03', { dates: ['YYYY-DD-MM'] }],
  ];
  for (const [what, cell, text, given] of cases) {
    it(`is read as ${JSON.stringify(text)}: ${what}`, async () => assert.equal(await readCell(cell, given), text));
  }

  it('counts days from 1904 when the workbook does, whichever way it says so', async () => {
    for (const date1904 of ['1', 'true']) {
      assert.equal(await readCell(numberOf(44561, 'date'), {}, { date1904 }), '2026-01-01', date1904);
    }
    assert.equal(await readCell(numberOf(46023, 'date'), {}, { date1904: '0' }), '2026-01-01');
  });

  it('refers to texts that are shared', async () => {
    const texts = ['<t>zero</t>', '<r><t>An</t></r><r><t xml:space="preserve">na </t></r>'];
    assert.equal(await readCell('<c t="s"><v>1</v></c>', {}, { texts }), 'Anna ');
  });
});

describe('rows of a workbook', () => {
  it('are known by their numbers in the sheet, and empty ones are left out', async () => {
    const rows = [
      `<row r="3">${textOf('a')}${textOf('b')}</row>`,
      `<row r="4"><c r="A4"/><c r="B4" t="inlineStr"><is><t> </t></is></c></row>`,
      `<row r="7"><c r="A7"><v>1</v></c></row>`,
      `<row r="9"><c r="B9"><v>2</v></c></row>`,
      rowOf(3, 4),
    ];
    assert.deepEqual(await read(sheetOf(...rows)), ['7:1|', '9:|2', '10:3|4']);
  });

  it('end with the last named column', async () => {
    const head = `<row>${textOf('a')}${textOf('b')}<c/><c/></row>`;
    assert.deepEqual(await read(sheetOf(head, rowOf(1, 2, 'a remark'), rowOf('', '', 'only'))), ['2:1|2']);
  });

  it('have the value of merged cells in the first of them', async () => {
    const merged = '<row><c t="inlineStr"><is><t>both</t></is></c><c/></row>';
    assert.deepEqual(await read(sheetOf(rowOf('a', 'b'), merged)), ['2:both|']);
  });

  it('are read from tags with a prefix', async () => {
    const { rows } = await openRows(
      fileOf(
        workbookOf({
          sheets: [{ name: 'S', rows: '<x:row><x:c><x:v>7</x:v></x:c></x:row><x:row><x:c><x:v>8</x:v></x:c></x:row>' }],
        }),
      ),
      formatOf(),
    );
    assert.deepEqual(
      (await all(rows)).map((row) => ('kind' in row ? row : row.cells)),
      [['8']],
    );
  });

  it('come from the first sheet that is not hidden, or from the one that is named', async () => {
    const content = workbookOf({
      sheets: [
        { name: 'Settings', rows: rowOf('a') + rowOf('hidden'), state: 'hidden' },
        { name: 'Summary', rows: rowOf('a') + rowOf('first') },
        { name: 'Bookings &amp; more', rows: rowOf('a') + rowOf('second') },
      ],
    });
    assert.deepEqual(await read(content), ['2:first']);
    assert.deepEqual(await read(content, { sheet: 'bookings & more' }), ['2:second']);
    assert.deepEqual(await read(content, { sheet: 'Settings' }), ['2:hidden']);
    await assert.rejects(read(content, { sheet: 'Rates' }), (error) => {
      assert.ok(error instanceof OperatorError);
      assert.match(error.message, /has no sheet "Rates"/);
      assert.match(error.hint ?? '', /format\.sheet .* Settings, Summary, Bookings & more$/);
      return true;
    });
  });

  it('tell how much of the file has been read', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => rowOf(index, `text ${(index * 7919) % 10_007}`));
    const file = await openRows(fileOf(sheetOf(rowOf('a', 'b'), ...rows)), formatOf());
    const told: number[] = [];
    let count = 0;
    for await (const _ of file.rows) if ((count += 1) % 5_000 === 0) told.push(file.bytesRead() / file.size);
    assert.equal(count, 20_000);
    assert.deepEqual(
      told.map((share) => Math.round(share * 10)),
      [3, 5, 8, 10],
    );
  });

  it('keep nobody waiting, however many they are', async () => {
    const cells = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const rows = Array.from({ length: 10_000 }, (_, index) => rowOf(index, ...cells));
    const path = fileOf(sheetOf(rowOf('n', ...cells), ...rows));
    const delay = await loopDelayOf(50, async () => {
      const file = await openRows(path, formatOf());
      let count = 0;
      for await (const _ of file.rows) count += 1;
      assert.equal(count, 10_000);
    });
    assert.ok(delay < 50, `${delay} ms`);
  });

  it('are the only reason to load the programs that read workbooks', () => {
    const loadedBy = (...files: string[]) => {
      const imports = files.map((file) => `await import('./src/imports/${file}.ts');`).join('');
      const count = `Object.keys(require.cache).filter((file) => /node_modules.(?:yauzl|saxes)\\W/.test(file)).length`;
      const script = `import { createRequire } from 'node:module'; const require = createRequire('/'); ${imports} console.log(${count});`;
      const given = ['--import', 'tsx', '--input-type=module', '-e', script];
      const { status, stdout, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      return Number(stdout);
    };
    assert.equal(loadedBy('importReservations', 'guess/guessMapping'), 0);
    assert.ok(loadedBy('reading/workbook/openSheet') >= 2);
  });
});

describe('a workbook that cannot be read', () => {
  const refuse = (content: Buffer, message: RegExp, given: object = {}) =>
    assert.rejects(
      read(content, given),
      (error) => error instanceof OperatorError && message.test(`${error.message} (${error.hint})`),
      String(message),
    );
  const sheet = 'xl/worksheets/sheet1.xml';
  const plain = { sheets: [{ name: 'S', rows: rowOf('a') + rowOf(1) }] };

  it('has no rows', () =>
    refuse(
      workbookOf({
        sheets: [
          { name: 'Cover', rows: '' },
          { name: 'Data', rows: rowOf('a') },
        ],
      }),
      /sheet "Cover" of .* is empty .*format\.sheet .* Data/,
    ));
  it('has a column twice', () => refuse(sheetOf(rowOf('a', 'b', ' a')), /two columns named "a"/));
  it('has no sheets', () => refuse(workbookOf({ sheets: [] }), /damaged: it has no sheet .*save it again/));
  it('lacks the part of a sheet', () =>
    refuse(
      zipOf({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook><sheets/></workbook>' }),
      /damaged: it has no sheet/,
    ));
  it('says that it is long', () =>
    refuse(
      workbookOf({ ...plain, lies: { [sheet]: { size: 4_000_000_000 } } }),
      /too large .*sheet1\.xml has 4000 MB .*CSV/,
    ));
  it('is longer than it says', () => {
    const bomb = { sheets: [{ name: 'S', rows: rowOf('a') + ' '.repeat(50_000_000) }] };
    return refuse(
      workbookOf({ ...bomb, lies: { [sheet]: { size: 1_000 } } }),
      /damaged: .*sheet1\.xml: too many bytes/,
    );
  });
  it('has texts of more than can be kept', () =>
    refuse(
      workbookOf({ ...plain, texts: [], lies: { 'xl/sharedStrings.xml': { size: 100_000_001 } } }),
      /too large .*sharedstrings\.xml has 101 MB/i,
    ));
  it('has a text without an end', () =>
    refuse(sheetOf(rowOf('a'), rowOf('x'.repeat(1_200_000))), /more than 1000000 characters/));
  it('is nested without an end', () => refuse(sheetOf(rowOf('a'), '<row>'.repeat(2_000)), /nested more than 100 deep/));
  it('has another checksum', () => refuse(workbookOf({ ...plain, lies: { [sheet]: { crc: 1 } } }), /checksum/));
  it('is encrypted', () =>
    refuse(workbookOf({ ...plain, lies: { 'xl/workbook.xml': { flags: 1 } } }), /encrypted .*password/));
  it('is cut off', () => refuse(sheetOf(rowOf('a'), rowOf(1)).subarray(0, -40), /damaged/));
  it('is no XML', () => refuse(sheetOf('<row><c></row>'), /damaged: /));
  it('declares entities', () =>
    refuse(sheetOf(rowOf('a'), '<row><c t="str"><v>&lol;</v></c></row>'), /damaged: .*entity/));
  it('has rows out of order', () => refuse(sheetOf('<row r="2"/><row r="1"/>'), /row 1 follows row 2/));
  it('has rows beyond the last', () => refuse(sheetOf('<row r="9999999"/>'), /row 9999999/));
  it('has a cell twice', () => refuse(sheetOf('<row><c r="B1"/><c r="B1"/></row>'), /cell B1 follows column 2/));
  it('has cells beyond the last column', () => refuse(sheetOf('<row><c r="ZZZ1"/></row>'), /cell ZZZ1/));
  it('refers to a text that is not there', () => refuse(sheetOf('<row><c t="s"><v>5</v></c></row>'), /no text 5/));
  it('has a number that is none', () => refuse(sheetOf('<row><c><v>abc</v></c></row>'), /"abc" is no number/));
});
