/**
 * Line ends and characters that programs hide: control characters, byte order marks, changes of the writing direction.
 */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]/gu;
const HALVES = /\p{Cs}/gu;
const NOT_A_SIGN = /[\ufdd0-\ufdef\ufffe\uffff]/g;
const BLANKS = /\s{2,}/g;

/**
 * Returns a text as one visible line. Line ends and hidden characters become blanks; lone surrogates become the
 * replacement character.
 * @param longest limit in UTF-16 units; the rest is cut off, never within a character
 */
export function oneLine(text: string, longest: number): string {
  // Cut first, so a text of any length costs no more than a long one.
  const short = text.slice(0, longest * 4);
  const clean = short.replace(HALVES, '\ufffd').replace(UNSEEN, ' ').replace(NOT_A_SIGN, '\ufffd');
  return cutOff(clean.replace(BLANKS, ' ').trim(), longest);
}

/** Returns the text, or its beginning up to a number of UTF-16 units, never half a character. */
export function cutOff(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest);
  return (/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut).trimEnd();
}

/** Approximate number of characters in a chunk of a file. */
const CHUNK = 65_536;

/** Joins short pieces into long ones, because each yielded chunk costs a turn of the event loop. */
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
