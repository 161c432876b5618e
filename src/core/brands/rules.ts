import { invalid } from '../../kernel/errors.ts';
import { type Color, isColor } from '../../kernel/markup/colors.ts';
import { plainName } from '../../kernel/markup/look.ts';
import { type Picture, readPicture } from '../pictures/picture.ts';

export const LONGEST_NAME = 80;
/** Most bytes of a logo, and most pixels of one side. */
export const LOGO_BYTES = 262_144;
export const LOGO_SIDE = 2_000;

/** @throws ApiError 422 for a name that is too long, or of signs that nobody sees */
export function requireName(text: string): string {
  const name = plainName(text);
  if (name === '') throw invalid('name', 'must have letters');
  if (name.length > LONGEST_NAME) throw invalid('name', `must have at most ${LONGEST_NAME} characters`);
  return name;
}

/** @throws ApiError 422 */
export function requireColor(text: string): Color {
  const color = text.trim().toLowerCase();
  if (!isColor(color)) throw invalid('color', 'must be # and six hexadecimal digits, such as #0b57a8');
  return color;
}

/** Checks by its content what a logo is; SVG, which may hold scripts, is none. @throws ApiError 422 with the reason */
export function requireLogo(bytes: Buffer): Picture {
  if (bytes.length > LOGO_BYTES) throw invalid('logo', 'must have at most 256 kB');
  const picture = readPicture(bytes);
  if (!picture) throw invalid('logo', 'must be a whole JPEG or PNG picture');
  if (picture.width > LOGO_SIDE || picture.height > LOGO_SIDE) {
    throw invalid('logo', 'must be at most 2,000 pixels wide and high');
  }
  return picture;
}
