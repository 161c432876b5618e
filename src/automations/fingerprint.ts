import { sha256Hex } from '../kernel/signature.ts';

const NO_LETTER = /[^\p{L}\p{N}]+/gu;
/** What stands for one sign where a text was made for a web page. */
const WRITTEN_OUT = /&(?:amp|quot|apos|lt|gt|nbsp|#(\d{1,7})|#x([\da-f]{1,6}));|<br ?\/?>/gi;
const HIGHEST_SIGN = 0x10_ff_ff;

/** A text without what channels change on its way: case, blanks, punctuation, pictures. */
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

/** Tells a text again without keeping it. */
export function fingerprintOf(text: string): string {
  return sha256Hex(normalised(text));
}

/** What is kept of a text of ours, to tell it again when it comes back changed. */
export interface Print {
  fingerprint: string;
  /** How many letters it has, and marks of its beginnings; null where they were not kept. */
  marks: string | null;
}

/** A hash that nobody can make who has the database alone. */
export type KeyedHash = (text: string) => string;

/** So many signs of a hash are kept of each beginning. */
const MARK_LENGTH = 2;
/** A text that begins with so many letters of another one, and then ends, is that one cut short. */
export const CUT_LEAST = 64;
/** Behind the cut there may be something such as "read more"; then more than that was lost. */
const CUT_TAIL = 12;
const LOST_LEAST = 16;
/** A shorter text is known as a whole alone: a guest may begin in the same way. */
export const FOOTED_LEAST = 24;
/** So many letters may have been put below a text. */
export const FOOTER_MOST = 200;

export function printOf(text: string, keyedHash: KeyedHash): Print {
  const letters = normalised(text);
  const marks = [...beginnings(letters, keyedHash)].join('');
  return { fingerprint: sha256Hex(letters), marks: `${letters.length} ${marks}` };
}

/** A mark of each beginning of a text, the shortest first. */
function* beginnings(letters: string, keyedHash: KeyedHash): Generator<string> {
  let state = '';
  for (let at = 0; at < letters.length; at += 1) {
    state = keyedHash(`beginning ${state} ${letters.charCodeAt(at)}`);
    yield state.slice(0, MARK_LENGTH);
  }
}

/** A text as it was seen. */
export interface Seen {
  /** Without what channels change. */
  letters: string;
  fingerprint: string;
}

/**
 * Whether a text is ours as it comes back: whole, with something below it, or cut short. What quotes a shorter part of
 * it, or begins with other words, is somebody else's.
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
