import { crc32, deflateSync } from 'node:zlib';
import { PIXEL } from './conversations.ts';

/** A segment of a JPEG: its marker, its length and its data. */
export function segment(marker: number, data: Buffer | string): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}

/** A JPEG of one pixel with these segments in front. */
export function jpegWith(...segments: Buffer[]): Buffer {
  return Buffer.concat([PIXEL.subarray(0, 2), ...segments, PIXEL.subarray(2)]);
}

/** An entry of a directory of tags: tag, type, count, and four bytes: the value, or where it stands. */
function entry(tag: number, type: number, count: number, value: Buffer): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(tag, 0);
  bytes.writeUInt16BE(type, 2);
  bytes.writeUInt32BE(count, 4);
  value.copy(bytes, 8);
  return bytes;
}

const long = (value: number): Buffer => Buffer.from([0, 0, value >> 8, value & 0xff]);

/** 52° 31′ 12″ or 13° 24′ 18″: three fractions. */
function degrees(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(24);
  for (const [index, value] of values.entries()) {
    bytes.writeUInt32BE(value, index * 8);
    bytes.writeUInt32BE(1, index * 8 + 4);
  }
  return bytes;
}

/** The Exif segment of a telephone: its maker, how it was held, and where it was. */
export function exifWithPlace(orientation = 1): Buffer {
  const maker = Buffer.from('Spyphone\0\0', 'latin1');
  const first = 8;
  const gps = first + 2 + 3 * 12 + 4;
  const values = gps + 2 + 4 * 12 + 4;
  const latitude = values + maker.length;
  const count = (entries: number) => Buffer.from([0, entries]);
  const tiff = Buffer.concat([
    Buffer.from('MM\0*', 'latin1'),
    long(first),
    count(3),
    entry(0x010f, 2, 9, long(values)),
    entry(0x0112, 3, 1, Buffer.from([0, orientation, 0, 0])),
    entry(0x8825, 4, 1, long(gps)),
    long(0),
    count(4),
    entry(1, 2, 2, Buffer.from('N\0\0\0', 'latin1')),
    entry(2, 5, 3, long(latitude)),
    entry(3, 2, 2, Buffer.from('E\0\0\0', 'latin1')),
    entry(4, 5, 3, long(latitude + 24)),
    long(0),
    maker,
    degrees(52, 31, 12),
    degrees(13, 24, 18),
  ]);
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
}

/** A chunk of a PNG with its checksum. */
export function chunk(name: string, data: Buffer | string): Buffer {
  const bytes = Buffer.concat([Buffer.from(name, 'latin1'), typeof data === 'string' ? Buffer.from(data) : data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(bytes.length - 4);
  sum.writeUInt32BE(crc32(bytes));
  return Buffer.concat([length, bytes, sum]);
}

/** A PNG of one colour, with these chunks before its pixels. */
export function pngWith(
  { width = 2, height = 2, color = [255, 255, 255] }: { width?: number; height?: number; color?: readonly number[] },
  ...chunks: Buffer[]
): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  size.set([8, 2], 8);
  const line = Buffer.from([0, ...Array.from({ length: width }, () => color).flat()]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', size),
    ...chunks,
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
