/** A picture without the camera's data about place, time and device. */
interface Jpeg {
  width: number;
  height: number;
  bytes: Buffer;
}

interface Segment {
  marker: number;
  start: number;
  /** Offset after the last byte. */
  end: number;
}

const SOI = 0xffd8;
const EOI = 0xd9;
const SOS = 0xda;
const EXIF = 0xe1;
/** Application data on the meaning of colours; others use the same markers for small copies and much else. */
const COLOR_DATA = new Map([
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]);
/** Bytes of JFIF data without a small copy of the picture, which may show what was cut off. */
const PLAIN_JFIF = 18;
const COMMENT = 0xfe;

/** Reads a JPEG from its first to its last marker; undefined for other data or a truncated file. */
export function readJpeg(source: Buffer): Jpeg | undefined {
  if (source.length < 4 || source.readUInt16BE(0) !== SOI) return undefined;
  const segments = [...segmentsOf(source)];
  if (segments.at(-1)?.marker !== EOI || !segments.some(({ marker }) => marker === SOS)) return undefined;
  const frame = segments.find(({ marker }) => isFrame(marker));
  if (!frame || frame.end - frame.start < 10) return undefined;
  const height = source.readUInt16BE(frame.start + 5);
  const width = source.readUInt16BE(frame.start + 7);
  if (width === 0 || height === 0) return undefined;
  const kept = segments
    .filter((segment) => !isPrivate(source, segment))
    .map(({ start, end }) => source.subarray(start, end));
  return { width, height, bytes: Buffer.concat([source.subarray(0, 2), ...orientation(source, segments), ...kept]) };
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isPrivate(source: Buffer, { marker, start, end }: Segment): boolean {
  if (marker < 0xe0 || marker > 0xef) return marker === COMMENT;
  const name = COLOR_DATA.get(marker);
  if (name === undefined || source.toString('latin1', start + 4, start + 4 + name.length) !== name) return true;
  return marker === 0xe0 && end - start !== PLAIN_JFIF;
}

/** Yields every segment, a scan with its data, up to the end marker or the first unreadable byte. */
function* segmentsOf(source: Buffer): Generator<Segment> {
  let at = 2;
  while (at + 2 <= source.length && source[at] === 0xff) {
    const marker = source[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === EOI) {
      yield { marker, start: at, end: at + 2 };
      return;
    }
    if (at + 4 > source.length) return;
    const length = source.readUInt16BE(at + 2);
    const head = at + 2 + length;
    if (length < 2 || head > source.length) return;
    const end = marker === SOS ? endOfScan(source, head) : head;
    if (end === undefined) return;
    yield { marker, start: at, end };
    at = end;
  }
}

/** Returns the end of a scan's data: the first marker that is neither a stuffed byte nor a restart. */
function endOfScan(source: Buffer, from: number): number | undefined {
  for (let at = source.indexOf(0xff, from); at >= 0; at = source.indexOf(0xff, at + 1)) {
    const next = source[at + 1];
    if (next === undefined) return undefined;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return undefined;
}

const ORIENTATION_TAG = 0x0112;

/** Returns the orientation alone, in an Exif segment of its own. Without it many pictures would lie on their side. */
function orientation(source: Buffer, segments: readonly Segment[]): Buffer[] {
  const exif = segments.find(
    ({ marker, start, end }) =>
      marker === EXIF && end - start > 18 && source.toString('latin1', start + 4, start + 10) === 'Exif\0\0',
  );
  const value = exif && orientationIn(source.subarray(exif.start + 10, exif.end));
  if (value === undefined || value < 2 || value > 8) return [];
  const segment = Buffer.alloc(36);
  segment.write('\xff\xe1\0\x22Exif\0\0MM\0*', 0, 'latin1');
  segment.writeUInt32BE(8, 14);
  segment.writeUInt16BE(1, 18);
  segment.writeUInt16BE(ORIENTATION_TAG, 20);
  segment.writeUInt16BE(3, 22);
  segment.writeUInt32BE(1, 24);
  segment.writeUInt16BE(value, 28);
  return [segment];
}

function orientationIn(tiff: Buffer): number | undefined {
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return undefined;
  const count = short(first);
  for (let entry = 0; entry < count; entry += 1) {
    const at = first + 2 + entry * 12;
    if (at + 12 > tiff.length) return undefined;
    if (short(at) === ORIENTATION_TAG) return short(at + 8);
  }
  return undefined;
}
