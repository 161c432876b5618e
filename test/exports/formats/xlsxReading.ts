import { Buffer } from 'node:buffer';
import { crc32, inflateRawSync } from 'node:zlib';

/** Members of a zip archive by name, read from its directory, sizes and checksums compared. */
export function unzipped(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  const members = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [crc, packed, size, nameLength] = [
      bytes.readUInt32LE(at + 16),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ];
    const offset = bytes.readUInt32LE(at + 42);
    const data = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const content = inflateRawSync(bytes.subarray(data, data + packed));
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is damaged`);
    members.set(name, content);
    at += 46 + nameLength;
  }
  return members;
}

export interface ReadCell {
  kind: 'text' | 'number' | 'date';
  value: string;
}

/** The sheets of a workbook by name, each cell by its place (`B7`). Throws at a cell that is neither text nor number. */
export function sheetsOf(bytes: Buffer): Map<string, Map<string, ReadCell>> {
  const members = unzipped(bytes);
  const text = (name: string) => members.get(name)?.toString('utf8') ?? '';
  const formats = [...text('xl/styles.xml').matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)];
  const dateFormat = formats.find(([, , code]) => code === 'yyyy-mm-dd')?.[1];
  const cellStyles = text('xl/styles.xml').split('<cellXfs')[1]?.split('</cellXfs>')[0] ?? '';
  const isDate = [...cellStyles.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) => id === dateFormat);
  const sheets = [...text('xl/workbook.xml').matchAll(/<sheet name="([^"]*)" sheetId="(\d+)"/g)];
  return new Map(sheets.map(([, name = '', id = '']) => [name, cellsOf(text(`xl/worksheets/sheet${id}.xml`), isDate)]));
}

function cellsOf(xml: string, isDate: readonly boolean[]): Map<string, ReadCell> {
  if (/<f[ >]/.test(xml)) throw new Error('a cell is a formula');
  const cells = new Map<string, ReadCell>();
  for (const [, place = '', attributes = '', inside = ''] of xml.matchAll(/<c r="([A-Z]+\d+)"([^>]*)>(.*?)<\/c>/gs)) {
    const style = Number(/ s="(\d+)"/.exec(attributes)?.[1]);
    const isText = attributes.includes(' t="inlineStr"');
    const found = isText ? /^<is><t xml:space="preserve">([^<]*)<\/t><\/is>$/ : /^<v>(-?\d+(?:\.\d+)?)<\/v>$/;
    const value = found.exec(inside)?.[1];
    if (value === undefined) throw new Error(`${place} cannot be read: ${inside.slice(0, 200)}`);
    cells.set(place, {
      kind: isText ? 'text' : isDate[style] ? 'date' : 'number',
      value: isText ? unescaped(value) : value,
    });
  }
  return cells;
}

function unescaped(text: string): string {
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return plain.replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
