import { zipOf, type Lie } from './zip.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The styles that cells of these workbooks can have, by their places in the list. */
const styles = {
  general: 0,
  date: 1,
  moment: 2,
  percent: 3,
  money: 4,
  builtInDate: 5,
  length: 6,
  fake: 7,
} as const;

const stylesXml = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="6">
<numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy;@"/><numFmt numFmtId="165" formatCode="[$-407]d. mmm yyyy hh:mm"/>
<numFmt numFmtId="166" formatCode="0.0%"/><numFmt numFmtId="167" formatCode="#,##0.00\\ &quot;days&quot;;[Red]-#,##0.00"/>
<numFmt numFmtId="168" formatCode="[h]:mm"/><numFmt numFmtId="169" formatCode="0.00 &quot;dd.mm.yyyy&quot;"/></numFmts>
<cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs>
<cellXfs count="8"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/>
<xf numFmtId="14"/><xf numFmtId="168"/><xf numFmtId="169"/></cellXfs></styleSheet>`;

export interface SheetXml {
  name: string;
  /** What stands in `sheetData`. */
  rows: string;
  state?: 'hidden' | 'veryHidden';
}

export interface WorkbookParts {
  sheets: readonly SheetXml[];
  /** The inside of each `si` of the shared texts. */
  texts?: readonly string[];
  /** The attribute date1904, as it is written. */
  date1904?: string;
  lies?: Readonly<Record<string, Lie>>;
}

/** A workbook of hand-written XML. */
export function workbookOf({ sheets, texts, date1904, lies }: WorkbookParts): Buffer {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = [
    ...sheets.map((_, index) => relation(`s${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
    relation('styles', 'styles', '/xl/styles.xml'),
    ...(texts ? [relation('texts', 'sharedStrings', 'sharedStrings.xml')] : []),
  ];
  const listed = sheets.map(({ name, state }, index) => {
    const hidden = state === undefined ? '' : ` state="${state}"`;
    return `<sheet name="${name}" sheetId="${index + 7}"${hidden} r:id="s${index + 1}"/>`;
  });
  const days = date1904 === undefined ? '' : `<workbookPr date1904="${date1904}"/>`;
  return zipOf(
    {
      '[Content_Types].xml': `${XML}<Types/>`,
      '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}">${relation('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
      'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${days}<sheets>${listed.join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`,
      'xl/styles.xml': stylesXml,
      ...(texts && {
        'xl/sharedStrings.xml': `${XML}<sst xmlns="${MAIN}">${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
      }),
      ...Object.fromEntries(
        sheets.map(({ rows }, index) => [
          `xl/worksheets/sheet${index + 1}.xml`,
          `${XML}<worksheet xmlns="${MAIN}"><dimension ref="A1"/><sheetData>${rows}</sheetData><mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells></worksheet>`,
        ]),
      ),
    },
    lies,
  );
}

/** A workbook with one sheet of these rows. */
export function sheetOf(...rows: string[]): Buffer {
  return workbookOf({ sheets: [{ name: 'Bookings', rows: rows.join('') }] });
}

/** A row of cells that do not say where they stand. */
export function rowOf(...cells: (string | number)[]): string {
  return `<row>${cells.map((cell) => (typeof cell === 'number' ? numberOf(cell) : textOf(cell))).join('')}</row>`;
}

export function textOf(text: string): string {
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

export function numberOf(value: number | string, style: keyof typeof styles = 'general'): string {
  return `<c s="${styles[style]}"><v>${value}</v></c>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
