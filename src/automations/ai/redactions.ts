import { turn } from '../../kernel/clock.ts';
import type { GuestsTable, MirrorDb } from '../../sync/tables/database.ts';
import { openedGuest } from '../../sync/tables/rows/sealedValues.ts';
import type { Automating } from '../context.ts';
import { packed, plainWords } from './plainWords.ts';

/** Shortest code. Shorter ones occur in every text. */
const LEAST_CODE = 3;
/** Shortest code to search for between blanks and other characters. */
const LEAST_HIDDEN_CODE = 4;
/** Shortest private sentence that is recognised. */
const LEAST_SENTENCE = 12;
const PAGE = 500;
/** Replaces removed text. */
const OUT = '[…]';
const LETTER = /[\p{L}\p{N}]/u;

/** Filters texts that neither a model nor a guest may receive: codes, names of other guests, private statements. */
export interface Redactions {
  /** Returns a text without codes. */
  withoutCodes(text: string): string;
  /** Returns the kind of private content in a text, or undefined. */
  foundIn(text: string): 'a code' | 'another guest' | 'what was said in private' | undefined;
  /**
   * Returns true if a text hides a code between other characters, unless the repeatable text `given` contains it too.
   */
  isHiddenIn(text: string, given: string): boolean;
}

interface Known {
  codes: ReadonlySet<string>;
  /** Full names as words. */
  names: ReadonlySet<string>;
  /** Sentences as letters and digits only. */
  sentences: readonly string[];
}

/**
 * Collects from the mirror everything that must stay private in a conversation.
 * @param own stays and names that may be mentioned
 */
export async function redactionsFor(
  { store, connection, settings }: Pick<Automating, 'store' | 'connection' | 'settings'>,
  own: { stays: readonly string[]; names: readonly string[] },
): Promise<Redactions> {
  const codes = new Set<string>();
  const names = new Set<string>();
  const secret = new Set(settings.secretFields);
  for await (const row of guestsOf(store.db, connection)) {
    if (!own.stays.includes(row.stay_code)) addName(names, row.name);
    if (row.more !== null) addCodes(codes, JSON.parse(row.more), secret);
  }
  if (secret.size > 0) {
    for await (const { raw } of staysOf(store.db, connection)) addCodes(codes, JSON.parse(raw), secret);
  }
  for (const name of own.names) names.delete(plainWords(name));
  return judging({ codes, names, sentences: await privateSentences(store.db, connection) });
}

export function judging({ codes, names, sentences }: Known): Redactions {
  const sorted = [...codes].filter((one) => one.length >= LEAST_CODE).toSorted((a, b) => b.length - a.length);
  const hidden = sorted.map(packed).filter((one) => one.length >= LEAST_HIDDEN_CODE);
  return {
    withoutCodes: (text) => sorted.reduce((left, code) => without(left, code), text),
    foundIn(text) {
      if (sorted.some((code) => without(text, code) !== text)) return 'a code';
      const letters = packed(text);
      if (sentences.some((one) => letters.includes(one))) return 'what was said in private';
      const words = plainWords(text);
      for (const name of names) if (words.includes(name)) return 'another guest';
      return undefined;
    },
    isHiddenIn(text, given) {
      const [letters, known] = [packed(text), packed(given)];
      return hidden.some((code) => letters.includes(code) && !known.includes(code));
    },
  };
}

/** Returns a text without the occurrences of a code as a separate word. */
function without(text: string, code: string): string {
  const [lower, sought] = [text.toLowerCase(), code.toLowerCase()];
  // If lower case changes the length of the text, positions do not match.
  if (lower.length !== text.length) return text.includes(code) ? text.replaceAll(code, OUT) : text;
  let left = '';
  let from = 0;
  for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, at + 1)) {
    if (at < from || LETTER.test(text[at - 1] ?? '') || LETTER.test(text[at + sought.length] ?? '')) continue;
    left += text.slice(from, at) + OUT;
    from = at + sought.length;
  }
  return left + text.slice(from);
}

/** Adds a full name. A single word occurs in too many texts to be recognised as a name. */
function addName(names: Set<string>, name: string | null): void {
  const words = plainWords(name ?? '');
  if (words.trim().includes(' ')) names.add(words);
}

/** Adds lock codes and secret custom fields at any depth. */
function addCodes(codes: Set<string>, value: unknown, secret: ReadonlySet<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const last = name.slice(name.lastIndexOf('.') + 1);
    if (typeof inner === 'string' && (last === 'lock_code' || secret.has(last))) codes.add(inner.trim());
    else addCodes(codes, inner, secret);
  }
}

type GuestRow = Pick<GuestsTable, 'connection' | 'stay_code' | 'guest_key' | 'name' | 'more'>;

async function* guestsOf(db: MirrorDb, connection: string): AsyncGenerator<GuestRow> {
  const first = { stay_code: '', guest_key: '' };
  for (let after: Pick<GuestRow, 'stay_code' | 'guest_key'> | undefined = first; after;) {
    const { stay_code, guest_key }: Pick<GuestRow, 'stay_code' | 'guest_key'> = after;
    const page: GuestRow[] = await db
      .selectFrom('guests')
      .select(['connection', 'stay_code', 'guest_key', 'name', 'more'])
      .where('connection', '=', connection)
      .where('stay_code', '>=', stay_code)
      .where((eb) => eb.or([eb('stay_code', '>', stay_code), eb('guest_key', '>', guest_key)]))
      .orderBy('stay_code')
      .orderBy('guest_key')
      .limit(PAGE)
      .execute();
    yield* page.map((guest) => openedGuest(db, guest));
    after = page.length === PAGE ? page.at(-1) : undefined;
    await turn();
  }
}

async function* staysOf(db: MirrorDb, connection: string) {
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const page = await db
      .selectFrom('stays')
      .select(['stay_code', 'raw'])
      .where('connection', '=', connection)
      .where('stay_code', '>', from)
      .orderBy('stay_code')
      .limit(PAGE)
      .execute();
    yield* page;
    after = page.length === PAGE ? page.at(-1)?.stay_code : undefined;
    await turn();
  }
}

async function privateSentences(db: MirrorDb, connection: string): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const from: string = after;
    const page: { row_key: string; path: string; text: string | null }[] = await db
      .selectFrom('personal_values')
      .select(['row_key', 'path', 'text'])
      .where('connection', '=', connection)
      .where('resource', '=', 'review')
      .where('path', '=', 'guest_review.private_feedback')
      .where('row_key', '>', from)
      .orderBy('row_key')
      .limit(PAGE)
      .execute();
    for (const { text } of page) found.push(...sentencesOf(text ?? ''));
    after = page.length === PAGE ? page.at(-1)?.row_key : undefined;
    await turn();
  }
  return found;
}

/** Returns the sentences of a text, and the whole text. */
export function sentencesOf(text: string): string[] {
  const whole = packed(text);
  const parts = text.split(/[.!?\n。！？]/).map(packed);
  return [...new Set([whole, ...parts])].filter((one) => one.length >= LEAST_SENTENCE);
}
