/** Parameters of Okapi BM25: the saturation of repeated words, and the weight of a text's length. */
const REPEATED = 1.2;
const LENGTH = 0.75;
const ENDING = /(?:es|en|s|n|e)$/;
const LEAST_STEM = 4;

/**
 * Returns the texts that fit the words best, best first, without texts that contain none of them. Rare words count more
 * than common ones. Computed in memory, so every database gives the same result; the texts of one property are few
 * enough to need no index.
 * @param texts with their words, separated by blanks
 */
export function bestOf<T extends { words: string }>(texts: readonly T[], sought: readonly string[], most: number): T[] {
  const stems = new Set(sought.map(stemOf));
  const counted = texts.map((text) => ({ text, ...countsOf(text.words, stems) }));
  const usual = counted.reduce((sum, one) => sum + one.length, 0) / Math.max(1, counted.length);
  const holding = new Map([...stems].map((stem) => [stem, counted.filter(({ counts }) => counts.has(stem)).length]));
  const scored = counted.map(({ text, counts, length }) => {
    let score = 0;
    for (const [stem, count] of counts) {
      const among = holding.get(stem) ?? 0;
      const rarity = Math.log(1 + (texts.length - among + 0.5) / (among + 0.5));
      const long = 1 - LENGTH + (LENGTH * length) / usual;
      score += (rarity * count * (REPEATED + 1)) / (count + REPEATED * long);
    }
    return { text, score };
  });
  const fitting = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  return fitting.slice(0, most).map(({ text }) => text);
}

function countsOf(words: string, stems: ReadonlySet<string>): { counts: Map<string, number>; length: number } {
  const all = words.split(' ');
  const counts = new Map<string, number>();
  for (const word of all) {
    const stem = stemOf(word);
    if (stems.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return { counts, length: all.length };
}

/** Returns a word without plural endings. */
function stemOf(word: string): string {
  const stem = word.replace(ENDING, '');
  return stem.length >= LEAST_STEM ? stem : word;
}
