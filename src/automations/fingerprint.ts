import { sha256Hex } from '../kernel/signature.ts';

const NO_LETTER = /[^\p{L}\p{N}]+/gu;

/** A text without what channels change on its way: case, blanks, punctuation, pictures. */
export function normalised(text: string): string {
  const letters = text.normalize('NFKC').toLowerCase().replaceAll(NO_LETTER, '');
  return letters === '' ? text.trim() : letters;
}

/** Tells a text again without keeping it. */
export function fingerprintOf(text: string): string {
  return sha256Hex(normalised(text));
}
