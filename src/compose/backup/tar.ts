/** Files one after the other, each behind a header of 512 bytes: the form that `tar` reads, as far as it is needed. */

const BLOCK = 512;
const SIZE_AT = 124;
/** What eleven octal digits can say; larger sizes are binary, with the top bit set. */
const MOST_OCTAL = 8 ** 11;

export interface TarEntry {
  name: string;
  bytes: number;
  /** Seconds since the epoch. */
  modified: number;
}

/** The header of a file that its owner alone may read. */
export function tarHeader({ name, bytes, modified }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100, 'utf8');
  header.write('0000600\0', 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  writeSize(header, bytes);
  header.write(`${Math.floor(modified).toString(8).padStart(11, '0')}\0`, 136, 'latin1');
  header.write('        ', 148, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

function writeSize(header: Buffer, bytes: number): void {
  if (bytes < MOST_OCTAL) {
    header.write(`${bytes.toString(8).padStart(11, '0')}\0`, SIZE_AT, 'latin1');
    return;
  }
  header[SIZE_AT] = 0x80;
  header.writeBigUInt64BE(BigInt(bytes), SIZE_AT + 4);
}

/** Zeros up to the next whole block. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
}

export const tarEnd = Buffer.alloc(2 * BLOCK);

/** A file of an archive; its content must be read before the next one is asked for. */
export interface TarFile {
  name: string;
  bytes: number;
  content: AsyncGenerator<Buffer>;
}

/** The files of an archive. Throws when it is none, or ends too early. */
export async function* readTar(stream: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  const bytes = new ByteReader(stream);
  for (;;) {
    const header = await bytes.exactly(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    if (Number.parseInt(textAt(header, 148, 8), 8) !== sumOf(header)) throw new Error('it is no archive');
    const size = sizeOf(header);
    yield { name: textAt(header, 0, 100), bytes: size, content: bytes.upTo(size) };
    await bytes.exactly(tarPadding(size).length);
  }
}

function textAt(header: Buffer, start: number, length: number): string {
  const text = header.toString('utf8', start, start + length);
  return text.split('\0', 1)[0] ?? '';
}

function sizeOf(header: Buffer): number {
  if (((header[SIZE_AT] ?? 0) & 0x80) !== 0) return Number(header.readBigUInt64BE(SIZE_AT + 4));
  return Number.parseInt(textAt(header, SIZE_AT, 12), 8);
}

/** Of all bytes, those of the sum itself taken as blanks. */
function sumOf(header: Buffer): number {
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte;
  return sum;
}

class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.upTo(count)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *upTo(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done) throw new Error('it ends too early');
        this.#rest = next.value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      if (part.length > 0) yield part;
    }
  }
}
