const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const HEAD = 8;
const CHECKSUM = 4;
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

/** Returns a PNG without the data about place, time and device; undefined for other data or a truncated file. */
export function readPng(source: Buffer): Buffer | undefined {
  if (!source.subarray(0, HEAD).equals(SIGNATURE)) return undefined;
  const kept: Buffer[] = [SIGNATURE];
  const names: string[] = [];
  let at = HEAD;
  while (at + HEAD + CHECKSUM <= source.length && names.at(-1) !== 'IEND') {
    const end = at + HEAD + source.readUInt32BE(at) + CHECKSUM;
    if (end > source.length) return undefined;
    const name = source.toString('latin1', at + 4, at + HEAD);
    if (KEPT.has(name)) kept.push(source.subarray(at, end));
    names.push(name);
    at = end;
  }
  const isWhole = names[0] === 'IHDR' && names.includes('IDAT') && names.at(-1) === 'IEND';
  return isWhole ? Buffer.concat(kept) : undefined;
}
