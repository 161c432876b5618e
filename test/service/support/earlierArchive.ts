const BLOCK = 512;
/** What eleven octal digits can say; larger sizes were binary, with the top bit set. */
const MOST_OCTAL = 8 ** 11;

/** The header of a file as backups had it before a library wrote them. */
export function earlierHeader(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (bytes < MOST_OCTAL) header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(bytes), 128);
  }
  header.write('15051234567\0        0', 136);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** An archive as backups were before a library wrote them. */
export function earlierArchive(files: Iterable<readonly [name: string, content: Buffer]>): Buffer {
  const parts = [...files].flatMap(([name, content]) => [
    earlierHeader(name, content.length),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}
