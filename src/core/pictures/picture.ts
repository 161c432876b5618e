import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';

/** A picture as it is kept: without data about place, time and device, and without anything behind its end. */
export interface Picture {
  readonly contentType: 'image/jpeg' | 'image/png';
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/**
 * Most pixels of a picture. A decoded pixel takes four bytes of the viewer's memory, and a few kilobytes can claim
 * billions of pixels.
 */
export const MOST_PIXELS = 100_000_000;

/** Reads a picture by its content, whatever its name and type say; undefined for what is no whole JPEG or PNG. */
export function readPicture(source: Buffer): Picture | undefined {
  const jpeg = readJpeg(source);
  if (jpeg) return { contentType: 'image/jpeg', ...jpeg };
  const png = readPng(source);
  return png && { contentType: 'image/png', ...png };
}
