import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { requirePhoto } from '../../src/core/tasks/photos.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { describeWith } from '../exports/formats/tools.ts';
import { PIXEL } from '../support/conversations.ts';
import { chunk, exifWithPlace, jpegWith, pngWith, segment } from '../support/pictures.ts';

const SCRIPT = '<!doctype html><script>alert(1)</script>';
const XMP = 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><exif:GPSLatitude>52,31.2N</exif:GPSLatitude></x:xmpmeta>';
/** A camera's JPEG with all that tells of place, time and device, and of what was cut off. */
const camera = (orientation = 1) =>
  jpegWith(
    exifWithPlace(orientation),
    segment(0xe1, XMP),
    segment(0xe0, 'JFXX\0\x10the picture before it was cut'),
    segment(0xe2, 'MPF\0more pictures behind this one'),
    segment(0xed, 'Photoshop 3.0\x008BIM the photographer'),
    segment(0xee, 'Other notes of the maker'),
    segment(0xfe, 'my home'),
  );
const screenshot = pngWith(
  {},
  chunk('eXIf', exifWithPlace().subarray(10)),
  chunk('tEXt', 'Comment\0taken at 52.5N'),
  chunk('zTXt', 'Author\0\0Ada'),
  chunk('iTXt', 'Title\0\0\0\0\0my home'),
  chunk('tIME', Buffer.from('07ea0b19000000', 'hex')),
  chunk('prVt', 'the serial number'),
);

/** Names of the segments of a JPEG up to its pixels. */
function markersOf(jpeg: Buffer): string[] {
  const names: string[] = [];
  for (let at = 2; jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2))
    names.push(jpeg.toString('hex', at, at + 2));
  return names;
}

/** Names of the chunks of a PNG. */
function chunksOf(png: Buffer): string[] {
  const names: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) names.push(png.toString('latin1', at + 4, at + 8));
  return names;
}

describe('photos of those who do tasks', () => {
  it('a JPEG keeps its pixels, and nothing of place, time, device, comments or smaller copies', () => {
    assert.deepEqual(markersOf(camera()).slice(0, 3), ['ffe1', 'ffe1', 'ffe0'], 'the picture of this test has them');
    const { contentType, bytes } = requirePhoto(camera());
    assert.equal(contentType, 'image/jpeg');
    assert.ok(bytes.equals(PIXEL), 'nothing but the picture');
    assert.deepEqual(markersOf(bytes), ['ffe0', 'ffdb', 'ffc9', 'ffcc'], 'no APP1, no comment');
  });

  it('a JPEG that was held on its side says so and nothing else', () => {
    const { bytes } = requirePhoto(camera(6));
    const rotated = 'ffe100224578696600004d4d002a00000008000101120003000000010006000000000000';
    assert.equal(bytes.toString('hex', 2, 38), rotated);
    assert.ok(bytes.subarray(38).equals(PIXEL.subarray(2)));
  });

  it('colours stay right: their profile and how they are coded are kept', () => {
    const profile = segment(0xe2, 'ICC_PROFILE\0\x01\x01colours');
    const coding = segment(0xee, 'Adobe\0d\0\0\0\0\0');
    const { bytes } = requirePhoto(jpegWith(profile, exifWithPlace(), coding));
    assert.ok(bytes.equals(jpegWith(profile, coding)));
  });

  it('a PNG keeps no eXIf, no text, no time and nothing unknown', () => {
    const { contentType, bytes } = requirePhoto(screenshot);
    assert.equal(contentType, 'image/png');
    assert.deepEqual(chunksOf(bytes), ['IHDR', 'IDAT', 'IEND']);
    assert.ok(bytes.equals(pngWith({})));
  });

  it('of a picture that is something else too, only the picture stays', () => {
    const archive = Buffer.from('504b0304140000000800', 'hex');
    for (const picture of [jpegWith(), pngWith({})]) {
      const both = Buffer.concat([picture, Buffer.from(SCRIPT), archive]);
      assert.ok(requirePhoto(both).bytes.equals(picture));
    }
    assert.ok(requirePhoto(jpegWith(segment(0xe0, SCRIPT), segment(0xfe, SCRIPT))).bytes.equals(PIXEL));
    assert.ok(requirePhoto(pngWith({}, chunk('tEXt', SCRIPT))).bytes.equals(pngWith({})));
  });

  const damaged = pngWith({});
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 20) ^ 1, damaged.length - 20);
  const huge = pngWith({});
  const claim = chunk('IHDR', Buffer.from('0000ffff0000ffff0802000000', 'hex'));
  claim.copy(huge, 8);
  const refused: Record<string, readonly [Buffer, string]> = {
    'a page named like a picture': [Buffer.from(SCRIPT), 'whole JPEG or PNG'],
    'a page behind the first bytes of a JPEG': [
      Buffer.from(`\xff\xd8\xff\xe0${SCRIPT}`, 'latin1'),
      'whole JPEG or PNG',
    ],
    'a page behind the signature of a PNG': [Buffer.concat([pngWith({}).subarray(0, 8), Buffer.from(SCRIPT)]), 'whole'],
    'a page in front of a JPEG': [Buffer.concat([Buffer.from(SCRIPT), jpegWith()]), 'whole JPEG or PNG'],
    'SVG, which may run scripts': [Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), 'whole'],
    'a GIF that is a script': [Buffer.from('GIF89a/*\0\0*/=alert(1)'), 'whole JPEG or PNG'],
    'a JPEG that was cut off': [jpegWith().subarray(0, -2), 'whole JPEG or PNG'],
    'a PNG that was cut off': [pngWith({}).subarray(0, -12), 'whole JPEG or PNG'],
    'a PNG with a damaged byte': [damaged, 'whole JPEG or PNG'],
    'a PNG of four billion pixels': [huge, 'at most 100 megapixels'],
    nothing: [Buffer.alloc(0), 'whole JPEG or PNG'],
    'more than 8 MB': [Buffer.concat([pngWith({}), Buffer.alloc(8 * 1_048_576)]), 'at most 8 MB'],
  };
  for (const [what, [bytes, words]] of Object.entries(refused)) {
    it(`${what} is refused in words`, () => {
      assert.throws(
        () => requirePhoto(bytes),
        (error) => error instanceof ApiError && error.code === 422 && error.message.includes(words),
      );
    });
  }
});

/** What an independent program reads beside the picture itself. */
function toldBy(bytes: Buffer): Record<string, unknown> {
  const { stdout, status } = spawnSync('exiftool', ['-json', '-G1', '-unknown', '-'], { input: bytes });
  assert.equal(status, 0);
  const [told] = JSON.parse(String(stdout)) as Record<string, unknown>[];
  const own =
    /^(?:SourceFile|ExifTool:|System:|File:|JFIF:|PNG:(?:Image|Bit|Color|Compression|Filter|Interlace)|Composite:(?:ImageSize|Megapixels))/;
  return Object.fromEntries(Object.entries(told ?? {}).filter(([name]) => !own.test(name)));
}

describeWith(['exiftool'], 'photos as an independent program reads them', () => {
  for (const [what, taken] of Object.entries({ JPEG: camera(), PNG: screenshot })) {
    it(`tell device and place in the ${what} that came, and nothing in what is kept`, () => {
      const told = JSON.stringify(toldBy(taken));
      for (const secret of ['Spyphone', "52 deg 31' 12"]) assert.ok(told.includes(secret), told);
      assert.deepEqual(toldBy(requirePhoto(taken).bytes), {});
    });
  }
});
