import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openCsv } from '../../src/imports/reading/readRows.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { all, fileOf, freePath } from './support/files.ts';

const comma = { delimiter: 'comma', encoding: 'utf-8' } as const;

/** `line:cell|cell`, or `line!reason` for a broken line. */
async function read(content: string | Buffer, format: Parameters<typeof openCsv>[1] = comma): Promise<string[]> {
  const { rows } = await openCsv(fileOf(content), format);
  return (await all(rows)).map((row) =>
    'kind' in row ? `${row.line}!${row.problems[0]?.reason}` : `${row.line}:${row.cells.join('|')}`,
  );
}

describe('rows of a CSV file', () => {
  const cases: [what: string, content: string, rows: string[]][] = [
    ['plain', 'a,b\n1,2\n3,4\n', ['2:1|2', '3:3|4']],
    ['without a last line end', 'a,b\n1,2', ['2:1|2']],
    ['with Windows line ends', 'a,b\r\n1,2\r\n3,4\r\n', ['2:1|2', '3:3|4']],
    ['with the line ends of old Macs', 'a,b\r1,2\r', ['2:1|2']],
    ['behind a byte order mark', '\ufeffa,b\n1,2\n', ['2:1|2']],
    ['between blank lines', '\na,b\n\n1,2\n,\n\n3,4\n\n', ['4:1|2', '7:3|4']],
    ['with quotes', 'a,b\n"1,5","say ""hi"""\n', ['2:1,5|say "hi"']],
    ['with blanks round quotes', 'a,b\n "1" , "2" \n', ['2:1|2']],
    ['with line breaks in quotes', 'a,b\n"x\ny\n\nz",2\n3,4\n', ['2:x\ny\n\nz|2', '6:3|4']],
    ['with empty cells behind the last column', 'a,b\n1,2,\n3,4,,\n', ['2:1|2|', '3:3|4||']],
    [
      'with too few and too many cells',
      'a,b\n1\n1,2,3\n3,4\n',
      ['2!wrong number of columns', '3!wrong number of columns', '4:3|4'],
    ],
    ['with a quote that is never closed', 'a,b\n"1,2\n3,4\n5,6\n', ['2!quote not closed', '3:3|4', '4:5|6']],
    [
      'with such a quote before a quoted line',
      'a,b\n"1,2\n3,4\n"5",6\n7,8\n',
      ['2!quote not closed', '3:3|4', '4:5|6', '5:7|8'],
    ],
    ['with a quote inside a cell', 'a,b\n1,2"\n3,4\n', ['2!quote not closed', '3:3|4']],
    ['with two quotes inside a cell', 'a,b\n1,x"y"\n3,4\n', ['2!quote out of place', '3:3|4']],
    ['with text behind a closing quote', 'a,b\n"1"x,2\n"3",4\n', ['2!quote out of place', '3:3|4']],
    [
      'with two stray quotes far apart',
      'a,b\n1,"2\n3,4\n5",6\n7,8\n',
      ['2!wrong number of columns', '3:3|4', '4!quote not closed', '5:7|8'],
    ],
    ['with a header alone', 'a,b\n', []],
  ];
  for (const [what, content, rows] of cases) {
    it(what, async () => assert.deepEqual(await read(content), rows));
    it(`${what}, compressed`, async () => assert.deepEqual(await read(gzipSync(content)), rows));
  }

  it('are numbered, the broken ones too', async () => {
    const { rows } = await openCsv(fileOf('a,b\n1,2\nbroken\n3,4\n'), comma);
    assert.deepEqual(
      (await all(rows)).map(({ line, row }) => [line, row]),
      [
        [2, 1],
        [3, 2],
        [4, 3],
      ],
    );
  });

  it('are the same wherever the file is cut into chunks', async () => {
    const long = `a,b\n${'"say ""ü"" \r\n twice",x\n'.repeat(9_000)}1,2\n`;
    const rows = await read(long);
    assert.equal(rows.length, 9_001);
    assert.ok(rows.slice(0, -1).every((row, index) => row === `${2 + 2 * index}:say "ü" \n twice|x`));
    assert.equal(rows.at(-1), '18002:1|2');
  });

  it('are read on behind a quote that would swallow the file', async () => {
    const rows = await read(`a,b\n1,2\n"3,4\n${'5,6\n'.repeat(5_000)}`);
    assert.deepEqual([rows.length, rows[1], rows[2]], [5_002, '3!quote not closed', '4:5|6']);
  });

  it('come with other delimiters and encodings', async () => {
    assert.deepEqual(await read('a;b\n"x;y";2\n', { delimiter: 'semicolon', encoding: 'utf-8' }), ['2:x;y|2']);
    assert.deepEqual(await read('a\tb\n1\t2\n', { delimiter: 'tab', encoding: 'utf-8' }), ['2:1|2']);
    const windows = Buffer.from('a,b\nJ\xfcrgen,\x80\n', 'latin1');
    assert.deepEqual(await read(windows, { delimiter: 'comma', encoding: 'latin1' }), ['2:Jürgen|€']);
  });
});

describe('a file that is no usable CSV', () => {
  const refuse = (content: string | Buffer, message: RegExp) =>
    assert.rejects(
      read(content),
      (error) => error instanceof OperatorError && message.test(`${error.message} (${error.hint})`),
    );

  it('is missing', () => assert.rejects(openCsv(freePath('none.csv'), comma), /cannot read .*ENOENT/));
  it('is empty', () => refuse('', /is empty/));
  it('has a column twice', () => refuse('a,b, a\n1,2,3\n', /two columns named "a"/));
  it('has a broken header', () => refuse('a,"b\n1,2\n', /header line .* quote not closed/));
  it('is not UTF-8', () => refuse(Buffer.from('a,b\n1,J\xfcrgen\n', 'latin1'), /line 1: .*format\.encoding/));
  it('is cut off', () => {
    const zipped = gzipSync(`a,b\n${Array.from({ length: 9_000 }, (_, row) => `${row * 7919},x\n`).join('')}`);
    return refuse(zipped.subarray(0, -2_000), /cannot be read on from about line \d+: .*export it again/);
  });
  it('has no lines', () => refuse('a'.repeat(1_100_000), /longer than/));
});
