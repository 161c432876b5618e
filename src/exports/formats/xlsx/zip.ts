import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { OperatorError } from '../../../kernel/errors.ts';

/** One file of an archive; its content is read once, in pieces. */
export interface Member {
  readonly name: string;
  readonly content: AsyncIterable<string>;
}

/** The first moment a zip archive can name, so that the time of writing is not in it: 1980-01-01 00:00. */
const DATE = 0x21;
const TIME = 0;
/** 2.0: deflated. */
const VERSION = 20;
/** Sizes and checksum follow the data; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
/** Beyond it sizes would need the 64-bit form of the format, which spreadsheet programs do not all read. */
const LARGEST = 0xffff_ffff;
const LEVEL = 4;

interface Written {
  name: Buffer;
  crc: number;
  size: number;
  packed: number;
  offset: number;
}

/** A zip archive, made as it is read: no member is ever whole in memory, and the same content gives the same bytes. */
export async function* zipped(members: AsyncIterable<Member>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let offset = 0;
  for await (const { name, content } of members) {
    const one: Written = { name: Buffer.from(name), crc: 0, size: 0, packed: 0, offset };
    const head = localHeader(one);
    yield head;
    for await (const chunk of deflated(content, one)) {
      one.packed += chunk.length;
      yield chunk;
    }
    const tail = sizes(one);
    yield tail;
    offset += head.length + one.packed + tail.length;
    if (one.size > LARGEST || offset > LARGEST) {
      throw new OperatorError('the workbook grows beyond 4 GB', 'write shorter periods, or this journal as csv');
    }
    written.push(one);
  }
  const directory = Buffer.concat(written.map(directoryEntry));
  yield directory;
  yield endOf(written.length, directory.length, offset);
}

async function* deflated(content: AsyncIterable<string>, one: Written): AsyncGenerator<Buffer> {
  const bytes = async function* () {
    for await (const piece of content) {
      const chunk = Buffer.from(piece);
      one.crc = crc32(chunk, one.crc);
      one.size += chunk.length;
      yield chunk;
    }
  };
  // A failure of the content ends the reading of what is deflated with it.
  const stream = pipeline(
    Readable.from(bytes(), { highWaterMark: 1 }),
    createDeflateRaw({ level: LEVEL, memLevel: constants.Z_DEFAULT_MEMLEVEL }),
    () => undefined,
  );
  for await (const chunk of stream) yield chunk as Buffer;
}

function localHeader({ name }: Written): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(VERSION, 4);
  head.writeUInt16LE(FLAGS, 6);
  head.writeUInt16LE(DEFLATED, 8);
  head.writeUInt16LE(TIME, 10);
  head.writeUInt16LE(DATE, 12);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

function sizes({ crc, packed, size }: Written): Buffer {
  const tail = Buffer.alloc(16);
  tail.writeUInt32LE(0x08074b50, 0);
  tail.writeUInt32LE(crc, 4);
  tail.writeUInt32LE(packed % (LARGEST + 1), 8);
  tail.writeUInt32LE(size % (LARGEST + 1), 12);
  return tail;
}

function directoryEntry({ name, crc, size, packed, offset }: Written): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(VERSION, 4);
  entry.writeUInt16LE(VERSION, 6);
  entry.writeUInt16LE(FLAGS, 8);
  entry.writeUInt16LE(DEFLATED, 10);
  entry.writeUInt16LE(TIME, 12);
  entry.writeUInt16LE(DATE, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(packed, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, name]);
}

function endOf(count: number, directorySize: number, directoryOffset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directorySize, 12);
  end.writeUInt32LE(directoryOffset, 16);
  return end;
}
