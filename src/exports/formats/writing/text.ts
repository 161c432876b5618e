import { Buffer } from 'node:buffer';
import { unformulated } from '../../../kernel/csvText.ts';

/** Line ends and what programs hide in texts: control signs, byte order marks, signs that turn the direction of writing. */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]/gu;
const HALVES = /\p{Cs}/gu;
const NOT_A_SIGN = /[\ufdd0-\ufdef\ufffe\uffff]/g;
const BLANKS = /\s{2,}/g;

/**
 * A text as one line that can be seen: line ends and hidden signs become blanks, halves of characters the sign for
 * what cannot be read.
 * @param longest in UTF-16 units; what is behind is cut off, never within a character
 */
export function oneLine(text: string, longest: number): string {
  // Before anything looks at it, so that a text without end costs no more than a long one.
  const short = text.slice(0, longest * 4);
  const clean = short.replace(HALVES, '\ufffd').replace(UNSEEN, ' ').replace(NOT_A_SIGN, '\ufffd');
  return cutOff(clean.replace(BLANKS, ' ').trim(), longest);
}

/** The text, or its beginning of so many UTF-16 units; never half a character. */
export function cutOff(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest);
  return (/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut).trimEnd();
}

/** The text with what Latin-1 lacks written without its accents, else as a question mark. */
export function latin1Text(text: string): string {
  return text.replace(/[\u0100-\u{10ffff}]/gu, (sign) => {
    const plain = sign.normalize('NFKD').replace(/\p{M}/gu, '');
    return /^[ -~]+$/.test(plain) ? plain : '?';
  });
}

/** A text for a cell of a table in Latin-1: one line, no longer than that, and nothing that a spreadsheet would run. */
export function latin1Cell(text: string, longest: number): string {
  return cutOff(unformulated(latin1Text(oneLine(text, longest))), longest);
}

/** A chunk for a file is about so many characters. */
const CHUNK = 65_536;

/** Short pieces joined to long ones, since each one delivered costs a turn of the loop. */
export async function* joined(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let waiting = '';
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length >= CHUNK) {
      yield waiting;
      waiting = '';
    }
  }
  if (waiting !== '') yield waiting;
}

/** Text as the bytes of Windows programs of western Europe; what is outside of Latin-1 has been replaced before. */
export async function* latin1Bytes(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of joined(pieces)) yield Buffer.from(piece, 'latin1');
}
