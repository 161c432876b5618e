import type { ProcessStatus } from '../../contract/knowledgeBases.ts';
import { machine } from '../../kernel/transitions.ts';

/**
 * The way of an entry's text into the search index. A worker claims a waiting entry, splits its text and indexes it. A
 * changed text, or the death of a worker, sends the entry back to the start from any state.
 */
export const entryLife = machine({
  name: 'knowledge entry',
  is: 'The way of an entry of a knowledge base into the search.',
  before: 'not there',
  states: {
    waiting: 'A worker will take it.',
    processing: 'A worker cuts it up and indexes it.',
    done: 'It can be found.',
    failed: 'It cannot be indexed.',
  } satisfies Record<ProcessStatus, string>,
  final: [],
  rows: [
    { from: null, trigger: 'create', to: 'waiting' },
    { from: 'waiting', trigger: 'claim', to: 'processing' },
    { from: 'processing', trigger: 'index', to: 'done' },
    { from: 'processing', trigger: 'fail', to: 'failed' },
    { from: 'processing', trigger: 'abandon', to: 'waiting', note: 'Its worker has died.' },
    { from: ['waiting', 'processing', 'done', 'failed'], trigger: 'rewrite', to: 'waiting' },
  ],
});

/** One part of an entry, as people write it. */
export interface ContentPart {
  text: string;
  sub_title: string;
}

/** Separator of parts that are shown as one text. */
const PARAGRAPH = '\n\n';

export function joined(parts: readonly ContentPart[]): string {
  return parts.map((part) => part.text).join(PARAGRAPH);
}

const TITLE_CHARACTERS = 100;

/** Returns the title of an entry that has none: the first title of a part, or else the first line. */
export function titleOf(parts: readonly ContentPart[]): string {
  const [first] = parts;
  const line = first?.sub_title || (first?.text.split('\n', 1)[0] ?? '');
  return firstCharacters(line.trim(), TITLE_CHARACTERS);
}

/** Returns the first characters, and splits no surrogate pair. */
function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : Array.from(text).slice(0, count).join('');
}

/** Most characters of a chunk: a paragraph or two, enough for one answer. */
const CHUNK_CHARACTERS = 800;

/**
 * Splits a text into chunks of at most `size` characters, preferably at the ends of paragraphs, otherwise of lines,
 * sentences or words. It loses only white space between chunks.
 */
export function chunksOf(text: string, size = CHUNK_CHARACTERS): string[] {
  const chunks: string[] = [];
  let rest = text.trim();
  while (rest.length > size) {
    const end = endOfPiece(rest, size);
    chunks.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  if (rest.length > 0) chunks.push(rest);
  return chunks;
}

/** Places where a chunk may end, the best first. */
const ENDS: readonly RegExp[] = [/\n\s*\n/g, /\n/g, /[.!?…。！？]\s+/g, /\s+/g];

function endOfPiece(text: string, size: number): number {
  // One character more, so that a chunk may end exactly where white space begins.
  const window = text.slice(0, size + 1);
  for (const end of ENDS) {
    const places = [...window.matchAll(end)].map((match) => match.index + match[0].trimEnd().length);
    const last = places.findLast((place) => place > size / 4 && place <= size);
    if (last !== undefined) return last;
  }
  const code = text.charCodeAt(size - 1);
  const isHalf = code >= 0xd800 && code <= 0xdbff;
  return isHalf && size > 1 ? size - 1 : size;
}
