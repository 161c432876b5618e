import { crc32 } from 'node:zlib';

/** A picture without the data about place, time and device. */
interface Png {
  width: number;
  height: number;
  bytes: Buffer;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const HEAD = 8;
const CHECKSUM = 4;
/** Bytes of the first chunk: size, depth and kind of colours, compression, filter, interlace. */
const HEADER_BYTES = 13;
/** Chunks that say what the picture looks like; all others say where, when and by what it was made, or are unknown. */
const KEPT: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'sBIT',
]);

/** Reads a PNG from its signature to its end; undefined for other data, and for a truncated or damaged file. */
export function readPng(source: Buffer): Png | undefined {
  if (!source.subarray(0, HEAD).equals(SIGNATURE)) return undefined;
  const kept: Buffer[] = [SIGNATURE];
  const names: string[] = [];
  let at = HEAD;
  while (at + HEAD + CHECKSUM <= source.length && names.at(-1) !== 'IEND') {
    const end = at + HEAD + source.readUInt32BE(at) + CHECKSUM;
    if (end > source.length) return undefined;
    const name = source.toString('latin1', at + 4, at + HEAD);
    if (KEPT.has(name)) {
      const isSound = crc32(source.subarray(at + 4, end - CHECKSUM)) === source.readUInt32BE(end - CHECKSUM);
      if (!isSound) return undefined;
      kept.push(source.subarray(at, end));
    }
    names.push(name);
    at = end;
  }
  const header = kept[1];
  const isWhole = names[0] === 'IHDR' && names.includes('IDAT') && names.at(-1) === 'IEND';
  if (!isWhole || header?.length !== HEAD + HEADER_BYTES + CHECKSUM) return undefined;
  const [width, height] = [header.readUInt32BE(HEAD), header.readUInt32BE(HEAD + 4)];
  return width === 0 || height === 0 ? undefined : { width, height, bytes: Buffer.concat(kept) };
}
