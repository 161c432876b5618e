import { sha256Hex } from '../kernel/signature.ts';

const NO_LETTER = /[^\p{L}\p{N}]+/gu;
/** HTML entities and line breaks, in texts that were made for a web page. */
const WRITTEN_OUT = /&(?:amp|quot|apos|lt|gt|nbsp|#(\d{1,7})|#x([\da-f]{1,6}));|<br ?\/?>/gi;
const HIGHEST_SIGN = 0x10_ff_ff;

/** Returns a text without everything that channels change: case, blanks, punctuation, pictures. */
export function normalised(text: string): string {
  const letters = text
    .replaceAll(WRITTEN_OUT, (_all, decimal?: string, hex?: string) => signOf(decimal, hex))
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(NO_LETTER, '');
  return letters === '' ? text.trim() : letters;
}

function signOf(decimal: string | undefined, hex: string | undefined): string {
  const code = hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16);
  return code > 0 && code <= HIGHEST_SIGN ? String.fromCodePoint(code) : ' ';
}

/** Returns a hash that recognises a text without storing it. */
export function fingerprintOf(text: string): string {
  return sha256Hex(normalised(text));
}

/** The stored data of a text of ours, which recognise it even if a channel changes it. */
interface Print {
  fingerprint: string;
  /** The number of its letters, and marks of its beginnings; null if they were not stored. */
  marks: string | null;
}

/** A hash that needs a key from outside of the database. */
type KeyedHash = (text: string) => string;

/** Number of hash characters stored for each beginning. */
const MARK_LENGTH = 2;
/** Fewest letters of a text that may be another one cut short. */
export const CUT_LEAST = 64;
/** Most letters after the cut, such as "read more". The loss must then be longer. */
const CUT_TAIL = 12;
const LOST_LEAST = 16;
/** Shortest text that is recognised with an addition. A guest may begin in the same way as a shorter one. */
export const FOOTED_LEAST = 24;
/** Most letters that a channel may add below a text. */
export const FOOTER_MOST = 200;

export function printOf(text: string, keyedHash: KeyedHash): Print {
  const letters = normalised(text);
  const marks = [...beginnings(letters, keyedHash)].join('');
  return { fingerprint: sha256Hex(letters), marks: `${letters.length} ${marks}` };
}

/** Yields a mark of each beginning of a text, shortest first. */
function* beginnings(letters: string, keyedHash: KeyedHash): Generator<string> {
  let state = '';
  for (let at = 0; at < letters.length; at += 1) {
    state = keyedHash(`beginning ${state} ${letters.charCodeAt(at)}`);
    yield state.slice(0, MARK_LENGTH);
  }
}

/** A text as it was received. */
export interface Seen {
  /** The text without everything that channels change. */
  letters: string;
  fingerprint: string;
}

/**
 * Returns true if a text is ours: complete, with an addition below it, or cut short. A text that quotes a shorter part,
 * or begins with other words, is not.
 */
export function isOurText({ fingerprint, marks }: Print, seen: Seen, keyedHash: KeyedHash): boolean {
  if (fingerprint === seen.fingerprint) return true;
  const [count = '0', kept = ''] = marks?.split(' ') ?? [];
  const length = Number(count);
  return isFooted(fingerprint, length, seen.letters) || isCut(kept, length, seen.letters, keyedHash);
}

function isFooted(fingerprint: string, length: number, letters: string): boolean {
  const below = letters.length - length;
  if (length < FOOTED_LEAST || below <= 0 || below > FOOTER_MOST) return false;
  return sha256Hex(letters.slice(0, length)) === fingerprint;
}

function isCut(kept: string, length: number, letters: string, keyedHash: KeyedHash): boolean {
  if (letters.length < CUT_LEAST || letters.length >= length) return false;
  let equal = 0;
  for (const mark of beginnings(letters, keyedHash)) {
    if (!kept.startsWith(mark, equal * MARK_LENGTH)) break;
    equal += 1;
  }
  if (equal < CUT_LEAST) return false;
  const tail = letters.length - equal;
  return tail === 0 || (tail <= CUT_TAIL && length - letters.length >= LOST_LEAST);
}
