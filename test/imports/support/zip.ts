import { crc32, deflateRawSync } from 'node:zlib';

/** How a member of an archive is written when it is to be wrong. */
export interface Lie {
  /** The size it is said to have when unpacked. */
  size?: number;
  crc?: number;
  /** 1: encrypted. */
  flags?: number;
}

/** A zip archive of these members, made byte by byte. */
export function zipOf(
  members: Readonly<Record<string, string | Buffer>>,
  lies: Readonly<Record<string, Lie>> = {},
): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(members)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const { size = content.length, crc = crc32(content), flags = 0 } = lies[name] ?? {};
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800 | flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const file = Buffer.concat([bytesOf(0x04034b50), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([bytesOf(0x02014b50), Buffer.from([20, 0]), common, rest, Buffer.from(name)]));
    files.push(file);
    offset += file.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, entries, bytesOf(0x06054b50), end]);
}

function bytesOf(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  return bytes;
}
