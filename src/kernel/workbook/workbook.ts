import { joined } from '../oneLine.ts';
import { type Cell, headingCell, stylesXml } from './cells.ts';
import { type Member, zipped } from './zip.ts';

/** Most rows of a sheet in a spreadsheet program, including the headings. */
const MOST_ROWS = 1_048_576;

/** A sheet to write; its rows are read once. */
export interface Sheet {
  /** At most 25 characters, so a number still fits after it. */
  readonly name: string;
  /** Heading of each column, and its width in characters. */
  readonly columns: readonly (readonly [heading: string, width: number])[];
  readonly rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Returns an XLSX file. Rows beyond the limit continue on another sheet, such as `Lines 2`. */
export function workbook(sheets: readonly Sheet[], mostRows = MOST_ROWS): AsyncGenerator<Uint8Array> {
  return zipped(members(sheets, mostRows));
}

async function* members(sheets: readonly Sheet[], mostRows: number): AsyncGenerator<Member> {
  const names: string[] = [];
  for (const sheet of sheets) {
    const rows = rowsOf(sheet.rows);
    try {
      let next = await rows.next();
      let part = 1;
      do {
        names.push(part === 1 ? sheet.name : `${sheet.name} ${part}`);
        const page = async function* () {
          for (let count = 1; count < mostRows && !next.done; count += 1) {
            yield next.value;
            next = await rows.next();
          }
        };
        yield { name: `xl/worksheets/sheet${names.length}.xml`, content: joined(sheetXml(sheet, page())) };
        part += 1;
      } while (!next.done);
    } finally {
      await rows.return(undefined);
    }
  }
  for (const [name, text] of parts(names)) yield { name, content: only(DECLARATION + text) };
}

async function* rowsOf(rows: Sheet['rows']): AsyncGenerator<readonly Cell[]> {
  for await (const row of rows) yield row;
}

async function* only(text: string): AsyncGenerator<string> {
  yield text;
}

async function* sheetXml({ columns }: Sheet, rows: AsyncIterable<readonly Cell[]>): AsyncGenerator<string> {
  const letters = columns.map((_, index) => columnLetters(index));
  const widths = columns.map(
    ([, width], index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  yield rowXml(
    columns.map(([heading]) => headingCell(heading)),
    1,
    letters,
  );
  let count = 1;
  for await (const row of rows) {
    count += 1;
    yield rowXml(row, count, letters);
  }
  yield '</sheetData></worksheet>';
}

function rowXml(cells: readonly Cell[], row: number, letters: readonly string[]): string {
  let xml = `<row r="${row}">`;
  for (const [index, cell] of cells.entries()) {
    if (cell !== null) xml += `<c r="${letters[index]}${row}"${cell.attributes}>${cell.inside}</c>`;
  }
  return `${xml}</row>`;
}

function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

function* parts(names: readonly string[]): Generator<[name: string, text: string]> {
  const numbers = names.map((_, index) => index + 1);
  yield [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
  ];
  yield [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships">${numbers
      .map(
        (number) =>
          `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="rId${names.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  ];
  yield ['xl/styles.xml', stylesXml];
  yield [
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ];
  yield [
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${numbers
      .map(
        (number) =>
          `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
      )
      .join('')}</Types>`,
  ];
}
