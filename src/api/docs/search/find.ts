import { type Entry, KINDS } from './entries.ts';

/** What was found, with a piece of its text. */
export interface Found {
  readonly kind: Entry['kind'];
  readonly title: string;
  readonly place: string;
  readonly address: string;
  readonly excerpt: string;
}

const MOST = 40;
/** Of one kind, so that fields with a common name do not hide everything else. */
const MOST_OF_A_KIND = 12;
const EXCERPT_LENGTH = 160;
const BEFORE_WORD = 40;

interface Prepared {
  readonly entry: Entry;
  readonly title: string;
  readonly names: string;
  readonly text: string;
}

/** Returns a search over these entries: every word of a question must occur, the beginning of a word is enough. */
export function searcher(entries: readonly Entry[]): (question: string) => readonly Found[] {
  const prepared = entries.map((entry): Prepared => ({
    entry,
    title: plain(entry.title),
    names: plain(`${entry.title} ${entry.names ?? ''}`),
    text: plain(`${entry.place} ${entry.text}`),
  }));
  return (question) => {
    const words = plain(question).split(' ').filter(Boolean);
    if (words.length === 0) return [];
    const hits = prepared.flatMap((one) => {
      const score = scoreOf(one, words);
      return score === 0 ? [] : [{ ...one, score }];
    });
    const ranked = hits.toSorted(
      (a, b) => b.score - a.score || KINDS.indexOf(a.entry.kind) - KINDS.indexOf(b.entry.kind),
    );
    return fewOfEach(ranked.map(({ entry }) => entry)).map((entry) => foundOf(entry, words));
  };
}

/** Lower case, with names taken apart: a field is found by its words as well. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s_.[\]/{}()`"'<>,;:|]+/g, ' ')
    .trim();
}

const WHOLE_TITLE = 100;
const START_OF_TITLE = 20;
const WORD_OF_TITLE = 10;
const WORD_OF_TEXT = 1;

function scoreOf({ title, names, text }: Prepared, words: readonly string[]): number {
  let sum = title === words.join(' ') ? WHOLE_TITLE : title.startsWith(words.join(' ')) ? START_OF_TITLE : 0;
  for (const word of words) {
    if (` ${names}`.includes(` ${word}`)) sum += WORD_OF_TITLE;
    else if (` ${text}`.includes(` ${word}`)) sum += WORD_OF_TEXT;
    else return 0;
  }
  return sum;
}

function fewOfEach(entries: readonly Entry[]): readonly Entry[] {
  const counts = new Map<string, number>();
  const kept = entries.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= MOST_OF_A_KIND;
  });
  return kept.slice(0, MOST);
}

function foundOf({ kind, title, place, address, text }: Entry, words: readonly string[]): Found {
  const at = words.map((word) => text.toLowerCase().indexOf(word)).find((index) => index >= 0) ?? 0;
  const start = Math.max(0, at - BEFORE_WORD);
  const piece = text.slice(start, start + EXCERPT_LENGTH).replaceAll(/\s+/g, ' ');
  const excerpt = `${start > 0 ? '…' : ''}${piece}${start + EXCERPT_LENGTH < text.length ? '…' : ''}`;
  return { kind, title, place, address, excerpt };
}
